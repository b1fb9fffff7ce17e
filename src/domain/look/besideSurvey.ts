import type { SurveyDocument } from '../survey/surveyDocument'
import type { LookDocument } from './lookDocument'

/** Figures that names alone give; `bytes` is a size. */
const COUNTED = ['files', 'folders', 'symlinks', 'hardLinks', 'bytes'] as const

/** A figure that a look and a survey of the same source both know: a count, or a size in bytes. */
export interface LookedFigure {
  readonly figure:
    | { readonly kind: 'count'; readonly of: (typeof COUNTED)[number] }
    /** The size of all files, each compressed by itself. */
    | { readonly kind: 'codec'; readonly codec: string }
    /** The bytes that storing identical files once saves. */
    | { readonly kind: 'identical' }
  /** The range of the look; both ends are the same where it counted. */
  readonly low: number
  readonly high: number
  /** The survey's figure. */
  readonly found: number
  /** True where the survey's figure lies in the range. */
  readonly isWithin: boolean
}

/**
 * The figures of a look beside those of a survey of the same source: counts, identical files, then
 * codecs in the survey's order. What only one of them knows is left out. None where the survey did
 * not read everything: its figures are those of a part.
 */
export function lookBesideSurvey(
  look: Pick<LookDocument, 'totals' | 'compression' | 'identical'>,
  survey: Pick<SurveyDocument, 'totals' | 'compression' | 'duplicateFiles' | 'partial'>,
): LookedFigure[] {
  if (survey.partial) return []
  const counts = COUNTED.map((of) => {
    const counted = look.totals[of]
    return beside({ kind: 'count', of }, { low: counted, high: counted }, survey.totals[of])
  })
  const codecs = survey.compression.flatMap(({ codec, recordSize, predictedBytes }) => {
    const looked = look.compression.find((row) => row.codec === codec && row.recordSize === null)
    return recordSize === null && looked ? [beside({ kind: 'codec', codec }, looked, predictedBytes)] : []
  })
  const identical = look.identical
    ? [beside({ kind: 'identical' }, look.identical.saved, survey.duplicateFiles.bytes)]
    : []
  return [...counts, ...identical, ...codecs]
}

function beside(
  figure: LookedFigure['figure'],
  { low, high }: { readonly low: number; readonly high: number },
  found: number,
): LookedFigure {
  return { figure, low, high, found, isWithin: low <= found && found <= high }
}
