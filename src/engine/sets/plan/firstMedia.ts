import type { PlanRequest } from '../../../contract/dto/plan'
import type { Medium } from '../../../domain/media/medium'
import { resolveMedium } from '../../../domain/media/resolveMedium'
import { DISK_MEDIUM } from '../../../domain/options/optionsDocument'
import type { FirstMedia } from '../../../domain/sets/mixedMedia'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { mediaCatalogue } from '../../media/mediaCatalogue'

/**
 * The media of the first volumes that a request asks for.
 * @param isPacked the plan is of archives
 * @throws AppError `usage` for one that there is not, `refused` for media that cannot be in one
 *   plan
 */
export function firstMedia(
  { firstMedia: asked = [] }: Pick<PlanRequest, 'firstMedia'>,
  medium: Medium,
  isPacked: boolean,
): FirstMedia {
  if (asked.length === 0) return []
  const refused = (because: string): AppError =>
    new AppError('refused', said`cannot plan for several media: ${because}`)
  if (isPacked) throw refused(said`archives may move to other volumes; choose plain files`)
  return asked.map(({ mediumId, volumes }) => {
    const first = resolveMedium(mediaCatalogue, mediumId)
    if (first.id === DISK_MEDIUM || familyOf(first) !== familyOf(medium))
      throw refused(
        said`${first.name} and ${medium.name} are written in different ways; make a plan for each`,
      )
    return { medium: first, volumes }
  })
}

function familyOf({ family }: Medium): string {
  return family === 'bdxl' ? 'bd' : family
}
