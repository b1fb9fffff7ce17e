import type { LookedFigure } from '../../contract/dto/look'
import { formatCount } from '../../primitives/quantity'
import { formatSize, formatSizeRange } from '../shape/sizes'

/** More are counted: figures of several codecs are wrong together. */
const MOST_LINES = 3

/**
 * A line for each preliminary figure in whose range the survey's figure does not lie, as far as
 * that shows in the digits of a size.
 */
export function correctionLines(figures: readonly LookedFigure[]): string[] {
  const texts = figures.flatMap((one) => (one.isWithin ? [] : (correctionText(one) ?? [])))
  const more = texts.length - MOST_LINES
  if (more <= 0) return texts
  const others = more === 1 ? '1 more figure lies' : `${formatCount(more)} more figures lie`
  return [...texts.slice(0, MOST_LINES), `${others} outside the range of the preliminary estimate.`]
}

function correctionText({ figure, low, high, found }: LookedFigure): string | null {
  if (figure.kind === 'count' && figure.of !== 'bytes')
    return `The preliminary count was ${formatCount(low)} ${NAMES[figure.of]}; the survey says ${formatCount(found)}.`
  const largest = Math.max(found, high)
  const [from = '', to = ''] = formatSizeRange(largest, low, high).split('–')
  const [shown] = formatSizeRange(largest, found, high).split('–')
  if (shown === from || shown === to) return null
  const unit = formatSize(largest).split(' ').at(-1) ?? ''
  const range = from === to ? from : `${from} to ${to}`
  const of = figure.kind === 'codec' ? figure.codec : figure.kind === 'count' ? 'the size' : 'identical files'
  return `The preliminary estimate of ${of} was ${range}\u00a0${unit}; the survey says ${formatSize(found)}.`
}

const NAMES = {
  files: 'files',
  folders: 'folders',
  symlinks: 'symbolic links',
  hardLinks: 'hard links',
} as const
