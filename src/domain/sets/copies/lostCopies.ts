import { placeKey, type VolumeCopy } from './copy'

/** Volumes of one set whose copies of one number were lost from one place. */
export interface LostCopies extends Pick<VolumeCopy, 'planId' | 'setId' | 'copy' | 'place'> {
  readonly volumes: readonly number[]
  readonly labels: readonly string[]
  /** When the first of them was noted as lost. */
  readonly lostWallMs: number
  /** The fewest other copies that one of these volumes has, apart from damaged ones. */
  readonly left: number
}

/**
 * The copies that were noted as lost, those first of which the fewest others are left. They stay
 * until they are found, written again or verified.
 */
export function lostCopies(copies: readonly VolumeCopy[]): LostCopies[] {
  const groups = new Map<string, VolumeCopy[]>()
  for (const copy of copies) {
    if (copy.state !== 'lost') continue
    const key = JSON.stringify([setOf(copy), copy.copy, copy.place === null ? null : placeKey(copy.place)])
    const known = groups.get(key)
    if (known) known.push(copy)
    else groups.set(key, [copy])
  }
  const lost = [...groups.values()].flatMap((own) => groupOf(own, copies))
  // The oldest window has no toSorted.
  lost.sort((one, other) => one.left - other.left || one.lostWallMs - other.lostWallMs)
  return lost
}

function groupOf(own: readonly VolumeCopy[], copies: readonly VolumeCopy[]): LostCopies[] {
  const inOrder = [...own]
  inOrder.sort((one, other) => one.volume - other.volume)
  const [first] = inOrder
  if (first === undefined) return []
  const { planId, setId, copy, place } = first
  return [
    {
      planId,
      setId,
      copy,
      place,
      volumes: inOrder.map(({ volume }) => volume),
      labels: inOrder.map(({ label }) => label),
      lostWallMs: Math.min(...own.map(({ lostWallMs }) => lostWallMs ?? 0)),
      left: Math.min(...own.map((each) => othersOf(each, copies))),
    },
  ]
}

function othersOf(of: VolumeCopy, copies: readonly VolumeCopy[]): number {
  return copies.filter(
    (each) =>
      setOf(each) === setOf(of) &&
      each.volume === of.volume &&
      each.state !== 'lost' &&
      each.state !== 'damaged',
  ).length
}

function setOf({ planId, setId }: VolumeCopy): string | null {
  return planId ?? setId
}
