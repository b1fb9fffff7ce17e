import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { DeviceFacts, OpticalMedium } from '../../contract/dto/measure'
import { deviceFacts, type DeviceFacts as NativeFacts } from '../native/timing'
import { opticalMedium } from '../tools/opticalMedium'
import { linkBytesPerSecond } from './linkRate'

/** Where Linux names file systems by what is written in them, whatever device they are found on. */
const BY_UUID = '/dev/disk/by-uuid'

/**
 * The device that a folder lies on. Optical drives are asked for their medium when a tool for that
 * is there.
 * @throws AppError `not-found`, `permission-denied`, … for a folder that cannot be asked about
 */
export async function measuredDevice(directory: string): Promise<DeviceFacts> {
  const facts = deviceFacts(directory)
  return {
    key: await keyOf(facts),
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

/** The file system's own identity where the system tells it; else what names the device here. */
async function keyOf({ device, kind, model, mountPoint, fileSystem }: NativeFacts): Promise<string> {
  const uuid = await uuidOf(device)
  if (uuid !== null) return `uuid:${uuid}`
  if (kind === 'memory') return `memory:${mountPoint}`
  return [kind, model, fileSystem, device]
    .filter((part) => part !== null && part !== '')
    .join(':')
    .slice(0, 400)
}

async function uuidOf(device: string): Promise<string | null> {
  if (!device.startsWith('/dev/')) return null
  try {
    for (const name of await readdir(BY_UUID)) {
      if (basename(await readlink(`${BY_UUID}/${name}`)) === basename(device)) return name
    }
  } catch {
    // Containers and other systems have no such folder.
  }
  return null
}

/** A drive that cannot be asked is still a drive: its medium stays unknown. */
async function mediumIn(device: string): Promise<OpticalMedium | null> {
  return opticalMedium(device).catch(() => null)
}
