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
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatSize } from '../../../../src/primitives/quantity'
import { EmptyState, StepPage } from '../../components/StepPage'
import { type CopyKey, t } from '../../copy'
import { useFrame, useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import { SurveySession } from '../survey/surveySession'
import { useIsOfHand } from '../survey/useIsOfHand'
import { CopiesChoice } from './CopiesChoice'
import { DraftSession } from './draftSession'
import { fewestDiscs } from './fewestDiscs'
import { GrowthChoice, useEarlier } from './GrowthChoice'
import { MediumPicker } from './MediumPicker'
import { OrderChoice } from './OrderChoice'
import { chosenMedium } from './ownSize'
import { PackingPanel } from './PackingPanel'
import { ParityChoice } from './ParityChoice'
import { FillChoices } from './PlacementBar'
import { AwaitedDesk, PlanDesk } from './PlanDesk'
import { PlanDetails } from './PlanDetails'
import { PlanDraft } from './PlanDraft'
import { PlanLine } from './PlanLine'
import { discsPlanned, planningWords, usePlanning } from './Planning'
import { BlockingProblems, PlanNotes } from './PlanProblems'
import { ProtectionTable } from './ProtectionTable'
import { PlanSession } from './planSession'
import { isAsChosen, LABEL_PREFIX } from './planState'
import { RecoveryChoice } from './RecoveryChoice'
import { AwaitedPlace, SetActions, SetPlace } from './SetActions'

/** The step that answers which file goes on which disc. */
export function PlanStep() {
  const session = useSession()
  const planSession = useSession(PlanSession)
  const draftSession = useSession(DraftSession)
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
  // Before there is a survey, the listed sources have a draft.
  const walked = useStateOf(KeptSession, (kept) => kept.document?.totals.files ?? 0)
  const isDraft =
    document === null && planning === null && walked > 0 && (survey.document === null || !isSurveyed)
  const isSurveying = useIsRunning('survey')
  // The reserve is one of the wishes for the discs: its own field stays.
  const canPlace = isAble && current && plan.wrong.every((field) => field === 'reserve')
  const blocked = document?.problems.some((problem) => problem.blocking) ?? false
  return (
    <StepPage
      step="plan"
      says={
        document === null && planning !== null
          ? t('desk.planning', { medium: chosenMedium(plan.media, plan.mediumId)?.name ?? plan.mediumId })
          : isDraft
            ? t('plan.says.draft')
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
          {isDraft ? (
            <Button
              className="primary last"
              isDisabled={busy || isSurveying || frame.engine.state === 'lost' || !prefixOk}
              onPress={() => void draftSession.survey()}
            >
              {t('choose.use.preliminary')}
            </Button>
          ) : (
            <Button
              className={current ? 'plain' : 'primary last'}
              isDisabled={!canPlan}
              onPress={() => void planSession.start()}
            >
              {t(current ? 'plan.makeAgain' : 'plan.make')}
            </Button>
          )}
          {document !== null && (
            <SetActions document={document} isCurrent={current} isOff={busy || blocked || !current} />
          )}
        </>
      }
    >
      <div className={isUnfolded ? 'plan beside-form' : 'plan'}>
        {isUnfolded && <MediumPicker />}
        <div className="plan-main stack">
          {(document !== null || planning !== null) && (
            <div className="plan-head">
              <PlanLine
                document={document}
                isCurrent={current || planning !== null}
                isUnfolded={isUnfolded}
                onToggle={document && (() => setUnfolded({ planId: document.id, isOpen: !isUnfolded }))}
              />
              {document === null ? <AwaitedPlace /> : <SetPlace document={document} isCurrent={current} />}
            </div>
          )}
          {isUnfolded && survey.document !== null && <PackingPanel />}
          {isUnfolded && holdsFiles && (
            <>
              <GrowthChoice />
              <OrderChoice />
              {document !== null && (canPlace || planning !== null) && <FillChoices plan={document} />}
              <RecoveryChoice />
              <ParityChoice />
              <CopiesChoice />
              <ProtectionTable />
            </>
          )}
          {(isUnfolded || document === null) && survey.document !== null && (
            <ReadsLine surveyId={survey.document.id} busy={busy} />
          )}
          {document !== null ? (
            <>
              <BlockingProblems document={document} />
              <PlanDesk document={document} canPlace={canPlace || planning !== null} />
              <PlanNotes document={document} />
              <PlanDetails document={document} />
            </>
          ) : planning !== null ? (
            <AwaitedPlan progress={planning.progress} />
          ) : isDraft ? (
            <PlanDraft />
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

/** The place of a plan that is being made, with the discs that it will have. */
function AwaitedPlan({ progress }: { progress: JobProgress | null }) {
  const { media, mediumId, packing } = useStateOf(PlanSession)
  const totals = useStateOf(SurveySession, ({ document }) => document?.totals ?? null)
  const limit = chosenMedium(media, mediumId)?.limit ?? null
  const forecast = totals === null || limit === null || packing !== null ? null : fewestDiscs(totals, limit)
  const discs = discsPlanned(progress) ?? forecast ?? 1
  return <AwaitedDesk discs={discs} words={planningWords(progress)} />
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
