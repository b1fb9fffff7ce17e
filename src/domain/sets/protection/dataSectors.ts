import type { Medium } from '../../media/medium'
import { type Placement, usableSectors } from '../placement'
import type { Protection } from './volumeProtection'

/**
 * The sectors of a volume that files and lists may take: all that a plan may use, without the share
 * for recovery data. Filling up takes nothing from them.
 * @throws AppError `cannot-fit` when nothing is left
 */
export function dataSectors(
  medium: Medium,
  constraints: {
    readonly placement?: Placement | undefined
    readonly protection?: Protection | undefined
  },
): number {
  const { placement, protection } = constraints
  const usable = usableSectors(medium, placement)
  return typeof protection === 'number' ? Math.floor(usable / (1 + protection / 100)) : usable
}
