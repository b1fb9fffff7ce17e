import { changeOf, forecastOfWhole, groupsOfWhole, heldToEarlier, type PassCounts } from './carriedFigures'
import { type CutFigures, heldToBytes, type Levels, levelFigures } from './levelFigures'
import type { Excluded } from './rules/rules'
import type { LeftOut, Samples, SilentChanges, SurveyDocument, Trusted, Unread } from './surveyDocument'
import { type TypeForecasts, typeForecastsOf, withTypeForecasts } from './typeCompression'

/** The sums over a survey's entries. */
export type EntryFigures = Pick<
  SurveyDocument,
  'totals' | 'types' | 'sizeHistogram' | 'tinyFiles' | 'duplicateFiles' | 'skipped'
>

/**
 * Forecasts of codecs and of archives; those that are missing were not asked for or are not known
 * yet.
 */
export type SurveyForecasts = Partial<
  Pick<SurveyDocument, 'compression' | 'combined' | 'solid' | 'grouped' | 'fragments'> & {
    readonly types: TypeForecasts
  }
>

/**
 * The parts of a survey's document. Each part is known at a time of its own; a later one replaces
 * it.
 */
export interface SurveyParts {
  readonly about: Pick<
    SurveyDocument,
    'id' | 'createdWallMs' | 'roots' | 'project' | 'rules' | 'sha256' | 'notTrusted' | 'dat'
  > & {
    readonly samples: Samples
  }
  /** The survey whose unchanged files are not read again. */
  readonly earlier: SurveyDocument | null
  readonly counts: PassCounts
  readonly entries: EntryFigures
  readonly cuts: CutFigures
  readonly forecasts: SurveyForecasts
  /** Where forecasts of codecs come from, when some files were unchanged. */
  readonly forecastsFrom: Trusted['forecasts']
  readonly timing: SurveyDocument['timing']
  /** True until the pass has seen everything. */
  readonly partial: boolean
  /**
   * Stowage's own folders, which were not surveyed, and other sets of Stowage, which were; in the
   * order of their paths.
   */
  readonly folders: { readonly leftOut: readonly LeftOut[]; readonly otherSets: readonly string[] }
  /** The files and folders that rules left out; null for none. */
  readonly excluded: Excluded | null
  /** Looked for once every file was read. */
  readonly silentChanges?: SilentChanges
  /** Files that the pass has found and not read yet; of a whole survey it is not stored. */
  readonly unread: Unread
  /**
   * True while forecasts are being made. Until they are there the survey counts as one without
   * samples: if this process ends before, the next survey makes them.
   */
  readonly awaitsForecasts: boolean
}

/** The document of a survey, finished or not. */
export function surveyDocument(parts: SurveyParts): SurveyDocument {
  const { about, entries, cuts, forecasts, timing, partial, folders } = parts
  const { grouped, fragments } = forecasts
  return {
    schema: 'stowage.survey/1',
    id: about.id,
    createdWallMs: about.createdWallMs,
    roots: [...about.roots],
    ...entries,
    ...(forecasts.types && { types: withTypeForecasts(entries.types, forecasts.types) }),
    ...heldToBytes(cuts, entries.totals.bytes, partial),
    compression: forecasts.compression ?? [],
    combined: forecasts.combined ?? [],
    solid: forecasts.solid ?? [],
    ...(grouped && { grouped }),
    ...(about.dat && { dat: about.dat }),
    ...(fragments && { fragments }),
    ...(folders.leftOut.length > 0 && { leftOut: [...folders.leftOut] }),
    ...(about.project && { project: about.project }),
    ...(about.rules && { rules: about.rules }),
    ...(parts.excluded && { excluded: parts.excluded }),
    ...(parts.silentChanges && { silentChanges: parts.silentChanges }),
    ...(folders.otherSets.length > 0 && { otherSets: [...folders.otherSets] }),
    sha256: knowsEverySha256(parts),
    timing,
    partial,
    ...(partial && { unread: parts.unread }),
    samples: parts.awaitsForecasts ? 'none' : about.samples,
    trusted: trustedOf(parts),
    notTrusted: about.notTrusted,
  }
}

