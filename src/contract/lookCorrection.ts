import { formatCount, formatSize, formatSizeRange, type Units } from '../primitives/quantity'
import type { LookedFigure } from './dto/look'

/** More are counted: figures of several codecs are wrong together. */
export const MOST_CORRECTIONS = 3

/** A preliminary figure that a survey does not confirm, and the survey's, as they are shown. */
interface Correction {
  readonly figure: LookedFigure['figure']
  /** A count, a size, or the range of a size: `140–152 GB`. */
  readonly was: string
  readonly found: string
}

/** The figures outside the look's range, as far as that shows in the digits of a size. */
export function correctionsOf(figures: readonly LookedFigure[], units: Units): Correction[] {
  return figures.flatMap(({ figure, low, high, found, isWithin }): Correction[] => {
    if (isWithin) return []
    if (figure.kind === 'count' && figure.of !== 'bytes')
      return [{ figure, was: formatCount(low), found: formatCount(found) }]
    const largest = Math.max(found, high)
    const [from = '', to = ''] = formatSizeRange(largest, low, high, units).split('–')
    const [shown] = formatSizeRange(largest, found, high, units).split('–')
    if (shown === from || shown === to) return []
    const unit = formatSize(largest, units).split(/\s/).at(-1) ?? ''
    return [
      {
        figure,
        was: `${from === to ? from : `${from}–${to}`}\u00a0${unit}`,
        found: formatSize(found, units),
      },
    ]
  })
}
