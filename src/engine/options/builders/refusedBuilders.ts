import { AppError } from '../../../primitives/appError'
import type { BuildRequest, Built, OptionBuilder } from './optionBuilder'

/** Options of a family that is forecast but not built, and why. */
function notBuilt(family: string, because: string): OptionBuilder {
  return {
    family,
    tool: null,
    refuses: () => because,
    build: ({ variant }: BuildRequest): Promise<Built> =>
      Promise.reject(new AppError('refused', `cannot build ${variant}: ${because}`)),
  }
}

export const zfs = notBuilt('zfs', 'a ZFS pool is made by the system, as root, on devices of its own')
export const kopia = notBuilt(
  'kopia',
  'Stowage has not been tried with kopia; make one with "kopia repository create filesystem" and "kopia snapshot create"',
)
export const erofs = notBuilt(
  'erofs',
  'mkfs.erofs 1.5 does not take every name, so EROFS images are only forecast',
)
