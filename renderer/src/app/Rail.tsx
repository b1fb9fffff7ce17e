import { Button } from 'react-aria-components'
import { formatSize } from '../../../src/primitives/quantity'
import { StateMark } from '../components/Marks'
import { t } from '../copy'
import { measureFigure } from '../measure/measureWords'
import { STEPS, type Step } from '../state/frame'
import { bestOf } from '../state/options'
import { useSession } from '../state/sessionContext'
import { stepStates } from '../state/stepStates'
import { useStore } from '../state/store'
import { StepIcon } from './StepIcon'

/** The steps of the work with their states; below 900 px icons, with the label beside on hover and focus. */
export function Rail() {
  const session = useSession()
  const { stores } = session
  const frame = useStore(stores.frame)
  const sources = useStore(stores.sources)
  const jobs = useStore(stores.jobs)
  const survey = useStore(stores.survey)
  const options = useStore(stores.options)
  const plan = useStore(stores.plan)
  const build = useStore(stores.build)
  const catalog = useStore(stores.catalog)
  const measure = useStore(stores.measure)
  const bands = useStore(stores.bands)
  const images = useStore(stores.images)
  const states = stepStates({ sources, jobs, survey, measure, bands, options, plan, build, catalog, images })
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
          <li key={step} className={step === 'catalog' ? 'apart' : undefined}>
            <Button
              className="rail-item"
              aria-current={frame.step === step ? 'step' : 'false'}
              aria-label={`${t(`step.${step}`)}, ${t(`state.${states[step]}`)}`}
              onPress={() => session.goTo(step)}
            >
              <StepIcon step={step} />
              <StateMark state={states[step]} />
              <span className="rail-label">{t(`step.${step}`)}</span>
              <span className="rail-figure">{figures[step]}</span>
            </Button>
          </li>
        ))}
      </ol>
      <p className="rail-foot muted">
        {frame.version === '' ? '' : t('rail.version', { version: frame.version })}
      </p>
    </nav>
  )
}
