import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Makes read-only file systems that Linux mounts. */
export const mksquashfs: ExternalTool = {
  name: 'mksquashfs',
  neededFor: 'building SquashFS images',
  howToGet:
    'install it with "apt install squashfs-tools", "dnf install squashfs-tools" or "brew install squashfs"',
  find: () => findVersion('mksquashfs'),
}

/** Takes files out of them. */
export const unsquashfs: ExternalTool = {
  ...mksquashfs,
  name: 'unsquashfs',
  neededFor: 'restoring from SquashFS images',
  find: () => findVersion('unsquashfs'),
}

async function findVersion(program: string): Promise<{ path: string; version: string } | null> {
  const path = await findProgram(program)
  if (!path) return null
  const { output } = await runTool(path, ['-version'])
  const version = /version (\d+\.\d[\w.]*)/.exec(output)?.[1]
  return version === undefined ? null : { path, version }
}
