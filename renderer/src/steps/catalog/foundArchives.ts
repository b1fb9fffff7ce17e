import type { ArchiveDocument, ArchiveSet } from '../../../../src/contract/dto/archive'
import type { VolumeCopy } from '../../../../src/contract/dto/copies'
import { setLabel } from '../../format/setLabel'

/** An archive or a set of none whose name, or a disc of which, holds the words of a search. */
export interface FoundArchive {
  /** The ID of the archive, or of the set; of a plan that was removed, that of the plan. */
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
  const ofCopies = labelsOf(copies)
  const found = (key: string, name: string | null, sets: readonly ArchiveSet[]): FoundArchive[] => {
    const plans = sets.flatMap((set) => set.plans)
    const ids = plans.length === 0 ? [key] : plans.map(({ id }) => id)
    const labels = [
      ...plans.flatMap(({ firstLabel, lastLabel }) => [firstLabel, lastLabel]),
      ...ids.flatMap((id) => [...(ofCopies.get(id) ?? [])].sort()),
    ]
    for (const id of ids) ofCopies.delete(id)
    const own = [...new Set(labels.filter(holds))].sort()
    const lastLabel = plans.at(-1)?.lastLabel ?? labels.at(-1) ?? ''
    const shown = name ?? setLabel({ firstLabel: labels[0] ?? '', lastLabel })
    return own.length > 0 || holds(shown) ? [{ key, name: shown, labels: own }] : []
  }
  return [
    ...known.archives.flatMap(({ id, name, sets }) => found(id, name, sets)),
    ...known.sets.flatMap((set) => found(set.id, null, [set])),
    // Discs of which nobody here has the plan.
    ...[...ofCopies.keys()].flatMap((key) => found(key, null, [])),
  ]
}

/** The labels of the volumes of each plan, or of each set whose plan is not known. */
function labelsOf(copies: readonly VolumeCopy[]): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const { planId, setId, label } of copies) {
    const key = planId ?? setId ?? ''
    const own = labels.get(key)
    if (own) own.add(label)
    else labels.set(key, new Set([label]))
  }
  return labels
}
