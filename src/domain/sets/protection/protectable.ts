import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Medium } from '../../media/medium'
import type { ImageBuilder } from '../imageBuilder'

/**
 * Refuses recovery data where none can be made.
 * @throws AppError `refused`
 */
export function requireProtectable({ kind }: Pick<Medium, 'kind'>, builder: ImageBuilder): void {
  if (kind === 'folder')
    throw new AppError(
      'refused',
      said`cannot protect folders: recovery data is made for disc images; plan with --protect none, or for discs`,
    )
  if (builder !== 'own')
    throw new AppError(
      'refused',
      said`cannot protect images by xorriso: recovery data is made by Stowage's own builder; plan with --builder own`,
    )
}
