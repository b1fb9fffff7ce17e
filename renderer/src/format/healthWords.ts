import { BUILT_COPY, type CopyHealth } from '../../../src/contract/dto/copies'
import { pathForDisplay } from '../../../src/primitives/pathText'
import { formatMonth } from '../../../src/primitives/spokenTime'
import { t } from '../copy'
import { sayRanges } from './sayRanges'

/** The health of a set in one word of status and one sentence or two. */
export function sayHealth(health: CopyHealth): { readonly status: string; readonly says: string } {
  return { status: t(`health.status.${health.kind}`), says: sentences(health) }
}

/** True where files are at risk, or will be without something that a person does. */
export function isTroubled({ kind }: CopyHealth): boolean {
  return kind !== 'good' && kind !== 'onePlace'
}

function sentences(health: CopyHealth): string {
  const { kind, labels, count, volumes, unmade, places } = health
  switch (kind) {
    case 'gone':
      return t('health.gone', { labels: sayRanges(labels), count: labels.length })
    case 'damaged':
    case 'lost':
      return `${t('health.writeAgain', { who: sayWho(health), count: labels.length })} ${sayLeft(health)}`
    case 'unmade':
      return volumes === unmade ? t('health.unmade') : t('health.unmade.some', { count: unmade, of: volumes })
    case 'unverified':
    case 'overdue':
      return `${t(`health.${kind}`, { count })} ${sayCopies(health)}`
    case 'onePlace':
      return `${sayCopies(health)} ${places === 0 ? t('health.noPlace') : t('health.onePlace')}`
    case 'good':
      return sayCopies(health)
  }
}

/** `PHOTOS_01, copy 2, parents’ house`, as far as all of them have it in common. */
export function sayWho({ labels, copy, place }: Pick<CopyHealth, 'labels' | 'copy' | 'place'>): string {
  const label = sayRanges(labels)
  const who =
    copy === null
      ? label
      : copy === BUILT_COPY
        ? t('copies.name.built', { label })
        : t('copies.name', { label, copy })
  return place === null ? who : t('health.at', { who, place: pathForDisplay(place) })
}

/** The copies that are left of the volume that has the fewest. */
function sayLeft({ copies, places }: CopyHealth): string {
  return copies === 0 ? '' : t('health.left', { copies, places })
}

/** How many copies each volume has at how many places, and since when all of them are verified. */
function sayCopies({ copies, places, verifiedWallMs }: CopyHealth): string {
  return verifiedWallMs === null
    ? t('health.copies', { copies, places })
    : t('health.copies.verified', { copies, places, month: formatMonth(verifiedWallMs) })
}
