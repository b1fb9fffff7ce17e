import type { MeasureWarning } from './measurement'
import type { MarkedFigures } from './operationFigures'

/** A warning as data; whoever shows it has the words for the code. */
export interface Warning<Op extends string> {
  readonly code: MeasureWarning['code']
  readonly op: Op | null
  readonly figures: Readonly<Record<string, number>>
}

/**
 * Two fits that differ by more than this, beyond the range of one of them, see two kinds of
 * samples.
 */
const BIMODAL = 0.03
/** The error that the choice of pairs may add to a line before it is reported. */
const SUBSET_ERROR = 0.01
/** Fewer samples than this give ranges that are themselves hardly known. */
const FEW = 15

/** Warnings to read before believing the figures of one operation. */
export function operationWarnings<Op extends string>(op: Op, marked: MarkedFigures): Warning<Op>[] {
  const { figures, fit, isUnexplained, warmUpFactor, kinds } = marked
  const found: Warning<Op>[] = []
  const warn = (code: MeasureWarning['code'], values: Record<string, number>): void => {
    found.push({ code, op, figures: values })
  }
  const { samples, stalls, cacheSuspects, check, knee } = figures
  if (samples < FEW) warn('fewSamples', { samples })
  if (isUnexplained) warn('sizeUnexplained', { samples })
  if (warmUpFactor !== null) warn('slowFirst', { samples: figures.warmUpSamples, factor: warmUpFactor })
  if (stalls > 0) warn('stalls', { stalls, samples })
  if (cacheSuspects > 0) warn('cacheSuspected', { suspects: cacheSuspects, samples })
  if (knee) warn('knee', { ...knee })
  else if (samples >= FEW && figures.steadyFrom === null) warn('notSteady', { samples })
  if (kinds) warn('bimodal', { ...kinds })
  else if (check && fit && figures.bytesPerSecond) {
    const { value, low, high } = figures.bytesPerSecond
    const isBeyond = check.bytesPerSecond < low || check.bytesPerSecond > high
    const difference = Math.abs(check.bytesPerSecond / value - 1)
    if (isBeyond && difference > BIMODAL) warn('bimodal', { difference })
  }
  if (fit?.subsetRange) {
    const error = (fit.subsetRange.high - fit.subsetRange.low) / 2 / fit.nsPerByte
    if (error > SUBSET_ERROR) warn('subsetOfPairs', { pairs: fit.pairs, allPairs: fit.allPairs, error })
  }
  return found
}
