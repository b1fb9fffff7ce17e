import type { Chunked, FixedBlock, SurveyDocument } from '../../contract/dto/survey'
import { chunkFigures } from '../../domain/chunking/chunkFigures'
import type { StratumTotal } from '../../domain/compression/strata'
import { strataTable } from '../../domain/compression/strataTable'
import { blockFigures } from '../../domain/survey/blockFigures'
import { type DistinctContents, duplicateTally } from '../../domain/survey/duplicateTally'
import { sizeHistogram } from '../../domain/survey/sizeHistogram'
import { typeTable } from '../../domain/survey/typeTable'
import {
  type EntryBatch,
  entryPath,
  NATIVE_KIND,
  type NativeBlockLevel,
  type NativeChunkLevel,
} from '../native/addon'
import type { DedupTotals } from './codecSamplesTogether'

/** How many skipped things the survey's document itself lists; the catalog has them all. */
const LISTED_SKIPS = 1000
/** Rows of the type table before the rest is summed up. */
const TYPE_ROWS = 200

export type Figures = Pick<
  SurveyDocument,
  'totals' | 'types' | 'sizeHistogram' | 'duplicateFiles' | 'skipped'
>

/** Adds up a survey's entries as they come. Memory grows only with the number of types and of different digests. */
export interface SurveyFigures {
  add(batch: EntryBatch): void
  figures(): Figures
  /** Different contents of the files shorter than a power of two. */
  distinctBelow(below: number): DistinctContents
  /** Totals by stratum, for forecasting codecs. */
  strata(): StratumTotal[]
}

/** Figures of nothing yet; `roots` are the survey's own, for the paths of what was skipped. */
export function surveyFigures(roots: readonly string[]): SurveyFigures {
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
    skipped: 0,
  }
  const skipped: SurveyDocument['skipped'] = []
  const types = typeTable()
  const sizes = sizeHistogram()
  const duplicates = duplicateTally()
  const strata = strataTable()

  const addFile = (batch: EntryBatch, index: number, pathStart: number): void => {
    const bytes = batch.bytes[index] ?? 0
    const allocatedBytes = batch.allocatedBytes[index] ?? 0
    totals.files += 1
    totals.bytes += bytes
    totals.allocatedBytes += allocatedBytes
    totals.sparseBytes += Math.max(0, bytes - allocatedBytes)
    totals.slackBytes += Math.max(0, allocatedBytes - bytes)
    if (bytes === 0) totals.emptyFiles += 1
    const path = batch.pathBytes.subarray(pathStart, batch.pathEnds[index])
    types.add(path, bytes)
    sizes.add(bytes)
    strata.add(path, bytes)
    if (bytes > 0) duplicates.add(batch.digests.subarray(index * 16, index * 16 + 16), bytes)
  }

  return {
    add(batch) {
      let pathStart = 0
      for (let index = 0; index < batch.count; index++) {
        const kind = batch.kinds[index]
        if (kind === NATIVE_KIND.file) addFile(batch, index, pathStart)
        else if (kind === NATIVE_KIND.folder) totals.folders += 1
        else if (kind === NATIVE_KIND.symlink) totals.symlinks += 1
        else if (kind === NATIVE_KIND.hardLink) totals.hardLinks += 1
        else totals.skipped += 1
        pathStart = batch.pathEnds[index] ?? 0
      }
      for (const [index, skip] of batch.skips) {
        if (skipped.length >= LISTED_SKIPS) break
        skipped.push({ path: absolutePath(batch, index, roots), ...skip })
      }
    },
    distinctBelow: (below) => duplicates.distinctBelow(below),
    strata: () => strata.totals(),
    figures: () => ({
      totals: { ...totals },
      types: types.rows(TYPE_ROWS),
      sizeHistogram: sizes.bins(),
      duplicateFiles: duplicates.figures(),
      skipped: [...skipped],
    }),
  }
}

/** The absolute path of a batch's entry. */
export function absolutePath(batch: EntryBatch, index: number, roots: readonly string[]): string {
  const below = entryPath(batch, index)
  const root = roots[batch.rootIndex[index] ?? 0] ?? ''
  return below === '' ? root : `${root.replace(/\/$/, '')}/${below}`
}

/** The addon's chunkers as the document's figures. */
export function chunked(levels: readonly NativeChunkLevel[], duplicateFileBytes: number): Chunked[] {
  return levels.map((level) => chunkFigures(level, duplicateFileBytes))
}

/** What the pass counted of repeats, for forecasts that need it. */
export function dedupTotals({
  totals,
  fixedBlocks: blocks,
  duplicateFiles,
}: Pick<SurveyDocument, 'totals' | 'fixedBlocks' | 'duplicateFiles'>): DedupTotals {
  const { groups, files, bytes } = duplicateFiles
  return {
    bytes: totals.bytes,
    files: totals.files,
    blocks,
    duplicates: { files: files - groups, bytes },
  }
}

/** The addon's levels of the pass that told all the files of `figures` as the document's figures. */
export function fixedBlocks(
  levels: readonly NativeBlockLevel[],
  figures: Pick<SurveyFigures, 'distinctBelow'>,
): FixedBlock[] {
  return levels.map((level) => blockFigures(level, figures.distinctBelow(level.blockSize)))
}
