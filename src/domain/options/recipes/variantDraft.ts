import { type Estimate, exact } from '../../../primitives/estimate'
import { RISKS } from './readers'
import { printRecipe } from './recipe'
import type { Variant } from './variant'

type Needed =
  | 'recipe'
  | 'title'
  | 'container'
  | 'reduction'
  | 'storedBytes'
  | 'packSeconds'
  | 'packRamBytes'
  | 'unpackSeconds'
  | 'useRamBytes'
  | 'fetchBytes'
  | 'fetchSeconds'
  | 'access'
  | 'readers'
  | 'makers'

/** A variant of which only what sets it apart is said. */
export type VariantDraft = Pick<Variant, Needed> & Partial<Omit<Variant, Needed | 'name' | 'family'>>

/**
 * The whole variant: one file made by one core in one read, that may be cut anywhere, without
 * encryption of its own.
 */
export function variantOf(draft: VariantDraft): Variant {
  const onWindows = draft.readers.some((reader) => reader.systems.includes('windows'))
  return {
    name: printRecipe(draft.recipe),
    family: draft.recipe.family,
    codec: null,
    recordBytes: null,
    dictionaryBytes: null,
    chunker: null,
    order: null,
    storedFiles: exact(1, 'one file'),
    largestPieceBytes: 0,
    packThreads: 1,
    sourceReads: 1,
    unpackThreads: 1,
    encryption: null,
    notes: [],
    ...draft,
    risks: [...(draft.risks ?? []), ...(onWindows ? [] : [RISKS.noWindows])],
  }
}

/** Nothing to be done, which is exact. */
export function none(basis: string): Estimate {
  return exact(0, basis)
}
