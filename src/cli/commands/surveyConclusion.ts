import type { GroupedBy, SurveyDocument } from '../../contract/dto/survey'
import { recordsOf } from '../../contract/tables/surveyTables'
import { smallestOf, WORTHWHILE } from '../../domain/survey/smallestForecast'
import { unreadText } from '../../domain/survey/unreadText'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBlockSize, formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { formatSize, formatSizeRange } from '../shape/sizes'

/**
 * One way to store the source, with the size that it leaves; `low` and `high` are the same where it
 * is exact.
 */
export interface Stored {
  readonly how: string
  readonly bytes: number
  readonly low: number
  readonly high: number
}

const GROUP: Readonly<Record<GroupedBy, string>> = {
  titles: 'title',
  groups: 'group that shares data',
  dat: 'parent with its clones',
  sets: 'ROM set',
}

/** The smallest of each kind of saving; null where the survey has no forecast of the kind. */
interface Smallest {
  readonly blocks: Stored | null
  readonly chunks: Stored | null
  readonly files: Stored | null
  readonly together: Stored | null
  readonly solid: Stored | null
  readonly groups: Stored | null
}

export function smallestOfEach(document: SurveyDocument): Smallest {
  return {
    blocks: least(
      document.fixedBlocks.map((row) => ({
        how: `blocks of ${formatBlockSize(row.blockSize)}, each stored once`,
        bytes: row.uniqueBytes,
        low: row.exact ? row.uniqueBytes : row.low,
        high: row.exact ? row.uniqueBytes : row.high,
      })),
    ),
    chunks: least(
      document.chunked.map((row) => ({
        how: `chunks of ${row.chunker}, each stored once`,
        bytes: row.uniqueBytes,
        low: row.low,
        high: row.high,
      })),
    ),
    files: least(
      document.compression.map((row) => predicted(`${recordsOf(row)} compressed, ${row.codec}`, row)),
    ),
    together: least(
      document.combined.map((row) =>
        predicted(
          `${row.method === 'zfs' ? 'ZFS, deduplicated' : 'deduplicated'}, ${recordsOf(row)}, ${row.codec}`,
          row,
        ),
      ),
    ),
    solid: least(
      document.solid.map((row) =>
        predicted(
          `one solid archive, ${row.codec}, ${formatBlockSize(row.dictionaryBytes)}, by ${row.order}`,
          row,
        ),
      ),
    ),
    groups: least(
      (document.grouped ?? []).map((row) =>
        predicted(`an archive for each ${GROUP[row.by]}, ${row.codec}`, row),
      ),
    ),
  }
}

function predicted(
  how: string,
  {
    predictedBytes,
    low,
    high,
  }: { readonly predictedBytes: number; readonly low: number; readonly high: number },
): Stored {
  return { how, bytes: predictedBytes, low, high }
}

function least(rows: readonly (Stored | null)[]): Stored | null {
  return smallestOf(rows.filter((row) => row !== null))
}

/**
 * The contents, and the best savings by deduplication and compression: the first thing that a
 * survey prints.
 */
export function surveyConclusion(document: SurveyDocument): string {
  const { totals, roots, partial } = document
  const place = roots.map(pathForDisplay).join(', ')
  const incomplete = [
    ...(totals.skipped > 0 ? [`${formatCounted(totals.skipped, 'path')} could not be read`] : []),
    ...(partial ? [stoppedText(document)] : []),
  ]
  const complete = incomplete.length === 0 ? '' : ` INCOMPLETE: ${incomplete.join(', ')}.`
  if (totals.files === 0) return `${place} holds no files, so there is nothing to store.${complete}`
  const holds = `${place} holds ${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)}.`
  if (totals.bytes === 0) return `${holds} All are empty, so there is nothing to save.${complete}`
  return `${holds}${complete} ${savings(document)}`
}

/** `the survey was stopped early, at least 3 files (1 MB) were not read`. */
function stoppedText(document: SurveyDocument): string {
  const unread = unreadText(document)
  return `the survey was stopped early${unread === null ? '' : `, ${unread}`}`
}

function savings(document: SurveyDocument): string {
  const { bytes } = document.totals
  const smallest = smallestOfEach(document)
  const without = least([smallest.blocks, smallest.chunks])
  const compressed = smallest.files
  const both = least([smallest.together, smallest.solid, smallest.groups])
  const most = bytes - (least([without, compressed, both])?.bytes ?? bytes)
  if (compressed === null && both === null) {
    const saved = without === null ? 'is not known' : `saves at best ${saving(without, bytes)}`
    return `Deduplication ${saved}; compression was not sampled.`
  }
  if (most < WORTHWHILE * bytes) {
    return 'Neither deduplication nor compression saves 1 %: store the files as they are.'
  }
  const parts = [
    ...(without === null ? [] : [`deduplication saves ${saving(without, bytes)}`]),
    ...(compressed === null ? [] : [`compression ${saving(compressed, bytes)}`]),
    ...(both === null ? [] : [`both together ${saving(both, bytes)}`]),
  ]
  return `At best ${parts.join(', ')}.`
}

/** `28.5 MB (25.6–31.5; 40.8 %)`; a saving is never negative. */
function saving(stored: Stored, whole: number): string {
  const saved = Math.max(0, whole - stored.bytes)
  const share = formatShare(saved / whole)
  if (stored.low === stored.high) return `${formatSize(saved)} (${share})`
  const [low, high] = [Math.max(0, whole - stored.high), Math.max(0, whole - stored.low)]
  const range = saved === 0 ? `0–${formatSize(high)}` : formatSizeRange(saved, low, high)
  return `${formatSize(saved)} (${range}; ${share})`
}

/** `3 groups of identical files`. */
export function duplicatesText({ duplicateFiles }: SurveyDocument): string {
  if (duplicateFiles.groups === 0) return 'no identical files'
  const groups = formatCount(duplicateFiles.groups)
  return `${groups} ${duplicateFiles.groups === 1 ? 'group' : 'groups'} of identical files (${formatSize(duplicateFiles.bytes)} stored again)`
}
