import type { DamagedFile } from '../../../contract/dto/check'
import type { Verdict } from '../../../domain/sets/verdict'
import { formatCount } from '../../../primitives/quantity'
import { SECTOR } from '../volume/image/imageTree'
import { differenceText, type FileDifference } from '../volume/open/difference'

/** A difference that a check found, with what it means. */
export interface Damage {
  readonly difference: FileDifference
  readonly verdict: Verdict
  /** True for what all files of the source are right without. */
  readonly protects?: boolean
}

/** Damage that nothing on the volume mends. */
export function lost(difference: FileDifference): Damage {
  return { difference, verdict: 'lost' }
}

/** The damage as the document of a check has it. */
export function damagedFile({ difference, verdict, protects = false }: Damage): DamagedFile {
  const { path } = difference
  const cause = 'cause' in difference ? difference.cause : undefined
  return {
    path,
    kind: kindOf(difference),
    because: differenceText(difference, formatCount),
    ...placesOf(difference),
    ...(cause && { cause }),
    verdict,
    ...(protects && { protects }),
  }
}

function kindOf({ code }: FileDifference): DamagedFile['kind'] {
  switch (code) {
    case 'missing':
    case 'no-container':
    case 'incomplete-container':
      return 'missing'
    case 'cut':
      return 'cut'
    case 'unreadable':
    case 'unreadable-parts':
      return 'unreadable'
    default:
      return 'differs'
  }
}

function placesOf(difference: FileDifference): Pick<DamagedFile, 'unreadable' | 'sectors'> {
  if (!('parts' in difference)) return { unreadable: [], sectors: null }
  const { parts, offset: from } = difference
  return {
    unreadable: parts.map(({ offset, length }) => ({ offset: offset - (from ?? 0), bytes: length })),
    sectors: from === null ? null : sectorsOf(parts),
  }
}

/** The sectors that hold the parts, neighbours joined. */
function sectorsOf(
  parts: readonly { readonly offset: number; readonly length: number }[],
): { first: number; count: number }[] {
  const sectors: { first: number; count: number }[] = []
  for (const { offset, length } of parts) {
    const first = Math.floor(offset / SECTOR)
    const end = Math.ceil((offset + length) / SECTOR)
    const last = sectors.at(-1)
    if (last && last.first + last.count >= first) last.count = Math.max(last.count, end - last.first)
    else sectors.push({ first, count: end - first })
  }
  return sectors
}
