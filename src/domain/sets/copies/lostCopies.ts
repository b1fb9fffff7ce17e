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
  const lost = copies.filter(({ state }) => state === 'lost')
  const groups = Map.groupBy(lost, (copy) =>
    JSON.stringify([setOf(copy), copy.copy, copy.place === null ? null : placeKey(copy.place)]),
  )
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own
      if (first === undefined) return []
      const { planId, setId, copy, place } = first
      const inOrder = own.toSorted((one, other) => one.volume - other.volume)
      return {
        planId,
        setId,
        copy,
        place,
        volumes: inOrder.map(({ volume }) => volume),
        labels: inOrder.map(({ label }) => label),
        lostWallMs: Math.min(...own.map(({ lostWallMs }) => lostWallMs ?? 0)),
        left: Math.min(...own.map((each) => othersOf(each, copies))),
      }
    })
    .toSorted((one, other) => one.left - other.left || one.lostWallMs - other.lostWallMs)
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
