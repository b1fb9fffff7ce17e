import type { OptionFigure as Name, Option } from '../../../../src/contract/dto/options'
import type { Units } from '../../../../src/primitives/quantity'
import { Figure, HowDoWeKnow } from '../../components/Figure'
import { t } from '../../copy'
import { figureBasis, figureExactly, figureRange, shownQuantity } from './optionWords'

/** A figure that decides something, with its range and mark. */
export function OptionFigure({
  option,
  figure,
  label = t(`option.${figure}`),
  units,
  size = 'small',
}: {
  option: Option
  figure: Name
  label?: string
  units: Units
  size?: 'hero' | 'small'
}) {
  const estimate = option.estimate[figure]
  // The number of volumes is its range already.
  const basis = figureBasis(figure, estimate, units)
  return (
    <Figure
      size={size}
      label={label}
      quantity={shownQuantity(figure, estimate, units)}
      exactly={figureExactly(figure, estimate.value)}
      basis={figure === 'volumes' ? { ...basis, range: undefined } : basis}
    />
  )
}

/** The same on one line, for cards and tables. */
export function InlineFigure({
  option,
  figure,
  units,
  hasRange = true,
  isTabStop = true,
  isMarked = true,
}: {
  option: Option
  figure: Name
  units: Units
  hasRange?: boolean
  isTabStop?: boolean
  /** False in a column whose head has the mark. */
  isMarked?: boolean
}) {
  const estimate = option.estimate[figure]
  const { number, unit } = shownQuantity(figure, estimate, units)
  const range = figureRange(figure, estimate, units)
  return (
    <HowDoWeKnow
      className={hasRange || unit !== '' ? 'figure-columns' : 'figure-inline'}
      isTabStop={isTabStop}
      isMarked={isMarked}
      label={`${option.name}, ${t(`option.${figure}`)}`}
      exactly={figureExactly(figure, estimate.value)}
      basis={figureBasis(figure, estimate, units)}
      shown={{ number, unit }}
      range={hasRange ? range : null}
    />
  )
}
