import type { Drive } from '../../../contract/dto/run'
import { said } from '../../../primitives/said'
import { loadAddon } from '../../native/loadAddon'
import type { SystemDrive } from '../../native/rawDrives'

/**
 * The optical drives that Windows lists, each with what is in it. Nothing is written.
 * @throws AppError `tool-missing` without the addon
 */
export async function windowsDrives(): Promise<Drive[]> {
  const drives = (await loadAddon().opticalDrives?.()) ?? []
  return drives.map(windowsDrive)
}

/** Windows reports a disc's file system, not its kind; a blank disc has none. */
export function windowsDrive({ device, hasDisc, fileSystem, label, bytes }: SystemDrive): Drive {
  const drive = { device, vendor: null, model: null, medium: null, problem: null }
  if (!hasDisc) return drive
  if (fileSystem === '')
    return { ...drive, problem: said`the disc is blank, or of no kind that Windows reads` }
  return {
    ...drive,
    medium: {
      kind: 'unknown',
      name: label === '' ? fileSystem : `${fileSystem}, ${label}`,
      blank: false,
      rewritable: false,
      capacitySectors: null,
      usedSectors: Math.ceil(bytes / 2048),
      speeds: [],
    },
  }
}
