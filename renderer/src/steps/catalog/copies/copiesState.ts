import type { SafeDocument, VolumeCopy } from '../../../../../src/contract/dto/copies'

export interface CopiesState {
  readonly copies: readonly VolumeCopy[]
  /** The survey whose source is being judged. */
  readonly judging: string | null
  /** The last verdict that was asked for. */
  readonly verdict: SafeDocument | null
}

export type CopiesAction =
  | { type: 'copies'; copies: readonly VolumeCopy[] }
  | { type: 'judging'; surveyId: string | null }
  | { type: 'judged'; verdict: SafeDocument | null }

export const initialCopies: CopiesState = { copies: [], judging: null, verdict: null }

export function reduceCopies(state: CopiesState, action: CopiesAction): CopiesState {
  switch (action.type) {
    case 'copies':
      return { ...state, copies: action.copies }
    case 'judging':
      return { ...state, judging: action.surveyId, verdict: null }
    case 'judged':
      return { ...state, judging: null, verdict: action.verdict }
  }
}

/** Where each copy is kept, by `copyKey`. */
export function placesOf(copies: readonly VolumeCopy[]): ReadonlyMap<string, string> {
  return new Map(copies.flatMap((copy) => (copy.place === null ? [] : [[copyKey(copy), copy.place]])))
}

/** The image or folder in the plan's folder and the first copy have one row. */
export function copyKey({
  planId,
  setId,
  volume,
  copy,
}: Pick<VolumeCopy, 'planId' | 'setId' | 'volume' | 'copy'>): string {
  return `${planId ?? setId} ${volume} ${Math.max(1, copy)}`
}
