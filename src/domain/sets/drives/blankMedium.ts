import { AppError } from '../../../primitives/appError'
import type { Medium } from '../../media/medium'
import type { Drive } from './drive'
import { familyOf } from './fittingDisc'

/** A variant that has no room for defective blocks. */
const WITHOUT_SPARE = ':spare-none'

/**
 * The medium of the catalogue that the disc in a drive is: of its family the largest that the
 * reported sectors hold. A drive reports a blank BD-R without a spare area, and may make one when
 * it writes, so media without one are taken only where they are asked for.
 * @param media as `listMedia` gives them
 * @throws AppError `refused` for a disc that cannot be planned for, `not-found` without a disc
 */
export function blankMedium(media: readonly Medium[], drive: Drive, withSpare: boolean): Medium {
  const { device, medium, problem } = drive
  if (medium === null)
    throw new AppError('not-found', `cannot use ${device}: ${problem ?? 'it holds no disc'}`)
  const family = familyOf(medium.kind)
  const refused = (because: string): AppError =>
    new AppError('refused', `cannot plan for the disc in ${device} (${medium.name}): ${because}`)
  if (family === null) throw refused('it cannot be written')
  if (!medium.blank && !medium.rewritable) throw refused('it is not blank')
  const { capacitySectors } = medium
  if (capacitySectors === null) throw refused('the drive does not report how much it holds')
  const fitting = media.filter(
    (one) =>
      (one.family === 'bdxl' ? 'bd' : one.family) === family &&
      one.capacitySectors <= capacitySectors &&
      !(withSpare && one.id.endsWith(WITHOUT_SPARE)),
  )
  const [first, ...others] = fitting
  if (!first) throw refused(`it holds ${capacitySectors} sectors, less than any known one; give custom:SIZE`)
  return others.reduce((most, one) => (one.capacitySectors > most.capacitySectors ? one : most), first)
}
