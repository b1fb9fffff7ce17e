import { memo } from 'react'
import { Button } from 'react-aria-components'
import { formatSize } from '../../../src/primitives/quantity'
import { StateMark } from '../components/Marks'
import { t } from '../copy'
import { STEPS, type Step } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'
import { useStepState } from '../state/useStepState'
import { bestOf } from '../steps/choose/optionsState'
import { measureFigure } from '../steps/measure/measureWords'
import { StepIcon } from './StepIcon'

/**
 * The steps of the work with their states; below 900 px icons, with the label next to them on hover
 * and focus.
 */
export function Rail() {
  const session = useSession()
  const { stores } = session
  const frame = useStore(stores.frame)
  const survey = useStore(stores.survey)
  const options = useStore(stores.options)
  const plan = useStore(stores.plan)
  const measure = useStore(stores.measure)
  const best = options.document ? bestOf(options.document) : null
  const figures: Record<Step, string> = {
    source: '',
    survey: survey.document ? formatSize(survey.document.totals.bytes, frame.settings.units) : '',
    measure: measureFigure(measure.document, frame.settings.units),
    choose: best ? formatSize(best.estimate.bytes.value, frame.settings.units) : '',
    plan: plan.document ? t('rail.volumes', { count: plan.document.totals.volumes }) : '',
    build: '',
    catalog: '',
    images: '',
  }
  return (
    <nav className="rail" aria-label={t('rail.label')}>
      <ol>
        {STEPS.map((step) => (
          <RailItem key={step} step={step} figure={figures[step]} isCurrent={frame.step === step} />
        ))}
      </ol>
      <p className="rail-foot muted">
        {frame.version === '' ? '' : t('rail.version', { version: frame.version })}
      </p>
    </nav>
  )
}

/**
 * Drawn anew only when something of it changes: reports of running work come ten times a second.
 */
const RailItem = memo(function RailItem({
  step,
  figure,
  isCurrent,
}: {
  step: Step
  figure: string
  isCurrent: boolean
}) {
  const session = useSession()
  const state = useStepState(step)
  return (
    <li className={step === 'catalog' ? 'apart' : undefined}>
      <Button
        className="rail-item"
        aria-current={isCurrent ? 'step' : 'false'}
        aria-label={`${t(`step.${step}`)}, ${t(`state.${state}`)}`}
        onPress={() => session.goTo(step)}
      >
        <StepIcon step={step} />
        <StateMark state={state} />
        <span className="rail-label">{t(`step.${step}`)}</span>
        <span className="rail-figure">{state === 'failed' ? '' : figure}</span>
      </Button>
    </li>
  )
})
