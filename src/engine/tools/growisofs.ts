import { AppError } from '../../primitives/appError'
import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Burns DVDs and Blu-ray discs. Stowage never runs it on a disc itself: it writes the command for a person to run. */
export const growisofs: ExternalTool = {
  name: 'growisofs',
  neededFor: 'burning with burn-growisofs.sh (xorriso can burn too)',
  howToGet: 'install it with "apt install growisofs" or "dnf install dvd+rw-tools"',
  async find() {
    const path = await findProgram('growisofs')
    if (!path) return null
    const { output, errorLines } = await runTool(path, ['-version'])
    const version = /version (\d[\w.]*)/.exec([output, ...errorLines].join('\n'))?.[1]
    return { path, version: version ?? 'unknown' }
  },
}

/** Media whose burning growisofs must be told not to set spare sectors aside. */
export interface GrowisofsBurn {
  readonly device: string
  readonly image: string
  /** Multiple of the medium's base speed, null for the drive's choice. */
  readonly speed: number | null
  readonly spareNone: boolean
}

/**
 * The arguments that burn a finished image. Refuses a device that is not named as one, because growisofs given a regular
 * file as root looks for its file system and may unmount /proc.
 * @throws AppError `usage`
 */
export function growisofsArguments(burn: GrowisofsBurn): string[] {
  if (!burn.device.startsWith('/dev/')) {
    throw new AppError('usage', `not a device: ${burn.device} (name the burner, for example /dev/sr0)`)
  }
  return [
    ...(burn.spareNone ? ['-use-the-force-luke=spare:none'] : []),
    '-dvd-compat',
    ...(burn.speed === null ? [] : [`-speed=${burn.speed}`]),
    '-Z',
    `${burn.device}=${burn.image}`,
  ]
}
