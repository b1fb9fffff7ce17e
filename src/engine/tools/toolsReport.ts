import { borg, restic } from './backupTools'
import { cdrskin } from './cdrskin'
import type { ExternalTool } from './externalTool'
import { growisofs } from './growisofs'
import { hdiutil } from './macImages'
import { sevenZip } from './sevenZip'
import { mksquashfs } from './squashfsTools'
import { xorriso } from './xorriso'

/** One row of `stowage tools`. */
interface ToolReport {
  readonly name: string
  /** Null when it is not on this machine. */
  readonly version: string | null
  readonly path: string | null
  readonly neededFor: string
  readonly howToGet: string
}

/** Every external program that Stowage can use, in the order of need. */
const TOOLS: readonly ExternalTool[] = [
  xorriso,
  sevenZip,
  growisofs,
  cdrskin,
  mksquashfs,
  borg,
  restic,
  ...(process.platform === 'darwin' ? [hdiutil] : []),
]

/**
 * Looks for every program. A program that is there but cannot be asked its version counts as
 * absent.
 */
export async function toolsReport(): Promise<ToolReport[]> {
  return Promise.all(
    TOOLS.map(async ({ name, neededFor, howToGet, find }) => {
      const found = await find().catch(() => null)
      return { name, version: found?.version ?? null, path: found?.path ?? null, neededFor, howToGet }
    }),
  )
}
