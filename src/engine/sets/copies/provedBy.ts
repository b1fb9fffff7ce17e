import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import { isOfParity } from '../volume/lists/parityTsv'
import type { VolumeLists } from '../volume/open/volumeLists'

export type ProofCatalog = Pick<Catalog, 'plans' | 'plan' | 'events' | 'planEntries'>

/** The lists of a volume, as far as what is known of a plan can be compared with them. */
export type ProvableLists = Pick<VolumeLists, 'planId' | 'setId' | 'index' | 'number' | 'sums' | 'own'>

/** How the lists of a volume agree with what the catalog knows of its plan. */
export type Proof =
  /** They are those of a set that was made of it, or name its files with their digests. */
  | { readonly against: 'set' | 'entries' }
  /** They are not. */
  | { readonly because: string }
  /** Nothing is known that could tell. */
  | { readonly note: string | null }

/**
 * Compares the lists of a volume with what the catalog knows of its plan: the ID of its sets, else,
 * for plain files, the digest of each. A volume whose lists were changed to fit changed files
 * agrees with itself alone. A set that was packed elsewhere is not known, and nothing is where the
 * catalog cannot be read.
 */
export function provedBy(lists: ProvableLists, catalog: ProofCatalog): Proof {
  try {
    return readableProof(lists, catalog)
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'catalog-broken') throw thrown
    return { note: null }
  }
}

function readableProof(
  { planId, setId, index, number, sums, own }: ProvableLists,
  catalog: ProofCatalog,
): Proof {
  if (isOfParity(sums, own)) return { note: null }
  if (planId === null || !catalog.plans().some(({ id }) => id === planId)) return { note: UNKNOWN_PLAN }
  const sets = knownSets(planId, catalog)
  if ([setId, index?.id].some((id) => id != null && sets.has(id))) return { against: 'set' }
  const isPlain = catalog.plan(planId).packing === undefined
  if (!isPlain) return { note: UNKNOWN_SET }
  if (sets.size > 0) return { because: said`its lists are not those that were made of plan ${planId}` }
  if (index === null || number === null) return { note: UNKNOWN_SET }
  return entriesAgree(planId, { index, number }, catalog)
    ? { against: 'entries' }
    : { because: said`its lists name other files than plan ${planId} has on it` }
}

/** The sets of a plan that were built, written or verified with its folder. */
export function knownSets(planId: string, { events }: Pick<Catalog, 'events'>): ReadonlySet<string> {
  return new Set(
    events(planId).flatMap(({ kind, setId, facts }) =>
      setId !== null && (MADE.has(kind) || facts.by === 'plan') ? [setId] : [],
    ),
  )
}

const MADE: ReadonlySet<string> = new Set(['built', 'kept', 'written'])

function entriesAgree(
  planId: string,
  { index, number }: { readonly index: NonNullable<VolumeLists['index']>; readonly number: number },
  { planEntries }: Pick<Catalog, 'planEntries'>,
): boolean {
  const listed = new Map<string, string>()
  for (const row of index.rows)
    if (
      row.volume === number &&
      (row.kind === 'file' || row.kind === 'part') &&
      row.sha256 !== PENDING_SHA256
    )
      listed.set(row.path, row.sha256)
  for (const entry of planEntries(planId, number)) {
    if (entry.kind !== 'file' && entry.kind !== 'part') continue
    if (listed.get(entry.path) !== entry.sha256) return false
    listed.delete(entry.path)
  }
  return listed.size === 0
}

const UNKNOWN_PLAN =
  'the catalog does not know its plan: it was compared with its own lists alone, and counts as not verified'
const UNKNOWN_SET =
  'the catalog does not know its set: it was compared with its own lists alone, and counts as not verified'
