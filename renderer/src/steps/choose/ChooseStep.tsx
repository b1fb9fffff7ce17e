/**
 * The room `choose` is the step Choose: comparing options and choosing one.
 * How: `preferences` asks for constraints and weights, the engine ranks, and chart, cards and table
 * show the same options; `accuracy` compares builds with their forecasts.
 * Not here: ranking (`src/domain/options`).
 */

import { useEffect, useEffectEvent } from 'react'
import { Button } from 'react-aria-components'
import type { Option, OptionsDocument } from '../../../../src/contract/dto/options'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatForecast, formatSpan } from '../../../../src/primitives/spokenTime'
import { csvOf } from '../../components/DataTable'
import { MenuButton } from '../../components/MenuButton'
import { Segments } from '../../components/Segments'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t, tMaybe } from '../../copy'
import { toCsv } from '../../format/csv'
import { sentence } from '../../format/sentence'
import { useFrame, useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { LookSession } from '../../state/source/lookSession'
import { MeasureSession } from '../measure/measureSession'
import { SurveySession } from '../survey/surveySession'
import { isSharpening } from '../survey/surveyState'
import { useIsOfHand } from '../survey/useIsOfHand'
import { Advice } from './Advice'
import { AccuracyView } from './accuracy/AccuracyView'
import { BuildPanel } from './accuracy/BuildPanel'
import { AnswerPanel } from './candidates/AnswerPanel'
import { CandidatesView } from './candidates/CandidatesView'
import { OptionsTable } from './OptionsTable'
import { optionsCsv } from './optionColumns'
import { optionsReport } from './optionsReport'
import { OptionsSession } from './optionsSession'
import { adviceOf, hasActual, type OptionsState, sideBySide, VIEWS } from './optionsState'
import { formatFigure, nameOnMedium, shortName } from './optionWords'
import { ParetoPanel } from './ParetoPanel'
import { GoalBar } from './preferences/GoalBar'
import { Preferences } from './preferences/Preferences'
import { SideBySide } from './SideBySide'
import { useIsOutdated } from './useIsOutdated'
import { useOptions } from './useOptions'

const LONGEST_NAME = 36

/** Which way is best for me? */
export function ChooseStep() {
  const session = useSession()
  const optionsSession = useSession(OptionsSession)
  const units = useUnits()
  const options = useOptions()
  const survey = useStateOf(SurveySession)
  const measure = useStateOf(MeasureSession)
  const isSurveying = useIsRunning('survey')
  useStateOf(LookSession)
  const look = useSession(LookSession).forecast()
  const files = (survey.document ?? look)?.totals.files ?? 0
  const { view, document } = options
  const isOfHand = useIsOfHand(document?.surveyId ?? null)
  const standsOn = [survey.document?.id, look?.id, measure.list[0]?.id].join(' ')
  const open = useEffectEvent((_changed: string) => void optionsSession.open())
  useEffect(() => open(standsOn), [standsOn])
  return (
    <StepPage
      step="choose"
      says={sayWhat(options, files, units)}
      banner={
        !isOfHand
          ? t('choose.stale')
          : document?.preliminary
            ? preliminaryWords(document.preliminary, isSurveying)
            : isSharpening(survey)
              ? t('choose.sharpening')
              : null
      }
      action={
        <>
          <Segments
            label={t('chooseView.label')}
            all={VIEWS.filter((each) => each !== 'accuracy' || view === each || hasActual(options.compare))}
            chosen={view}
            words={(each) => t(`chooseView.${each}`)}
            onChange={(next) => void optionsSession.show(next)}
          />
          {view === 'options' && files > 0 && document !== null && (
            <Actions document={document} best={adviceOf(options)?.option ?? null} />
          )}
        </>
      }
    >
      {view === 'accuracy' ? (
        <AccuracyView compare={options.compare} />
      ) : files === 0 ? (
        <EmptyState
          title={t('choose.empty.title')}
          text={t(
            isSurveying
              ? 'choose.empty.surveying'
              : survey.document === null
                ? 'choose.empty.noSurvey'
                : 'choose.empty.noFiles',
          )}
        >
          <Button
            className={isSurveying ? 'plain' : 'primary'}
            onPress={() => session.goTo(isSurveying ? 'survey' : 'source')}
          >
            {t(isSurveying ? 'choose.empty.toSurvey' : 'choose.empty.action')}
          </Button>
        </EmptyState>
      ) : (
        <OptionsPage options={options} />
      )}
    </StepPage>
  )
}

/** The share of the source that was read, and what the survey adds that takes so long. */
function preliminaryWords(
  { readBytes, surveySeconds }: NonNullable<OptionsDocument['preliminary']>,
  isSurveying: boolean,
): string {
  const read = formatSize(readBytes)
  return isSurveying
    ? t('choose.preliminary.surveying', { read })
    : t('choose.preliminary', { read, time: formatSpan(surveySeconds) })
}

/**
 * The candidates, or the board of all options: also while something is built, and where there is a
 * problem to be seen.
 */
function OptionsPage({ options }: { options: OptionsState }) {
  const { view, document, candidates, problem } = options
  if (view !== 'candidates' || problem !== null) return <Board options={options} />
  if (document === null || candidates === null) return <p className="muted">{t('answer.wait')}</p>
  return <CandidatesView document={document} candidates={candidates} />
}

function Board({ options }: { options: OptionsState }) {
  const isOutdated = useIsOutdated()
  const isBusy = useIsRunning('option')
  const frame = useFrame()
  const { document, picked, inHand, problem } = options
  const marked = sideBySide(options, picked)
  const best = adviceOf(options)?.option ?? null
  return (
    <div className="choose stack" aria-busy={options.waiting}>
      {inHand !== null && (
        <BuildPanel
          key={`${inHand.optionId} ${inHand.path}`}
          inHand={inHand}
          document={document}
          canStart={!isBusy && !isOutdated && frame.engine.state !== 'lost'}
        />
      )}
      <GoalBar />
      <div className="choose-board beside-form">
        <Preferences document={document} />
        <div className="stack">
          {problem !== null && (
            <p className="choose-problem" role="alert">
              <strong className="bad">{sentence(problem.message)}</strong>{' '}
              {tMaybe(`error.choose.${problem.code}`, tMaybe(`error.${problem.code}`, ''))}{' '}
              {document !== null && t('choose.problem.kept')}
            </p>
          )}
          {(document !== null || problem === null) && (
            <>
              <ParetoPanel document={document} marked={marked} />
              <AnswerPanel options={options} />
            </>
          )}
          {document !== null && <Advice document={document} />}
        </div>
      </div>
      {document !== null && document.options.length > 0 && (
        <>
          <SideBySide document={document} best={best} shown={marked} isBusy={isBusy} />
          <OptionsTable document={document} marked={marked} chosen={best} />
        </>
      )}
    </div>
  )
}

/** The next actions: a plan with the option, or a build of it alone. */
function Actions({ document, best }: { document: OptionsDocument; best: Option | null }) {
  const session = useSession(OptionsSession)
  const isBuilding = useIsRunning('option')
  const isOutdated = useIsOutdated()
  return (
    <>
      <ExportMenu document={document} />
      <Button
        className="quiet"
        isDisabled={!best?.build.possible || isBuilding || isOutdated || !!document.preliminary}
        onPress={() => best && void session.choosePlace(best)}
      >
        {t('build.here')}
      </Button>
      {best !== null && best.plan.form !== null && (
        <Button
          className={document.chosen === null ? 'plain' : 'primary'}
          isDisabled={isOutdated}
          onPress={() => void session.planWith(best)}
        >
          {t(document.preliminary ? 'choose.use.preliminary' : 'choose.use')}
        </Button>
      )}
    </>
  )
}

const EXPORTS = ['report', 'json', 'csv'] as const

function ExportMenu({ document }: { document: OptionsDocument }) {
  const session = useSession()
  const optionsSession = useSession(OptionsSession)
  const units = useUnits()
  const save = (key: (typeof EXPORTS)[number]) => {
    const name = `options-${document.surveyId}`
    const { header, rows } = csvOf(optionsCsv(document), document.options)
    const [ending, text] =
      key === 'json'
        ? ['json', JSON.stringify(optionsSession.store.get().document, null, 2)]
        : key === 'csv'
          ? ['csv', toCsv(header, rows)]
          : ['html', optionsReport(document, units)]
    void session.saveText(`${name}.${ending}`, text)
  }
  return (
    <MenuButton
      name={t('choose.export')}
      all={EXPORTS}
      words={(each) => t(`choose.export.${each}`)}
      onPick={save}
    />
  )
}

function sayWhat(options: OptionsState, files: number, units: Units): string {
  const { view, document, problem, candidates } = options
  if (view === 'accuracy') return t('choose.says.accuracy')
  if (files === 0) return t('choose.says.noSurvey')
  if (document === null) return t(problem === null ? 'choose.says.wait' : 'choose.says.noSurvey')
  const partly = (said: string): string =>
    document.source.partial ? `${t('choose.says.partial')} ${said}` : said
  if (view === 'candidates' && problem === null)
    return candidates === null ? t('choose.says.wait') : partly(t('candidates.says'))
  const count = document.options.length
  const best = adviceOf(options)?.option ?? null
  if (count === 0 || best === null) return t('choose.says.none')
  if (document.chosen === null) return t('choose.says.impossible', { count })
  const said = t('choose.says.chosen', {
    count,
    name: nameOnMedium({ ...best, name: shortName(best.name, LONGEST_NAME) }),
    size: formatFigure('bytes', best.estimate.bytes.value, units),
    time: formatForecast(best.estimate.restoreSeconds.value),
  })
  return partly(said)
}
