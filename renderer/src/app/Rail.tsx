import { memo, useId } from 'react'
import { Button } from 'react-aria-components'
import type { RomsDocument } from '../../../src/contract/dto/roms'
import { formatShare, formatSize } from '../../../src/primitives/quantity'
import { StateMark } from '../components/Marks'
import { t } from '../copy'
import { STEPS, type Step } from '../state/frame'
import { useFrame, useSession, useStateOf } from '../state/sessionContext'
import { OptionsSession } from '../steps/choose/optionsSession'
import { adviceOf } from '../steps/choose/optionsState'
import { useAttention } from '../steps/home/useHomeSets'
import { MeasureSession } from '../steps/measure/measureSession'
import { measureFigure } from '../steps/measure/measureWords'
import { PlanSession } from '../steps/plan/planSession'
import { RomsSession } from '../steps/roms/romsSession'
import { SurveySession } from '../steps/survey/surveySession'
import { StepIcon } from './StepIcon'
import { useStepState } from './useStepState'

/**
 * The steps of the work with their states; below 900 px icons, with the label next to them on hover
 * and focus.
 */
export function Rail() {
  const frame = useFrame()
  const survey = useStateOf(SurveySession)
  const options = useStateOf(OptionsSession)
  const plan = useStateOf(PlanSession)
  const measure = useStateOf(MeasureSession)
  const compared = useStateOf(RomsSession, ({ document }) => document?.totals.sets ?? null)
  const best = adviceOf(options)?.option
  const figures: Record<Step, string> = {
    source: '',
    survey: survey.document ? formatSize(survey.document.totals.bytes, frame.settings.units) : '',
    choose: best ? formatSize(best.estimate.bytes.value, frame.settings.units) : '',
    plan: plan.document
      ? t('rail.volumes', { count: plan.document.totals.volumes, family: plan.document.medium.family })
      : '',
    build: '',
    catalog: '',
    restore: '',
    measure: measureFigure(measure.document, frame.settings.units),
    images: '',
    roms: compared === null ? '' : completeShare(compared),
  }
  return (
    <nav className="rail" aria-label={t('rail.label')}>
      <HomeItem isCurrent={frame.step === 'home' || frame.step === 'archive'} />
      <ol>
        {STEPS.map((step) => (
          <RailItem key={step} step={step} figure={figures[step]} isCurrent={frame.step === step} />
        ))}
      </ol>
      <SettingsItem isCurrent={frame.step === 'settings'} />
      <p className="rail-foot muted">
        {frame.version === '' ? '' : t('rail.version', { version: frame.version })}
      </p>
    </nav>
  )
}

function completeShare({ complete, partial, missing }: RomsDocument['totals']['sets']): string {
  const all = complete + partial + missing
  return all === 0 ? '' : formatShare(complete / all)
}

/**
 * Above the steps: the place of all sets, with how many of them need attention. The page of one
 * archive is below it.
 */
function HomeItem({ isCurrent }: { isCurrent: boolean }) {
  const session = useSession()
  const count = useAttention()
  return (
    <Button
      className="rail-item rail-home"
      aria-current={isCurrent ? 'page' : 'false'}
      aria-label={count === 0 ? t('step.home') : t('home.rail', { count })}
      onPress={() => session.goTo('home')}
    >
      <StepIcon step="home" />
      <StateMark state="empty" />
      <span className="rail-label">{t('step.home')}</span>{' '}
      <span className="rail-figure warn">{count === 0 ? '' : count}</span>
    </Button>
  )
}

/** Below the steps: it is none of them, and has no state. */
function SettingsItem({ isCurrent }: { isCurrent: boolean }) {
  const session = useSession()
  return (
    <Button
      className="rail-item"
      aria-current={isCurrent ? 'page' : 'false'}
      aria-label={t('step.settings')}
      onPress={() => session.goTo('settings')}
    >
      <StepIcon step="settings" />
      <StateMark state="empty" />
      <span className="rail-label">{t('step.settings')}</span>
    </Button>
  )
}

/** The first of those that belong to all archives, and of the tools. */
const APART: ReadonlySet<Step> = new Set(['catalog', 'measure'])

/**
 * Drawn anew only when something of it changes: reports of running work come four times a second.
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
  const id = useId()
  return (
    <li className={APART.has(step) ? 'apart' : undefined}>
      {step === 'measure' && <span className="rail-heading small muted">{t('rail.tools')}</span>}
      <Button
        className="rail-item"
        aria-current={isCurrent ? 'step' : 'false'}
        aria-label={t('rail.step', { step: t(`step.${step}`), state: t(`state.${state}`) })}
        aria-describedby={id}
        onPress={() => session.goTo(step)}
      >
        <StepIcon step={step} />
        <StateMark state={state} />
        <span className="rail-label">{t(`step.${step}`)}</span>
      </Button>
      <span className="rail-figure" id={id}>
        {state === 'failed' ? '' : figure}
      </span>
    </li>
  )
})
