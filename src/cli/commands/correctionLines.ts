import type { LookedFigure } from '../../contract/dto/look'
import { correctionsOf, MOST_CORRECTIONS } from '../../contract/lookCorrection'
import { formatCount } from '../../primitives/quantity'
import { sizeUnits } from '../shape/sizes'

/**
 * A line for each preliminary figure in whose range the survey's figure does not lie, as far as
 * that shows in the digits of a size.
 */
export function correctionLines(figures: readonly LookedFigure[]): string[] {
  const all = correctionsOf(figures, sizeUnits())
  const more = all.length - MOST_CORRECTIONS
  const lines = all
    .slice(0, MOST_CORRECTIONS)
    .map(({ figure, was, found }) => `${estimateText(figure, was)}; the survey says ${found}.`)
  if (more <= 0) return lines
  const others = more === 1 ? '1 more figure lies' : `${formatCount(more)} more figures lie`
  return [...lines, `${others} outside the range of the preliminary estimate.`]
}

function estimateText(figure: LookedFigure['figure'], was: string): string {
  if (figure.kind === 'count' && figure.of !== 'bytes')
    return `The preliminary count was ${was} ${NAMES[figure.of]}`
  const of = figure.kind === 'codec' ? figure.codec : figure.kind === 'count' ? 'the size' : 'identical files'
  return `The preliminary estimate of ${of} was ${was.replace('–', ' to ')}`
}

const NAMES = {
  files: 'files',
  folders: 'folders',
  symlinks: 'symbolic links',
  hardLinks: 'hard links',
} as const
