import { BUILT_COPY, type LostCopies } from '../../../../../src/contract/dto/copies'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatDay } from '../../../../../src/primitives/spokenTime'
import { t } from '../../../copy'
import { sayRanges } from '../../../format/sayRanges'

/** Which copies are lost, from where and since when: `PHOTOS_01, copy 2, home: lost 3 May 2026`. */
export function sayLost({ labels, copy, place, lostWallMs }: LostCopies): string {
  const label = sayRanges(labels)
  const name = copy === BUILT_COPY ? t('copies.name.built', { label }) : t('copies.name', { label, copy })
  const day = formatDay(lostWallMs)
  if (place === null) return t('lost.copies', { name, day })
  return t('lost.copiesAt', { name, day, place: pathForDisplay(place) })
}

/** How many other copies each of the volumes has at least. */
export function sayLeft(left: number): string {
  return left === 0 ? t('lost.noneLeft') : t('lost.left', { count: left })
}
