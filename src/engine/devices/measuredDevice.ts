import type { DeviceFacts, OpticalMedium } from '../../contract/dto/measure'
import { fileSystemId, uuidOf } from '../files/fileSystems'
import { deviceFacts } from '../native/timing'
import { opticalMedium } from '../tools/opticalMedium'
import { linkBytesPerSecond } from './linkRate'

/**
 * The device that a folder lies on. Optical drives are asked for their medium when a tool for that
 * is there.
 * @throws AppError `not-found`, `permission-denied`, … for a folder that cannot be asked about
 */
export async function measuredDevice(directory: string): Promise<DeviceFacts> {
  const facts = deviceFacts(directory)
  return {
    key: fileSystemId({ ...facts, uuid: await uuidOf(facts.device) }),
    name: facts.model ?? facts.device,
    model: facts.model,
    kind: facts.kind,
    bus: facts.bus,
    fileSystem: facts.fileSystem === '' ? null : facts.fileSystem,
    mountPoint: facts.mountPoint === '' ? null : facts.mountPoint,
    capacityBytes: facts.totalBytes === 0 ? null : facts.totalBytes,
    freeBytes: facts.freeBytes,
    linkBytesPerSecond: await linkBytesPerSecond(facts.device, facts.bus),
    optical: facts.kind === 'optical' ? await mediumIn(facts.device) : null,
  }
}

/** A drive that cannot be asked is still a drive: its medium stays unknown. */
async function mediumIn(device: string): Promise<OpticalMedium | null> {
  return opticalMedium(device).catch(() => null)
}
