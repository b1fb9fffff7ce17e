import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findVersion } from './findVersion'

const VERSION = /version (\d+\.\d[\w.]*)/

/** Makes read-only file systems that Linux mounts. */
export const mksquashfs: ExternalTool = {
  name: 'mksquashfs',
  neededFor: said`building SquashFS images`,
  howToGet: said`install it with "apt install squashfs-tools", "dnf install squashfs-tools" or "brew install squashfs"`,
  find: () => findVersion('mksquashfs', '-version', VERSION),
}

/** Takes files out of them. */
export const unsquashfs: ExternalTool = {
  ...mksquashfs,
  name: 'unsquashfs',
  neededFor: said`restoring from SquashFS images`,
  find: () => findVersion('unsquashfs', '-version', VERSION),
}
