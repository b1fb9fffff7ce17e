import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Medium } from '../../media/medium'

/**
 * Refuses recovery data where none can be made.
 * @throws AppError `refused`
 */
export function requireProtectable({ kind }: Pick<Medium, 'kind'>): void {
  if (kind === 'folder')
    throw new AppError(
      'refused',
      said`cannot protect folders: recovery data is made for disc images; plan with --protect none, or for discs`,
    )
}
