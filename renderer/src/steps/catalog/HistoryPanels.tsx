import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanListItem } from '../../../../src/contract/dto/plan'
import type { SurveyListItem } from '../../../../src/contract/dto/survey'
import { planState } from '../../../../src/contract/planState'
import {
  PLAN_LIST_TABLE,
  planStateOrder,
  SURVEY_LIST_TABLE,
} from '../../../../src/contract/tables/catalogTables'
import { type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { type Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { CatalogSession } from '../../state/catalog/catalogSession'
import type { Kept } from '../../state/catalog/catalogState'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { PlanSession } from '../plan/planSession'
import { RestoreSession } from '../restore/restoreSession'
import { SurveySession } from '../survey/surveySession'

const VISIBLE_ROWS = 10

/** Plans made before; each opens where it was left. */
export function PlansPanel({ plans }: { plans: readonly PlanListItem[] }) {
  const session = useSession(CatalogSession)
  const restore = useSession(RestoreSession)
  const open = useStateOf(PlanSession, ({ document }) => document?.id)
  const columns = [
    ...planColumns(
      useUnits(),
      (id) => void session.openPlan(id),
      (directory) => restore.open([directory]),
    ),
    removeColumn<PlanListItem>('plan', open, session),
  ]
  return (
    <TablePanel
      title={t('catalog.plans')}
      says={t('catalog.plans.says')}
      above={<RemovalQuestion kind="plan" />}
      columns={columns}
      rows={plans}
      rowKey={(plan) => plan.id}
      visibleRows={VISIBLE_ROWS}
      empty={t('catalog.plans.none')}
    />
  )
}

/** Surveys made before; each opens as it was. */
export function SurveysPanel({ surveys }: { surveys: readonly SurveyListItem[] }) {
  const session = useSession(CatalogSession)
  const copies = useSession(CopiesSession)
  const open = useStateOf(SurveySession, ({ document }) => document?.id)
  const columns = [
    ...surveyColumns(useUnits(), (id) => void session.openSurvey(id)),
    safeColumn((id) => void copies.judge(id)),
    removeColumn<SurveyListItem>('survey', open, session),
  ]
  return (
    <TablePanel
      title={t('catalog.surveys')}
      says={t('catalog.surveys.says')}
      above={<RemovalQuestion kind="survey" />}
      columns={columns}
      rows={surveys}
      rowKey={(survey) => survey.id}
      visibleRows={VISIBLE_ROWS}
      empty={t('catalog.surveys.none')}
    />
  )
}

/** The question was asked for: Enter takes it back. */
function focusOn(button: HTMLButtonElement | null): void {
  button?.focus()
}

/** Asks before something is removed: it cannot be undone. */
function RemovalQuestion({ kind }: { kind: Kept['kind'] }) {
  const session = useSession(CatalogSession)
  const removing = useStateOf(CatalogSession, (catalog) => catalog.removing)
  if (removing?.kind !== kind) return null
  return (
    <div className="result-line line" role="alertdialog" aria-label={t('catalog.remove')}>
      <span>{t(`catalog.remove.${kind}`, named(removing))}</span>
      <span className="muted">{t('catalog.remove.kept')}</span>
      <Button className="plain" onPress={() => void session.remove()}>
        {t('catalog.remove')}
      </Button>
      <Button className="quiet" ref={focusOn} onPress={() => session.askToRemove(null)}>
        {t('catalog.remove.keep')}
      </Button>
    </div>
  )
}

/** The name and time that tell one entry from another, for words. */
function named({ roots, createdWallMs }: Pick<Kept, 'roots' | 'createdWallMs'>) {
  return { title: titleOfRoots(roots), moment: formatMoment(createdWallMs) }
}

type Row = Omit<Kept, 'kind'> & { readonly bytes: number }

/** @param open what the window shows, which stays */
function removeColumn<T extends Row>(
  kind: Kept['kind'],
  open: string | undefined,
  session: CatalogSession,
): Column<T> {
  return {
    key: 'remove',
    header: t('catalog.remove'),
    isHeaderHidden: true,
    track: '72px',
    align: 'end',
    cell: ({ id, roots, createdWallMs }) =>
      id !== open && (
        <Button
          className="link"
          aria-label={t('catalog.removeNamed', named({ roots, createdWallMs }))}
          onPress={() => session.askToRemove({ kind, id, roots, createdWallMs })}
        >
          {t('catalog.remove')}
        </Button>
      ),
  }
}

function safeColumn(judge: (surveyId: string) => void): Column<SurveyListItem> {
  return {
    key: 'safe',
    header: t('safe.ask'),
    isHeaderHidden: true,
    track: '13ch',
    align: 'end',
    cell: (survey) => (
      <Button
        className="link"
        aria-label={t('safe.askNamed', named(survey))}
        onPress={() => judge(survey.id)}
      >
        {t('safe.ask')}
      </Button>
    ),
  }
}

/** The source as a button that opens what was made of it, and the time. */
function shownSource<T extends Row>(open: (row: T) => void) {
  return {
    source: {
      track: 'minmax(86px, 1.600fr)',
      cell: (row: T) => (
        <Button className="link" aria-label={t('catalog.open', named(row))} onPress={() => open(row)}>
          <span className="ellipsis given-name" title={titleOfRoots(row.roots)}>
            {titleOfRoots(row.roots)}
          </span>
        </Button>
      ),
      sortBy: (row: T) => titleOfRoots(row.roots),
    },
    when: {
      track: 'minmax(16ch, 20ch)',
      cell: (row: T) => <span className="muted">{formatMoment(row.createdWallMs)}</span>,
    },
    bytes: '76px',
  }
}

function planColumns(
  units: Units,
  open: (id: string) => void,
  restore: (directory: string) => void,
): Column<PlanListItem>[] {
  return [
    ...columnsOf(PLAN_LIST_TABLE, units, {
      ...shownSource<PlanListItem>((plan) => open(plan.id)),
      medium: { track: 'minmax(17ch, 1fr)', say: mediumWords, sortBy: (plan) => plan.mediumName },
      state: {
        track: '13ch',
        cell: (plan) => <span className={plan.failed > 0 ? 'warn' : 'muted'}>{stateText(plan)}</span>,
        sortBy: planStateOrder,
      },
    }),
    {
      key: 'restore',
      header: t('restore.open'),
      isHeaderHidden: true,
      track: '64px',
      cell: (plan) => {
        const { directory } = plan
        return (
          directory !== null && (
            <Button
              className="link"
              aria-label={t('restore.openNamed', named(plan))}
              onPress={() => restore(directory)}
            >
              {t('restore.openShort')}
            </Button>
          )
        )
      },
    },
  ]
}

/** `5 × BD-R DL 50 GB`. */
function mediumWords({ mediumId, mediumName, volumes }: PlanListItem): string {
  return mediumId === DISK_MEDIUM ? t('catalog.disk') : t('flow.set', { count: volumes, medium: mediumName })
}

function stateText(plan: PlanListItem): string {
  const { step, count } = planState(plan)
  if (step === 'planned' || (step !== 'failed' && count === plan.volumes)) return t(`catalog.plan.${step}`)
  return t(`catalog.plan.${step}.some`, { count, of: plan.volumes })
}

function surveyColumns(units: Units, open: (id: string) => void): Column<SurveyListItem>[] {
  return columnsOf(SURVEY_LIST_TABLE, units, {
    ...shownSource<SurveyListItem>((survey) => open(survey.id)),
    files: '76px',
    state: {
      track: '13ch',
      cell: (survey) => (
        <span className={survey.partial || survey.skipped > 0 ? 'warn' : 'muted'}>
          {survey.partial
            ? t('catalog.partial')
            : survey.skipped > 0
              ? t('catalog.skipped', { count: survey.skipped })
              : t('catalog.whole')}
        </span>
      ),
      sortBy: (survey) => survey.skipped,
    },
  })
}
