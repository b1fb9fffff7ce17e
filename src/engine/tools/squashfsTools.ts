import type { ExternalTool, FoundTool } from './externalTool'
import { findProgram } from './findProgram'
import { statedVersion } from './statedVersion'

/** Makes read-only file systems that Linux mounts. */
export const mksquashfs: ExternalTool = {
  name: 'mksquashfs',
  neededFor: 'building SquashFS images',
  howToGet:
    'install it with "apt install squashfs-tools", "dnf install squashfs-tools" or "brew install squashfs"',
  find: () => found('mksquashfs'),
}

/** Takes files out of them. */
export const unsquashfs: ExternalTool = {
  ...mksquashfs,
  name: 'unsquashfs',
  neededFor: 'restoring from SquashFS images',
  find: () => found('unsquashfs'),
}

async function found(program: string): Promise<FoundTool | null> {
  return statedVersion(await findProgram(program), ['-version'], /version (\d+\.\d[\w.]*)/)
}
