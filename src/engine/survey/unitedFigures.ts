import type { SurveyDocument } from '../../contract/dto/survey'
import {
  type Change,
  forecastOfWhole,
  groupsOfWhole,
  heldToEarlier,
} from '../../domain/survey/carriedFigures'
import { sampleLevel } from '../forecast/codecs/codecPhase'
import type { NativeUnion } from '../native/sketches'
import { levelFigures } from './surveyFigures'
import type { TrustLedger } from './trustLedger'

type Counts = ReturnType<TrustLedger['counts']>

/** How a survey differs from the one that it trusted. */
export function changeOf(
  earlier: SurveyDocument,
  { readBytes, readFiles, trustedBytes, trustedFiles }: Counts,
): Change {
  return {
    goneBytes: Math.max(0, earlier.totals.bytes - trustedBytes),
    goneFiles: Math.max(0, earlier.totals.files - trustedFiles),
    readBytes,
    readFiles,
    earlierBytes: earlier.totals.bytes,
    earlierFiles: earlier.totals.files,
    bytes: trustedBytes + readBytes,
  }
}

/** Whether nothing was read and nothing has gone since a whole survey: its figures hold to the last byte. */
export function isUnchanged(earlier: SurveyDocument, known: SurveyDocument, counts: Counts): boolean {
  return (
    !earlier.partial &&
    counts.readFiles === 0 &&
    counts.readBytes === 0 &&
    earlier.totals.files === known.totals.files &&
    earlier.totals.bytes === known.totals.bytes &&
    earlier.totals.skipped === known.totals.skipped
  )
}

/**
 * The document with the block and chunk figures of a union of sketches, which know trusted and read files together. Where
 * they are estimates, the earlier survey's figures narrow them. Forecasts of one archive of everything are carried over.
 */
export function unitedFigures(
  document: SurveyDocument,
  union: NativeUnion,
  earlier: SurveyDocument,
  counts: Counts,
): SurveyDocument {
  const { fixedBlocks, chunked } = levelFigures(union, document.duplicateFiles.bytes)
  const change = changeOf(earlier, counts)
  /** What could not be told to have gone is too much by at most this. */
  const lowered = <F extends { exact: boolean; low: number }>(figure: F, level: number, theta: number): F => {
    const surplus = union.unattributedBytes[level] ?? 0
    if (surplus === 0) return figure
    return { ...figure, exact: false, low: Math.max(0, Math.round(figure.low - surplus / theta)) }
  }
  const isAsked = document.samples !== undefined && sampleLevel(document.samples) !== null
  return {
    ...document,
    solid: isAsked ? earlier.solid.flatMap((row) => forecastOfWhole(row, change) ?? []) : [],
    ...(isAsked &&
      earlier.grouped && { grouped: earlier.grouped.flatMap((row) => groupsOfWhole(row, change) ?? []) }),
    ...(isAsked &&
      earlier.fragments && {
        fragments: earlier.fragments.flatMap((row) => forecastOfWhole(row, change) ?? []),
      }),
    fixedBlocks: fixedBlocks.map((figure, level) =>
      heldToEarlier(
        lowered(figure, level, union.blockLevels[level]?.theta ?? 1),
        earlier.fixedBlocks.find((one) => one.blockSize === figure.blockSize),
        change,
      ),
    ),
    chunked: chunked.map((figure, index) =>
      heldToEarlier(
        lowered(figure, fixedBlocks.length + index, union.chunkLevels[index]?.theta ?? 1),
        earlier.chunked.find((one) => one.chunker === figure.chunker),
        change,
      ),
    ),
  }
}

/**
 * The document of a survey since whose earlier one nothing has changed: the figures are that one's, to the last byte.
 * @param hasForecasts whether the earlier survey's forecasts of codecs are what was asked for
 */
export function asBefore(
  document: SurveyDocument,
  earlier: SurveyDocument,
  hasForecasts: boolean,
): SurveyDocument {
  const { fixedBlocks, chunked, solid, grouped, fragments, combined, compression, totals } = earlier
  const isAsked = document.samples !== undefined && sampleLevel(document.samples) !== null
  const isSame = isAsked && hasForecasts
  return {
    ...document,
    totals: { ...document.totals, clonedBytes: totals.clonedBytes },
    fixedBlocks,
    chunked,
    solid: isAsked ? solid : [],
    ...(isAsked && grouped && { grouped }),
    ...(isAsked && fragments && { fragments }),
    compression: isSame ? compression : [],
    combined: isSame ? combined : [],
    trusted: document.trusted && { ...document.trusted, forecasts: hasForecasts ? 'same' : 'sampled' },
  }
}
