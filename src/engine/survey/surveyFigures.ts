import type { SurveyDocument, SurveyLive } from '../../contract/dto/survey'
import type { StratumTotal } from '../../domain/statistics/strata'
import type { DigestNumbers } from '../../domain/survey/digestNumbers'
import { type DistinctContents, duplicateTally } from '../../domain/survey/duplicateTally'
import { sizeHistogram } from '../../domain/survey/sizeHistogram'
import { strataTable } from '../../domain/survey/strataTable'
import type { TypeRow } from '../../domain/survey/surveyDocument'
import type { EntryFigures } from '../../domain/survey/surveyParts'
import { tinyFilesTable } from '../../domain/survey/tinyFiles'
import type { TypeTotal } from '../../domain/survey/typeCompression'
import { typeTable } from '../../domain/survey/typeTable'
import type { AppErrorCode } from '../../primitives/appError'
import type { DedupTotals } from '../forecast/codecs/codecSamplesTogether'
import { type EntryBatch, entryPath, NATIVE_KIND, NO_FILE_NUMBER } from '../native/addon'
import type { CarryOver } from './carryOver'

/** How many skipped things the survey's document itself lists; the catalog has them all. */
const LISTED_SKIPS = 1000
const DIGEST_BYTES = 16
/** Rows of the type table before the rest is summed up. */
const TYPE_ROWS = 200

/**
 * Adds up a survey's entries as they come. Memory grows only with the number of types and of
 * different digests.
 */
export interface SurveyFigures {
  /**
   * The batch's entries `from` (included) to `to`; the ledger knows the digests of files that an
   * incremental survey did not read.
   */
  add(batch: EntryBatch, from: number, to: number, ledger?: Pick<CarryOver, 'digestOf'>): void
  figures(): EntryFigures
  /** Different contents of the files shorter than a power of two. */
  distinctBelow(below: number): DistinctContents
  /**
   * Totals by stratum, for forecasting codecs: of all files, or only of those that were read and
   * not trusted.
   */
  strata(of: 'all' | 'read'): StratumTotal[]
  /** The types that the document lists by name: of all files, or of those that were read. */
  types(of: 'all' | 'read'): TypeTotal[]
  /** The bytes of each type that were not read. */
  keptTypes(): ReadonlyMap<string, number>
}

/**
 * Figures of nothing yet; `roots` are the survey's own, for the paths of what was skipped;
 * `digests` may be others' as well. Without `withStrata` those stay empty, and without `areRead`
 * nothing is known of identical files, and tiny ones are not counted.
 */
