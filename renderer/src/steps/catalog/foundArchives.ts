import type { ArchiveDocument, ArchiveSet } from '../../../../src/contract/dto/archive'
import type { VolumeCopy } from '../../../../src/contract/dto/copies'
import { setLabel } from '../../format/setLabel'

/** An archive or a set of none whose name, or a disc of which, holds the words of a search. */
export interface FoundArchive {
  /** The ID of the archive, or of the set. */
  readonly key: string
  readonly name: string
  /** The labels of its volumes that hold the words, each once. */
  readonly labels: readonly string[]
}

interface Known {
  readonly archives: readonly Pick<ArchiveDocument, 'id' | 'name' | 'sets'>[]
  readonly sets: readonly ArchiveSet[]
}

/**
 * Searches names of archives and labels of volumes for a part of them, in upper or lower case.
 * @param copies those that the catalog knows: a volume of which none is known has no label here,
 *   but for the first and the last of a plan
 */
export function foundArchives(words: string, known: Known, copies: readonly VolumeCopy[]): FoundArchive[] {
  const wanted = words.trim().toLocaleLowerCase()
  if (wanted === '') return []
  const holds = (text: string): boolean => text.toLocaleLowerCase().includes(wanted)
  const found = (key: string, name: string, sets: readonly ArchiveSet[]): FoundArchive[] => {
    const plans = sets.flatMap((set) => set.plans)
    const ids = new Set(plans.map(({ id }) => id))
    const labels = [
      ...plans.flatMap(({ firstLabel, lastLabel }) => [firstLabel, lastLabel]),
      ...copies.flatMap(({ planId, label }) => (planId !== null && ids.has(planId) ? [label] : [])),
    ]
    const own = [...new Set(labels.filter(holds))].sort()
    return own.length > 0 || holds(name) ? [{ key, name, labels: own }] : []
  }
  return [
    ...known.archives.flatMap(({ id, name, sets }) => found(id, name, sets)),
    ...known.sets.flatMap((set) => found(set.id, labelOf(set), [set])),
  ]
}

function labelOf({ plans }: ArchiveSet): string {
  return setLabel({ firstLabel: plans[0]?.firstLabel ?? '', lastLabel: plans.at(-1)?.lastLabel ?? '' })
}
