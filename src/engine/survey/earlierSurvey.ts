import { setImmediate } from 'node:timers/promises'
import type {
  DatGrouping,
  NotTrusted,
  Samples,
  SurveyDocument,
  SurveyedDat,
  SurveyRequest,
} from '../../contract/dto/survey'
import { blockPasses } from '../../domain/survey/blockSizes'
import { areSameRules } from '../../domain/survey/rules/rules'
import { hasForecasts } from '../../domain/survey/surveyParts'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { formerRoots } from '../archives/formerRoots'
import type { Catalog } from '../catalog/catalog'
import { createKnownFiles, type NativeKnownFiles } from '../native/addon'
import type { SketchFolder } from './sketchFolder'

/** A survey that the new one builds on. */
export interface Earlier {
  readonly document: SurveyDocument
  /** How many of its entries its sketch holds. */
  readonly entries: number
  /** Its roots in their order, each where it is now. */
  readonly roots: readonly string[]
}

/** A survey cannot build on the earlier one after all: every file has to be read. */
export class EarlierUnusable extends Error {
  readonly reason: 'damagedSketch' | 'noOrder'

  constructor(reason: EarlierUnusable['reason']) {
    super(`cannot build on the earlier survey: ${reason}`)
    this.reason = reason
  }
}

/**
 * A file that was last changed so shortly before the earlier survey began, or later, may have
 * changed again within the clock's grain without showing it (git's "racily clean" files, with two
 * seconds for file systems that count in such steps).
 */
export const RACY_NS = 2_000_000_000n
/** Entries asked of the catalog at a time: some milliseconds of work. */
const SLICE = 1_000
const DIGEST_BYTES = 16

const EFFORT: Readonly<Record<Samples, number>> = { quick: 0, none: 0, fast: 1, normal: 2, thorough: 3 }

/**
 * The survey of these roots, or of the places where they were before as sources of the request's
 * archive, that the request can build on: the newest with the same rules, else the
 * newest from which nothing was left out, else the newest; of one that was stopped half-way and the
 * whole one, the one that knows more bytes. Those with damaged documents are skipped. If there is
 * none but surveys of these roots exist: why the newest was not taken.
 * @param dats those of the request, as they were read
 */
export function findEarlier(
  catalog: Catalog,
  sketches: SketchFolder,
  roots: readonly string[],
  request: SurveyRequest,
  dats: readonly SurveyedDat[],
): { earlier: Earlier | null; notTrusted: NotTrusted | null } {
  let notTrusted: NotTrusted | null = null
  let stopped: Earlier | null = null
  let whole: Earlier | null = null
  const formerly = formerRoots(catalog, request.project)
  const before = roots.map((root) => formerly.get(root) ?? root)
  const hasMoved = before.some((root, at) => root !== roots[at])
  const known = [...catalog.earlierSurveys(roots), ...(hasMoved ? catalog.earlierSurveys(before) : [])]
  for (const { surveyId, sketchedEntries } of known) {
    const document = catalog.readableSurvey(surveyId)
    if (!document) continue
    const reason =
      reasonAgainst(document, request) ??
      (sketchedEntries === 0 || !sketches.has(surveyId) ? 'noSketch' : null) ??
      (request.order && catalog.contentOrderIds(surveyId) === null ? 'noOrder' : null) ??
      (lacksDats(document, request, dats) ? 'otherDats' : null)
    if (reason !== null) {
      notTrusted ??= { surveyId, reason }
      if (reason === 'full') break
      continue
    }
    const nowAt = (root: string): string =>
      roots.includes(root) ? root : (roots[before.indexOf(root)] ?? root)
    const found = { document, entries: sketchedEntries, roots: document.roots.map(nowAt) }
    if (document.partial) {
      if (whole === null) stopped ??= found
      continue
    }
    if (areSameRules(document.rules, request.rules)) {
      whole = found
      break
    }
    // What a rule has left out since was known before.
    if (whole === null || (whole.document.excluded && !document.excluded)) whole = found
  }
  const knowsMore = whole && (!stopped || whole.document.totals.bytes > stopped.document.totals.bytes)
  const earlier = knowsMore ? whole : stopped
  return { earlier, notTrusted: earlier === null ? notTrusted : null }
}

/** True when it has the requested codec forecasts: a survey that was stopped has none. */
export function hasForecastsFor({ document }: Earlier, samples: Samples): boolean {
  return !document.partial && document.samples !== undefined && EFFORT[document.samples] >= EFFORT[samples]
}

