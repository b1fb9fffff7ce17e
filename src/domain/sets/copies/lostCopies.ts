import { placeKey, type VolumeCopy } from './copy'
import { isLeft } from './copyHealth'

/** Volumes of one set whose copies of one number at one place are all lost, or all damaged. */
export interface CopyGroup extends Pick<VolumeCopy, 'planId' | 'setId' | 'copy' | 'place'> {
  readonly volumes: readonly number[]
  readonly labels: readonly string[]
  /** The fewest other copies that one of these volumes has, apart from lost and damaged ones. */
  readonly left: number
}

export interface LostCopies extends CopyGroup {
  /** When the first of them was noted as lost. */
  readonly lostWallMs: number
}

/**
 * The copies that were noted as lost, those first of which the fewest others are left. They stay
 * until they are found, written again or verified.
 */
export function lostCopies(copies: readonly VolumeCopy[]): LostCopies[] {
  const lost = groupsOf(copies, 'lost').map(
    (own): LostCopies =>
      Object.assign(groupOf(own, copies), {
        lostWallMs: Math.min(...own.map(({ lostWallMs }) => lostWallMs ?? 0)),
      }),
  )
  // The oldest window has no toSorted.
  lost.sort((one, other) => one.left - other.left || one.lostWallMs - other.lostWallMs)
  return lost
}

/**
 * The copies whose last verification found damage, those first of which the fewest others are left.
 */
export function damagedCopies(copies: readonly VolumeCopy[]): CopyGroup[] {
  const damaged = groupsOf(copies, 'damaged').map((own) => groupOf(own, copies))
  damaged.sort((one, other) => one.left - other.left)
  return damaged
}

type Group = [VolumeCopy, ...VolumeCopy[]]

/** Those in this state, by set, number and place. */
function groupsOf(copies: readonly VolumeCopy[], state: VolumeCopy['state']): Group[] {
  const groups = new Map<string, Group>()
  for (const copy of copies) {
    if (copy.state !== state) continue
    const key = JSON.stringify([setOf(copy), copy.copy, copy.place === null ? null : placeKey(copy.place)])
    const known = groups.get(key)
    if (known) known.push(copy)
    else groups.set(key, [copy])
  }
  return [...groups.values()]
}

function groupOf(own: Readonly<Group>, copies: readonly VolumeCopy[]): CopyGroup {
  const inOrder = [...own]
  inOrder.sort((one, other) => one.volume - other.volume)
  const { planId, setId, copy, place } = inOrder[0] ?? own[0]
  return {
    planId,
    setId,
    copy,
    place,
    volumes: inOrder.map(({ volume }) => volume),
    labels: inOrder.map(({ label }) => label),
    left: Math.min(...own.map((each) => othersOf(each, copies))),
  }
}

function othersOf(of: VolumeCopy, copies: readonly VolumeCopy[]): number {
  return copies.filter((each) => setOf(each) === setOf(of) && each.volume === of.volume && isLeft(each))
    .length
}

function setOf({ planId, setId }: VolumeCopy): string | null {
  return planId ?? setId
}
