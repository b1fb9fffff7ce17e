/**
 * The room `plan` is the step Plan: which file goes on which volume.
 * How: settings make the engine plan anew; the desk shows volumes, and what a person moves there
 * becomes wishes for the next plan.
 * Not here: packing (`src/domain/sets/packing`), building (`building`).
 */

import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { JobProgress } from '../../../../src/contract/dto/job'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import {
  type PlanDocument,
  type PlanProblem,
  type PlanVolume,
  UDF_ENTRIES,
} from '../../../../src/contract/dto/plan'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatShare, formatSize } from '../../../../src/primitives/quantity'
import { type Basis, countFigure, Figure, sizeFigure } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { EmptyState, StepPage } from '../../components/StepPage'
import { type CopyKey, t } from '../../copy'
import { makerName } from '../../format/permanentNames'
import { sentence } from '../../format/sentence'
import { useFrame, useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { SurveySession } from '../survey/surveySession'
import { useIsOfHand } from '../survey/useIsOfHand'
import { CopiesChoice } from './CopiesChoice'
import { fewestDiscs } from './fewestDiscs'
import { GrowthChoice, useEarlier } from './GrowthChoice'
import { MediumPicker } from './MediumPicker'
import { NamesPanel, splitProblems } from './NamesPanel'
import { OrderChoice } from './OrderChoice'
import { chosenMedium } from './ownSize'
import { PackingPanel } from './PackingPanel'
import { ParityChoice } from './ParityChoice'
import { AwaitedDesk, PlanDesk } from './PlanDesk'
import { AwaitedFacts, PlanFacts } from './PlanFacts'
import { discsPlanned, planningWords, usePlanning } from './Planning'
import { ProtectionTable } from './ProtectionTable'
import { PlanSession } from './planSession'
import { isAsChosen, LABEL_PREFIX } from './planState'
import { RecoveryChoice } from './RecoveryChoice'
import { AwaitedPlace, SetActions, SetPlace } from './SetActions'
import { SettingsLine } from './SettingsLine'
import { TimesPanel } from './TimesPanel'

/** The step that answers which file goes on which disc. */
export function PlanStep() {
  const session = useSession()
  const planSession = useSession(PlanSession)
  const plan = useStateOf(PlanSession)
  const survey = useStateOf(SurveySession)
  const frame = useFrame()
  const busy = useIsRunning('plan', 'export')
  const planning = usePlanning()
  useEarlier()
  const { document } = plan
  const isSurveyed = useIsOfHand(null)
  const isOfHand = useIsOfHand(document?.surveyId ?? null)
  const current = document !== null && isOfHand && isAsChosen(plan)
  // The settings fold away once there is a plan, or one is being made.
  const [unfolded, setUnfolded] = useState<{ readonly planId: string; readonly isOpen: boolean } | null>(null)
  const isUnfolded =
    document !== null && unfolded?.planId === document.id ? unfolded.isOpen : !current && planning === null
  const prefixOk = plan.labelPrefix === null || plan.labelPrefix === '' || LABEL_PREFIX.test(plan.labelPrefix)
  const holdsFiles = survey.document !== null && survey.document.totals.files > 0
  const isAble =
    !busy &&
    frame.engine.state !== 'lost' &&
    holdsFiles &&
    isSurveyed &&
    chosenMedium(plan.media, plan.mediumId) !== null &&
    prefixOk
  const canPlan = isAble && plan.wrong.length === 0
  // The reserve is one of the wishes for the discs: its own field stays.
  const canPlace = isAble && current && plan.wrong.every((field) => field === 'reserve')
  const blocked = document?.problems.some((problem) => problem.blocking) ?? false
  return (
    <StepPage
      step="plan"
      says={
        document === null && planning !== null
          ? t('desk.planning', { medium: chosenMedium(plan.media, plan.mediumId)?.name ?? plan.mediumId })
          : sayWhat(document, current || planning !== null, survey.document !== null)
      }
      banner={
        plan.isWaiting
          ? t('plan.waiting')
          : document === null || isOfHand
            ? null
            : t(isSurveyed ? 'plan.stale' : 'plan.otherSource')
      }
      action={
        <>
          <Button
            className={current ? 'plain' : 'primary last'}
            isDisabled={!canPlan}
            onPress={() => void planSession.start()}
          >
            {t(current ? 'plan.makeAgain' : 'plan.make')}
          </Button>
          {document !== null && (
            <SetActions document={document} isCurrent={current} isOff={busy || blocked || !current} />
          )}
        </>
      }
    >
      <div className={isUnfolded ? 'plan beside-form' : 'plan'}>
        {isUnfolded && <MediumPicker />}
        <div className="plan-main stack">
          {document !== null && (
            <SettingsLine
              isUnfolded={isUnfolded}
              onToggle={() => setUnfolded({ planId: document.id, isOpen: !isUnfolded })}
            />
          )}
          {document === null && planning !== null && <SettingsLine isUnfolded={false} onToggle={null} />}
          {isUnfolded && survey.document !== null && <PackingPanel />}
          {isUnfolded && holdsFiles && (
            <>
              <GrowthChoice />
              <OrderChoice />
              <RecoveryChoice />
              <ParityChoice />
              <CopiesChoice />
              <ProtectionTable />
            </>
          )}
          {survey.document !== null && <ReadsLine surveyId={survey.document.id} busy={busy} />}
          {document !== null ? (
            <PlanPicture
              document={document}
              canPlace={canPlace}
              isCurrent={current}
              isPlanning={planning !== null}
            />
          ) : planning !== null ? (
            <AwaitedPlan progress={planning.progress} />
          ) : (
            <EmptyState
              title={t('plan.empty.title')}
              text={t(isSurveyed ? whyNoPlan(survey.document) : 'plan.empty.otherSource')}
            >
              {(survey.document === null || !isSurveyed) && (
                <Button className="plain" onPress={() => session.goTo('source')}>
                  {t('survey.empty.action')}
                </Button>
              )}
            </EmptyState>
          )}
        </div>
      </div>
    </StepPage>
  )
}

/**
 * Shows how much the plan will read for SHA-256; nothing where the survey has it of every file.
 * Asks again after each plan.
 */
function ReadsLine({ surveyId, busy }: { surveyId: string; busy: boolean }) {
  const session = useSession(SurveySession)
  const units = useUnits()
  const missing = useStateOf(SurveySession, ({ missingSha256 }) => missingSha256)
  useEffect(() => {
    if (!busy) void session.loadMissingSha256(surveyId)
  }, [session, surveyId, busy])
  if (missing?.surveyId !== surveyId || missing.files === 0) return null
  return (
    <p className="muted">
      {t('plan.reads', { size: formatSize(missing.bytes, units), count: missing.files })}
    </p>
  )
}

function whyNoPlan(survey: SurveyDocument | null): CopyKey {
  if (survey === null) return 'plan.empty.noSurvey'
  return survey.totals.files > 0 ? 'plan.empty.text' : 'plan.empty.noFiles'
}

/** The place of a plan that is being made, with the figures and discs that it will have. */
function AwaitedPlan({ progress }: { progress: JobProgress | null }) {
  const { media, mediumId, packing } = useStateOf(PlanSession)
  const totals = useStateOf(SurveySession, ({ document }) => document?.totals ?? null)
  const limit = chosenMedium(media, mediumId)?.limit ?? null
  const forecast = totals === null || limit === null || packing !== null ? null : fewestDiscs(totals, limit)
  const discs = discsPlanned(progress) ?? forecast ?? 1
  const basis = { provenance: 'modelled' as const, text: '' }
  return (
    <>
      <AwaitedPlace />
      <div className="totals" role="group" aria-label={t('plan.figures')}>
        <Figure size="hero" label={t('plan.discs')} quantity={null} exactly="" basis={basis} />
        <Figure label={t('plan.content')} quantity={null} exactly="" basis={basis} />
        <Figure label={t('plan.last')} quantity={null} exactly="" basis={basis} />
        <Figure label={t('plan.split')} quantity={null} exactly="" basis={basis} />
      </div>
      <AwaitedFacts />
      <p className="no-problems awaited" aria-hidden="true" />
      <AwaitedDesk discs={discs} words={planningWords(progress)} />
    </>
  )
}

/** @param canPlace true when it can be made again with other wishes for its discs */
function PlanPicture({
  document,
  canPlace,
  isCurrent,
  isPlanning,
}: {
  document: PlanDocument
  canPlace: boolean
  isCurrent: boolean
  isPlanning: boolean
}) {
  const units = useUnits()
  const { selectedVolume } = useStateOf(PlanSession)
  const { totals, volumes, mastering, packing, times } = document
  const isJoined = packing?.arrangement === 'joined'
  const isUndivided = document.medium.id === DISK_MEDIUM
  const picked = volumes.find((volume) => volume.index === selectedVolume) ?? volumes[0]
  const last = volumes[volumes.length - 1]
  const exact = (text: string) => ({ provenance: 'exact' as const, text })
  const files =
    document.medium.kind === 'folder'
      ? { provenance: 'modelled' as const, text: t('basis.folder') }
      : exact(t('basis.image', { tool: makerName(mastering.tool), version: mastering.version }))
  const sized = packing ? { provenance: packing.bytes.provenance, text: t('basis.packed') } : files
  return (
    <>
      <SetPlace document={document} isCurrent={isCurrent} />
      <div className="totals" role="group" aria-label={t('plan.figures')}>
        {!isUndivided && (
          <Figure
            size="hero"
            label={t('plan.discs')}
            {...countFigure(totals.volumes, t('noun.discs'))}
            basis={sized}
            note={discsNote(document)}
          />
        )}
        <Figure
          label={t('plan.content')}
          {...sizeFigure(totals.bytes, units)}
          basis={exact(t('basis.planned'))}
          note={t('totals.files', { count: totals.files })}
        />
        {!isUndivided && <LastVolume volume={last} sectorBytes={document.medium.sectorBytes} basis={sized} />}
        {!packing && (
          <Figure
            label={t('plan.split')}
            {...countFigure(totals.splitFiles, t('noun.files'))}
            basis={exact(t('basis.planned'))}
            note={totals.splitFiles > 0 ? t('plan.splitNote') : t('plan.splitNone')}
          />
        )}
      </div>
      <PlanFacts plan={document} />
      <Problems document={document} />
      <PlanDesk document={document} canPlace={canPlace || isPlanning} />
      {times && (
        <TimesPanel
          plan={{ ...document, times }}
          picked={volumes.length > 1 && !isJoined ? (picked ?? null) : null}
        />
      )}
    </>
  )
}

/** If fewer discs would do. */
function discsNote({ totals, packing, problems }: PlanDocument): string {
  if (packing) return t('plan.packed.discs')
  const more = totals.volumes - (totals.fewestVolumes ?? totals.volumes)
  if (more > 0) return t('desk.moreThanFewest', { count: more })
  if (totals.volumes !== totals.lowerBoundVolumes)
    return t('plan.lowerBound', { count: totals.lowerBoundVolumes })
  return t(problems.some(({ code }) => code === UDF_ENTRIES) ? 'plan.asFewWithUdf' : 'plan.asFew')
}

/** How full the last volume is. */
function LastVolume({
  volume,
  sectorBytes,
  basis,
}: {
  volume: PlanVolume | undefined
  sectorBytes: number
  basis: Basis
}) {
  const units = useUnits()
  if (!volume) return null
  const { capacitySectors, protection } = volume
  // What recovery data fills is free for files.
  const sectors = volume.sectors - Math.ceil((protection?.bytes ?? 0) / sectorBytes)
  const share = formatShare(sectors / Math.max(1, capacitySectors)).replace(' %', '')
  return (
    <Figure
      label={t('plan.last')}
      quantity={{ number: share, unit: '%' }}
      exactly={t('medium.sectors', { count: sectors })}
      basis={basis}
      note={t(protection ? 'recovery.last' : 'plan.lastNote', {
        size: formatSize(Math.max(0, capacitySectors - sectors) * sectorBytes, units),
      })}
    />
  )
}

function Problems({ document }: { document: PlanDocument }) {
  // Discs without recovery data are named above.
  const listed = document.problems.filter(({ code }) => code !== 'unprotected')
  const { names, others: problems } = splitProblems(listed)
  if (names.length > 0)
    return (
      <>
        {problems.length > 0 && <ProblemList problems={problems} />}
        <NamesPanel names={names} />
      </>
    )
  if (problems.length === 0)
    return (
      <p className="no-problems muted">{t(document.packing ? 'problems.nonePacked' : 'problems.none')}</p>
    )
  return <ProblemList problems={problems} />
}

/** Problems and notes, each counted as what they are. */
function titleOf(problems: readonly PlanProblem[]): string {
  const blocking = problems.filter((problem) => problem.blocking).length
  const notes = t('problems.notes', { count: problems.length - blocking })
  if (blocking === 0) return notes
  const title = t('problems.title', { count: blocking })
  return blocking === problems.length ? title : t('problems.both', { title, notes })
}

function ProblemList({ problems }: { problems: readonly PlanProblem[] }) {
  return (
    <Panel
      title={titleOf(problems)}
      says={t(problems.some(({ blocking }) => blocking) ? 'problems.says' : 'problems.says.notes')}
      className="problems"
    >
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.path ?? ''} ${problem.message}`}>
            <span className={problem.blocking ? 'problem-kind blocking' : 'problem-kind'}>
              {t(problem.blocking ? 'problems.blocking' : 'problems.note')}
            </span>
            <span className="fills">
              {sentence(problem.message)}
              {problem.path !== undefined && <PathText path={problem.path} />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function sayWhat(document: PlanDocument | null, current: boolean, surveyed: boolean): string {
  if (document === null) return t(surveyed ? 'plan.says.none' : 'plan.says.noSurvey')
  const said =
    document.medium.id === DISK_MEDIUM
      ? t('plan.onDisk')
      : t('plan.says', { count: document.totals.volumes, medium: document.medium.name })
  if (!surveyed) return `${said} ${t('plan.says.noSurveyNow')}`
  return current ? said : `${said} ${t('plan.says.stale')}`
}
