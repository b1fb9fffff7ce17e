import { type Estimate, exact } from '../../primitives/estimate'
import { RISKS } from './readers'
import type { Variant } from './variant'

type Needed =
  | 'name'
  | 'family'
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
export type VariantDraft = Pick<Variant, Needed> & Partial<Omit<Variant, Needed>>

/** The whole variant: one file made by one core in one read, that may be cut anywhere, without encryption of its own. */
export function variantOf(draft: VariantDraft): Variant {
  const onWindows = draft.readers.some((reader) => reader.systems.includes('windows'))
  return {
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

/** A size as it stands in permanent names: 512, 4k, 64m, 1024m. */
export function sizeName(bytes: number): string {
  const mib = 1024 * 1024
  if (bytes >= mib && bytes % mib === 0) return `${bytes / mib}m`
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024}k` : String(bytes)
}