function reasonAgainst(document: SurveyDocument, request: SurveyRequest): NotTrusted['reason'] | null {
  if (request.full) return 'full'
  const passes = blockPasses(request.blockSizes ?? [])
  // A sketch has the blocks of powers of two; any other size needs the bytes.
  if (passes.linear.length > 0) return 'blockSizes'
  if ((document.fixedBlocks[0]?.blockSize === 512) !== passes.from512) return 'blockSizes'
  if (document.samples === undefined) return 'noSketch'
  if ((document.samples === 'quick') !== (request.samples === 'quick')) return 'chunkers'
  return lacksForecasts(document, request) ? 'samples' : null
}

/**
 * True when requested forecasts need every file to be read: those of archives and of deduplication
 * with compression. A survey that was stopped half-way has none either, but knowing what it has
 * read is worth more.
 */
function lacksForecasts(document: SurveyDocument, { samples }: SurveyRequest): boolean {
  if (!hasForecasts(samples) || document.partial || document.totals.bytes === 0) return false
  // A fast survey samples fewer record sizes.
  const isCoarser = document.samples === 'fast' && samples !== 'fast'
  return isCoarser || document.solid.length === 0 || document.combined.length === 0
}

/** True when archives by these DATs can be forecast only of files that are read. */
function lacksDats(
  document: SurveyDocument,
  { samples }: SurveyRequest,
  dats: readonly SurveyedDat[],
): boolean {
  if (dats.length === 0 || !hasForecasts(samples) || document.partial) return false
  return document.dat === undefined || !isBySameDats(document.dat, dats)
}

/** True for groups that these DATs made in the same layouts, wherever the DATs were then. */
export function isBySameDats(grouping: DatGrouping, dats: readonly SurveyedDat[]): boolean {
  const digestsOf = (all: readonly SurveyedDat[]): string[] =>
    all.map(({ sha256, member, layout }) => `${sha256} ${member} ${layout}`).toSorted()
  return digestsOf(grouping.dats).join('\0') === digestsOf(dats).join('\0')
}

/** The earlier survey's files, for the pass and for what it does not read again. */
export interface KnownFiles {
  readonly native: NativeKnownFiles
  /** How many file numbers the earlier sketch may have. */
  readonly numbers: number
  /** By file number: 16 bytes each. */
  readonly digests: Uint8Array
  /** By file number: the id of the entry. */
  readonly entryIds: Uint32Array
}

/**
 * Brings the earlier survey's files to the addon, without keeping this thread for long; 20 bytes a
 * file stay here.
 * @param roots of the new survey: those of the earlier one, in any order
 * @throws AppError `cancelled`
 */
export async function loadKnownFiles(
  catalog: Catalog,
  { document, entries, roots: theirs }: Earlier,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<KnownFiles> {
  const native = createKnownFiles(document.partial)
  const rootIndices = theirs.map((root) => roots.indexOf(root))
  const beforeNs = BigInt(Math.floor(document.createdWallMs)) * 1_000_000n - RACY_NS
  // Numbers are seldom more than entries, so that these seldom have to grow, which takes tens of milliseconds of a million.
  const expected = Math.max(1024, entries + 1)
  let digests = new Uint8Array(DIGEST_BYTES * expected)
  let entryIds = new Uint32Array(expected)
  let numbers = 0
  for (let from = 0; from < entries; from += SLICE) {
    const rows = catalog.fileRows(document.id, from, Math.min(entries, from + SLICE), beforeNs)
    native.add({
      device: BigUint64Array.from(rows, (row) => row.device),
      inode: BigUint64Array.from(rows, (row) => row.inode),
      bytes: Float64Array.from(rows, (row) => row.bytes),
      mtimeNs: BigInt64Array.from(rows, (row) => row.mtimeNs),
      ctimeNs: BigInt64Array.from(rows, (row) => row.ctimeNs),
      rootIndex: Uint32Array.from(rows, (row) => rootIndices[row.rootIndex] ?? 0),
      paths: rows.map((row) => row.path),
      fileNumbers: Uint32Array.from(rows, (row) => row.fileNumber),
    })
    for (const { fileNumber, digest, entryId } of rows) {
      numbers = Math.max(numbers, fileNumber + 1)
      if (numbers > entryIds.length) {
        digests = enlarged(digests, new Uint8Array(DIGEST_BYTES * 2 * numbers))
        entryIds = enlarged(entryIds, new Uint32Array(2 * numbers))
      }
      digests.set(digest, DIGEST_BYTES * fileNumber)
      entryIds[fileNumber] = entryId
    }
    await setImmediate()
    if (signal.aborted) throw new AppError('cancelled', said`the survey was cancelled`)
  }
  return { native, numbers, digests, entryIds }
}

function enlarged<A extends Uint8Array | Uint32Array>(from: A, to: A): A {
  to.set(from)
  return to
}
