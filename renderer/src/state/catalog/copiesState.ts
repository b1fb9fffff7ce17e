import type { VolumeDue } from '../../../../src/contract/dto/check'
import { copyKey, type SafeDocument, type VolumeCopy } from '../../../../src/contract/dto/copies'

export interface CopiesState {
  readonly copies: readonly VolumeCopy[]
  /** The survey whose source is being judged. */
  readonly judging: string | null
  /** The last verdict that was asked for. */
  readonly verdict: SafeDocument | null
  /** The note on where a copy is kept, while it is typed. */
  readonly placing: Placing | null
}

/** A note on where a copy is kept. */
export interface Placing {
  readonly of: VolumeCopy
  /** Its number as typed; empty for the image or folder in the plan's folder. */
  readonly copy: string
  readonly place: string
  readonly medium: string
  /** The note is on this copy of every volume of the set. */
  readonly isOfAll: boolean
}

/** A copy in the list: when it was checked, and what else is known of it. */
export interface CopyRow extends VolumeDue {
  readonly known: VolumeCopy | null
  /** Where one row stands for copies of several volumes that are alike: all of their labels. */
  readonly labels?: readonly string[]
}

export type CopiesAction =
  | { type: 'copies'; copies: readonly VolumeCopy[] }
  | { type: 'judging'; surveyId: string | null }
  | { type: 'judged'; verdict: SafeDocument | null }
  | { type: 'placing'; placing: Placing | null }

export const initialCopies: CopiesState = { copies: [], judging: null, verdict: null, placing: null }

export function reduceCopies(state: CopiesState, action: CopiesAction): CopiesState {
  switch (action.type) {
    case 'copies':
      return { ...state, copies: action.copies }
    case 'judging':
      return { ...state, judging: action.surveyId, verdict: null }
    case 'judged':
      return { ...state, judging: null, verdict: action.verdict }
    case 'placing':
      return { ...state, placing: action.placing }
  }
}

/** Those of these sets, by the IDs of their plans or sets; all where none are given. */
export function ofSets<Row extends Pick<VolumeCopy, 'planId' | 'setId'>>(
  all: readonly Row[],
  sets: ReadonlySet<string> | undefined,
): readonly Row[] {
  return sets === undefined ? all : all.filter(({ planId, setId }) => sets.has(planId ?? setId ?? ''))
}

/** The volumes that are to be checked, with what is known of the copy that each is. */
export function copyRows(volumes: readonly VolumeDue[], copies: readonly VolumeCopy[]): CopyRow[] {
  const known = new Map(copies.map((copy) => [copyKey(copy), copy]))
  return volumes.map((volume) => ({ ...volume, known: known.get(copyKey(volume)) ?? null }))
}

/** Copies that are not to be checked: they are lost, or a person only noted them. */
export function furtherRows(volumes: readonly VolumeDue[], copies: readonly VolumeCopy[]): CopyRow[] {
  const listed = new Set(volumes.map(copyKey))
  return copies
    .filter((copy) => (copy.copy > 0 || copy.state === 'lost') && !listed.has(copyKey(copy)))
    .map((known) => {
      const { planId, setId, volume, label, copy, writtenWallMs } = known
      const volumeOf = { planId, setId, volume, label, copy, madeWallMs: writtenWallMs }
      return { ...volumeOf, last: null, checkByWallMs: writtenWallMs ?? 0, known }
    })
}

/**
 * One row for copies of several volumes that look alike, where the first of them was; others stay
 * as they are.
 * @param looksOf everything that is shown of a copy but its volume
 */
export function alikeRows(rows: readonly CopyRow[], looksOf: (row: CopyRow) => string): CopyRow[] {
  const groups = new Map<string, CopyRow[]>()
  for (const row of rows) {
    const looks = looksOf(row)
    const known = groups.get(looks)
    if (known) known.push(row)
    else groups.set(looks, [row])
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [CopyRow, ...CopyRow[]]
    return group.length === 1 ? first : { ...first, labels: group.map(({ label }) => label) }
  })
}