export function surveyFigures(
  roots: readonly string[],
  {
    digests,
    withStrata = true,
    areRead = true,
  }: { digests?: DigestNumbers; withStrata?: boolean; areRead?: boolean } = {},
): SurveyFigures {
  const totals = {
    files: 0,
    folders: 0,
    bytes: 0,
    allocatedBytes: 0,
    symlinks: 0,
    hardLinks: 0,
    hardLinkedBytes: 0,
    sparseBytes: 0,
    slackBytes: 0,
    clonedBytes: null as number | null,
    emptyFiles: 0,
    largestFileBytes: 0,
    pathBytes: 0,
    skipped: 0,
    special: 0,
  }
  const skipped: SurveyDocument['skipped'] = []
  const types = typeTable()
  const sizes = sizeHistogram()
  const duplicates = duplicateTally(digests)
  const kept = typeTable()
  const tiny = tinyFilesTable(roots)
  const strata = { all: strataTable(), read: strataTable() }

  // Made for millions of calls: nothing is allocated of a file that was read, unless strata are wanted.
  const addFile = (
    batch: EntryBatch,
    index: number,
    pathStart: number,
    ledger: Pick<CarryOver, 'digestOf'> | undefined,
  ): void => {
    const bytes = batch.bytes[index] ?? 0
    const allocatedBytes = batch.allocatedBytes[index] ?? 0
    totals.files += 1
    totals.bytes += bytes
    totals.allocatedBytes += allocatedBytes
    totals.sparseBytes += Math.max(0, bytes - allocatedBytes)
    totals.slackBytes += Math.max(0, allocatedBytes - bytes)
    if (bytes === 0) totals.emptyFiles += 1
    if (bytes > totals.largestFileBytes) totals.largestFileBytes = bytes
    totals.pathBytes += (batch.pathEnds[index] ?? pathStart) - pathStart
    types.add(batch.pathBytes, bytes, pathStart, batch.pathEnds[index])
    sizes.add(bytes)
    if (areRead)
      tiny.add(
        batch.rootIndex[index] ?? 0,
        batch.pathBytes,
        bytes,
        pathStart,
        batch.pathEnds[index] ?? pathStart,
      )
    const wasRead = batch.trustedAs[index] === NO_FILE_NUMBER
    if (!wasRead) kept.add(batch.pathBytes, bytes, pathStart, batch.pathEnds[index])
    // Entries that were only listed have no digests.
    if (areRead && bytes > 0) {
      if (wasRead) duplicates.add(batch.digests, bytes, DIGEST_BYTES * index)
      else if (ledger) duplicates.add(ledger.digestOf(batch, index), bytes)
    }
    if (!withStrata) return
    const path = batch.pathBytes.subarray(pathStart, batch.pathEnds[index])
    strata.all.add(path, bytes)
    if (wasRead) strata.read.add(path, bytes)
  }

  const leave = (batch: EntryBatch, index: number): void => {
    const skip = batch.skips.get(index)
    if (skip?.code === 'special-file') totals.special += 1
    if (!skip || !isSkip(skip)) return
    totals.skipped += 1
    if (skipped.length < LISTED_SKIPS) skipped.push({ path: absolutePath(batch, index, roots), ...skip })
  }

  return {
    add(batch, from, to, ledger) {
      let pathStart = from === 0 ? 0 : (batch.pathEnds[from - 1] ?? 0)
      for (let index = from; index < to; index++) {
        const kind = batch.kinds[index]
        if (kind === NATIVE_KIND.file) addFile(batch, index, pathStart, ledger)
        else if (kind === NATIVE_KIND.folder) totals.folders += 1
        else if (kind === NATIVE_KIND.symlink) totals.symlinks += 1
        else if (kind === NATIVE_KIND.hardLink) totals.hardLinks += 1
        else leave(batch, index)
        pathStart = batch.pathEnds[index] ?? 0
      }
    },
    distinctBelow: (below) => duplicates.distinctBelow(below),
    strata: (of) => strata[of].totals(),
    types(of) {
      const all = named(types.rows(TYPE_ROWS))
      if (of === 'all') return all
      const without = new Map(named(kept.rows(Number.POSITIVE_INFINITY)).map((row) => [row.extension, row]))
      return all.flatMap(({ extension, files, bytes }) => {
        const less = without.get(extension) ?? { files: 0, bytes: 0 }
        const read = { extension, files: files - less.files, bytes: bytes - less.bytes }
        return read.files > 0 ? [read] : []
      })
    },
    keptTypes: () =>
      new Map(named(kept.rows(Number.POSITIVE_INFINITY)).map(({ extension, bytes }) => [extension, bytes])),
    figures: () => ({
      totals: { ...totals },
      types: types.rows(TYPE_ROWS),
      sizeHistogram: sizes.bins(),
      tinyFiles: tiny.figures(),
      duplicateFiles: duplicates.figures(),
      skipped: [...skipped],
    }),
  }
}

/** Without the row of the rest. */
function named(rows: readonly TypeRow[]): TypeTotal[] {
  return rows.flatMap(({ extension, files, bytes }) =>
    extension === null ? [] : [{ extension, files, bytes }],
  )
}

/**
 * True when an entry was left out because it could not be read: not a kind that is never kept
 * (pipes, sockets, devices), nor a file that was not read to its end because the survey was
 * stopped.
 */
export function isSkip({ code }: { readonly code: AppErrorCode }): boolean {
  return code !== 'special-file' && code !== 'cancelled'
}

/** The absolute path of a batch's entry. */
export function absolutePath(batch: EntryBatch, index: number, roots: readonly string[]): string {
  const below = entryPath(batch, index)
  const root = roots[batch.rootIndex[index] ?? 0] ?? ''
  return below === '' ? root : `${root.replace(/\/$/, '')}/${below}`
}

/** The figures of the files read so far, for the window: final where the document is. */
export function readFigures(of: SurveyDocument): Omit<SurveyLive, 'jobId'> {
  const { totals, types, fixedBlocks, chunked, duplicateFiles } = of
  return { totals, types, sizeHistogram: of.sizeHistogram, fixedBlocks, chunked, duplicateFiles }
}

/** The pass's counts of repeats, for forecasts that need them. */
export function dedupTotals(
  {
    totals,
    fixedBlocks: blocks,
    duplicateFiles,
  }: Pick<SurveyDocument, 'totals' | 'fixedBlocks' | 'duplicateFiles'>,
  counted: Pick<SurveyFigures, 'distinctBelow'>,
): DedupTotals {
  const { groups, files, bytes } = duplicateFiles
  return {
    bytes: totals.bytes,
    files: totals.files,
    blocks,
    duplicates: { files: files - groups, bytes },
    distinctBelow: (below) => counted.distinctBelow(below),
  }
}
