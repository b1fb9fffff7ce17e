import { describe, expect, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../../../../src/contract/dto/plan'
import {
  type ProofCatalog,
  type ProvableLists,
  provedBy,
} from '../../../../../src/engine/sets/copies/provedBy'
import { PENDING_SHA256 } from '../../../../../src/engine/sets/volume/lists/indexTsv'
import type { IndexRow } from '../../../../../src/engine/sets/volume/lists/setIndex'
import { AppError } from '../../../../../src/primitives/appError'
import { planDocument } from '../../../../support/catalogPlan'

const SHA256 = 'ab'.repeat(32)
const OTHER_SHA256 = 'cd'.repeat(32)
const UNKNOWN_SET = { note: expect.stringContaining('does not know its set') }

const entry = (path: string): PlanEntry => ({
  kind: 'file',
  path,
  source: `/s/${path}`,
  bytes: 5,
  sha256: SHA256,
})
const LINK: PlanEntry = { kind: 'symlink', path: 'link', source: '/s/link', target: 'a' }

/** A catalog with plan `p`, whose first volume has these entries; `made` are its known sets. */
function catalogOf(
  entries: readonly PlanEntry[],
  { plan = {}, made = [] }: { plan?: Partial<PlanDocument>; made?: readonly string[] } = {},
): ProofCatalog {
  return {
    plans: () => [{ id: 'p' }],
    plan: () => ({ ...planDocument('p', 's', 1), ...plan }),
    events: () => made.map((setId) => ({ kind: 'built', setId, facts: {} })),
    planEntries: () => entries,
  } as unknown as ProofCatalog
}

const row = (path: string, facts: object = {}) =>
  ({ kind: 'file', volume: 1, path, sha256: SHA256, ...facts }) as unknown as IndexRow

/** The lists of volume 1 of plan `p`. */
function listsOf(rows: readonly IndexRow[], facts: Partial<ProvableLists> = {}): ProvableLists {
  const index = { id: 'set', rows, unreadable: [], volumes: [] }
  return { planId: 'p', setId: null, index, number: 1, sums: null, own: '_stowage', ...facts }
}

describe('the lists of a volume agree with a plan of plain files', () => {
  const agree = { against: 'entries' }
  const differ = { because: 'its lists name other files than plan p has on it' }

  test('where they name its files with their digests', () => {
    const rows = [
      row('a'),
      row('b'),
      row('c', { volume: 2 }),
      row('link', { kind: 'symlink', sha256: undefined }),
    ]
    expect(provedBy(listsOf(rows), catalogOf([entry('a'), entry('b'), LINK]))).toEqual(agree)
  })

  test('where an index names a further file without its digest', () => {
    const rows = [row('a'), row('b', { sha256: PENDING_SHA256 })]
    expect(provedBy(listsOf(rows), catalogOf([entry('a')]))).toEqual(agree)
  })

  test('not where a digest differs, a file is missing or one is too many', () => {
    const catalog = catalogOf([entry('a'), entry('b')])
    expect(provedBy(listsOf([row('a'), row('b', { sha256: OTHER_SHA256 })]), catalog)).toEqual(differ)
    expect(provedBy(listsOf([row('a')]), catalog)).toEqual(differ)
    expect(provedBy(listsOf([row('a'), row('b'), row('c')]), catalog)).toEqual(differ)
  })

  test('not where a part differs', () => {
    const part = { ...entry('a'), kind: 'part', offset: 0, part: 1, parts: 2 } as unknown as PlanEntry
    const rowOf = (sha256: string) => row('a', { kind: 'part', sha256 })
    expect(provedBy(listsOf([rowOf(SHA256)]), catalogOf([part]))).toEqual(agree)
    expect(provedBy(listsOf([rowOf(OTHER_SHA256)]), catalogOf([part]))).toEqual(differ)
  })

  test('not where other sets of it were made', () => {
    expect(provedBy(listsOf([row('a')]), catalogOf([entry('a')], { made: ['other'] }))).toEqual({
      because: 'its lists are not those that were made of plan p',
    })
  })
})

describe('the lists of a volume', () => {
  test('are proved by a set that was made, by its index or by its checksums', () => {
    const catalog = catalogOf([], { made: ['set'] })
    expect(provedBy(listsOf([]), catalog)).toEqual({ against: 'set' })
    expect(provedBy(listsOf([], { index: null, setId: 'set' }), catalog)).toEqual({ against: 'set' })
  })

  test('are not judged where neither plan nor set is known', () => {
    const unknownPlan = { note: expect.stringContaining('does not know its plan') }
    expect(provedBy(listsOf([], { planId: null }), catalogOf([]))).toEqual(unknownPlan)
    expect(provedBy(listsOf([], { planId: 'q' }), catalogOf([]))).toEqual(unknownPlan)
    expect(provedBy(listsOf([], { index: null }), catalogOf([]))).toEqual(UNKNOWN_SET)
    expect(provedBy(listsOf([], { number: null }), catalogOf([]))).toEqual(UNKNOWN_SET)
  })

  test('are not judged by the files of a packed plan', () => {
    const plan = { packing: {} } as unknown as Partial<PlanDocument>
    const packed = catalogOf([entry('a')], { plan, made: ['other'] })
    expect(provedBy(listsOf([row('a')]), packed)).toEqual(UNKNOWN_SET)
  })

  test('are not judged where the catalog cannot be read, and other errors are thrown on', () => {
    const failing = (code: 'catalog-broken' | 'internal') => ({
      ...catalogOf([]),
      plans: () => {
        throw new AppError(code, 'broken')
      },
    })
    expect(provedBy(listsOf([]), failing('catalog-broken'))).toEqual({ note: null })
    expect(() => provedBy(listsOf([]), failing('internal'))).toThrow('broken')
  })
})