/** Unchanged files have the digests of the earlier survey, the others those of the pass. */
function knowsEverySha256({ about, earlier, counts: { readFiles, trustedFiles } }: SurveyParts): boolean {
  if (earlier === null || trustedFiles === 0) return about.sha256
  return earlier.sha256 && (about.sha256 || readFiles === 0)
}

/** The part taken from the earlier survey; null when everything was read. */
export function trustedOf({ earlier, counts, forecastsFrom }: SurveyParts): Trusted | null {
  if (earlier === null || counts.trustedFiles === 0) return null
  return {
    surveyId: earlier.id,
    createdWallMs: earlier.createdWallMs,
    partial: earlier.partial,
    files: counts.trustedFiles,
    bytes: counts.trustedBytes,
    forecasts: forecastsFrom,
  }
}

/** True when a survey with these samples forecasts codecs and archives. */
export function hasForecasts(samples: Samples | undefined): samples is Exclude<Samples, 'quick' | 'none'> {
  return samples !== undefined && samples !== 'quick' && samples !== 'none'
}

/**
 * True when nothing was read and nothing has gone since a whole earlier survey: its figures hold to
 * the last byte.
 */
export function isUnchanged({ earlier, counts, entries }: SurveyParts): boolean {
  return (
    earlier !== null &&
    !earlier.partial &&
    counts.readFiles === 0 &&
    counts.readBytes === 0 &&
    earlier.totals.files === entries.totals.files &&
    earlier.totals.bytes === entries.totals.bytes &&
    earlier.totals.skipped === entries.totals.skipped
  )
}

/** The parts of a survey that found everything unchanged, with the earlier one's figures. */
export function unchangedParts(parts: SurveyParts, earlier: SurveyDocument): SurveyParts {
  const { fixedBlocks, chunked, solid, grouped, fragments, combined, compression, totals } = earlier
  const isSampledAnew = parts.forecastsFrom === 'sampled'
  return {
    ...parts,
    entries: { ...parts.entries, totals: { ...parts.entries.totals, clonedBytes: totals.clonedBytes } },
    cuts: { fixedBlocks, chunked },
    forecasts: hasForecasts(parts.about.samples)
      ? {
          solid,
          grouped,
          fragments,
          ...(!isSampledAnew && { compression, combined, types: typeForecastsOf(earlier.types) }),
        }
      : {},
    forecastsFrom: isSampledAnew ? 'sampled' : 'same',
  }
}

/** A union of sketches: tables of unchanged and read files together. */
interface UnionLevels extends Levels {
  /** By level, blocks first: what is not known to have gone, before it is divided by theta. */
  readonly unattributedBytes: readonly number[]
}

/**
 * The parts with the block and chunk figures of a union. Where they are estimates, the earlier
 * survey's figures narrow them. Forecasts of one archive of everything are carried over.
 */
export function unitedParts(parts: SurveyParts, union: UnionLevels, earlier: SurveyDocument): SurveyParts {
  const change = changeOf(earlier, parts.counts)
  const { fixedBlocks, chunked } = levelFigures(union, parts.entries.duplicateFiles.bytes)
  const lowered = <F extends { exact: boolean; low: number }>(figure: F, level: number, theta: number): F => {
    const surplus = union.unattributedBytes[level] ?? 0
    if (surplus === 0) return figure
    return { ...figure, exact: false, low: Math.max(0, Math.round(figure.low - surplus / theta)) }
  }
  return {
    ...parts,
    cuts: {
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
    },
    forecasts: hasForecasts(parts.about.samples)
      ? {
          solid: earlier.solid.flatMap((row) => forecastOfWhole(row, change) ?? []),
          grouped: earlier.grouped?.flatMap((row) => groupsOfWhole(row, change) ?? []),
          fragments: earlier.fragments?.flatMap((row) => forecastOfWhole(row, change) ?? []),
        }
      : {},
  }
}
