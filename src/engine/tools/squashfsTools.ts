import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Makes read-only file systems that Linux mounts. */
export const mksquashfs: ExternalTool = {
  name: 'mksquashfs',
  neededFor: 'building SquashFS images',
  howToGet:
    'install it with "apt install squashfs-tools", "dnf install squashfs-tools" or "brew install squashfs"',
  async find() {
    const path = await findProgram('mksquashfs')
    if (!path) return null
    const { output } = await runTool(path, ['-version'])
    const version = /version (\d+\.\d[\w.]*)/.exec(output)?.[1]
    return version === undefined ? null : { path, version }
  },
}
