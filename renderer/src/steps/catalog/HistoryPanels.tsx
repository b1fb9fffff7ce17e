import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanListItem } from '../../../../src/contract/dto/plan'
import type { SurveyListItem } from '../../../../src/contract/dto/survey'
import { formatCount, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { type Column, DataTable, MOMENT_TRACK } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { useSession, useUnits } from '../../state/sessionContext'

const VISIBLE_ROWS = 10

/** Plans made before; each opens where it was left. */
export function PlansPanel({ plans }: { plans: readonly PlanListItem[] }) {
  const session = useSession()
  const columns = planColumns(
    useUnits(),
    (id) => void session.openPlan(id),
    (directory) => session.restore.open(directory),
  )
  return (
    <Panel title={t('catalog.plans')} says={t('catalog.plans.says')}>
      <DataTable
        label={t('catalog.plans')}
        columns={columns}
        rows={plans}
        rowKey={(plan) => plan.id}
        visibleRows={VISIBLE_ROWS}
        empty={t('catalog.plans.none')}
      />
    </Panel>
  )
}

/** Surveys made before; each opens as it was. */
export function SurveysPanel({ surveys }: { surveys: readonly SurveyListItem[] }) {
  const session = useSession()
  const columns = surveyColumns(useUnits(), (id) => void session.openSurvey(id))
  return (
    <Panel title={t('catalog.surveys')} says={t('catalog.surveys.says')}>
      <DataTable
        label={t('catalog.surveys')}
        columns={columns}
        rows={surveys}
        rowKey={(survey) => survey.id}
        visibleRows={VISIBLE_ROWS}
        empty={t('catalog.surveys.none')}
      />
    </Panel>
  )
}

interface Kept {
  readonly id: string
  readonly roots: readonly string[]
  readonly createdWallMs: number
  readonly bytes: number
}

/** What plans and surveys have in common: a name that opens it, when it was, how much it is. */
function shared<Row extends Kept>(units: Units, open: (row: Row) => void): Column<Row>[] {
  return [
    {
      key: 'source',
      header: t('column.source'),
      track: 'minmax(110px, 1.600fr)',
      cell: (row) => (
        <Button
          className="link"
          aria-label={t('catalog.open', {
            title: titleOfRoots(row.roots),
            moment: formatMoment(row.createdWallMs),
          })}
          onPress={() => open(row)}
        >
          <span className="ellipsis given-name" title={titleOfRoots(row.roots)}>
            {titleOfRoots(row.roots)}
          </span>
        </Button>
      ),
      sortBy: (row) => titleOfRoots(row.roots),
    },
    {
      key: 'when',
      header: t('column.when'),
      track: MOMENT_TRACK,
      cell: (row) => <span className="muted">{formatMoment(row.createdWallMs)}</span>,
      sortBy: (row) => row.createdWallMs,
    },
    {
      key: 'size',
      header: t('column.size'),
      track: '76px',
      align: 'end',
      cell: (row) => <Size bytes={row.bytes} units={units} />,
      sortBy: (row) => row.bytes,
    },
  ]
}

function planColumns(
  units: Units,
  open: (id: string) => void,
  restore: (directory: string) => void,
): Column<PlanListItem>[] {
  return [
    ...shared<PlanListItem>(units, (plan) => open(plan.id)),
    {
      key: 'medium',
      header: t('column.medium'),
      track: 'minmax(14ch, 1fr)',
      cell: (plan) => (
        <span className="ellipsis" title={plan.mediumName}>
          {plan.mediumId === DISK_MEDIUM ? t('catalog.disk') : plan.mediumName}
        </span>
      ),
      sortBy: (plan) => plan.mediumName,
    },
    {
      key: 'discs',
      header: t('column.discs'),
      track: '48px',
      align: 'end',
      cell: (plan) => formatCount(plan.volumes),
      sortBy: (plan) => plan.volumes,
    },
    {
      key: 'restore',
      header: '',
      track: '72px',
      cell: ({ directory, roots, createdWallMs }) =>
        directory !== null && (
          <Button
            className="link"
            aria-label={t('restore.openNamed', {
              title: titleOfRoots(roots),
              moment: formatMoment(createdWallMs),
            })}
            onPress={() => restore(directory)}
          >
            {t('restore.openShort')}
          </Button>
        ),
    },
  ]
}

function surveyColumns(units: Units, open: (id: string) => void): Column<SurveyListItem>[] {
  return [
    ...shared<SurveyListItem>(units, (survey) => open(survey.id)),
    {
      key: 'files',
      header: t('column.files'),
      track: '76px',
      align: 'end',
      cell: (survey) => formatCount(survey.files),
      sortBy: (survey) => survey.files,
    },
    {
      key: 'state',
      header: t('column.read'),
      track: '14ch',
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
  ]
}
