import { DISK_MEDIUM, type Option } from '../../../../../src/contract/dto/options'
import { Figure } from '../../../components/Figure'
import { t } from '../../../copy'
import { useUnits } from '../../../state/sessionContext'
import { OptionFigure } from '../OptionFigure'
import { figureBasis, figureExactly, figureQuantity } from '../optionWords'
import { makeTime } from './candidateWords'

/** The figures that a person decides by: size, discs, and the time until the set is verified. */
export function CandidateFigures({
  option,
  medium,
  size,
}: {
  option: Option
  medium: string
  /** The size of the first figure. */
  size: 'hero' | 'small'
}) {
  const units = useUnits()
  const time = makeTime(option)
  return (
    <div className="candidate-figures">
      <OptionFigure option={option} figure="bytes" units={units} size={size} />
      {medium !== DISK_MEDIUM && (
        <OptionFigure option={option} figure="volumes" label={t('plan.discs')} units={units} />
      )}
      <Figure
        label={t('candidate.time')}
        quantity={figureQuantity('buildSeconds', time.value, units)}
        exactly={figureExactly('buildSeconds', time.value)}
        basis={figureBasis('buildSeconds', time, units)}
      />
    </div>
  )
}
