import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { Units } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { PathText } from '../../components/PathText'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { CheckSession } from '../../state/catalog/checkSession'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import type { WindowSession } from '../../state/windowSession'
import { CheckBy } from './CheckBy'
import { HomeSession } from './homeSession'
import type { HomeSet } from './homeSets'
import { setLabel } from './setLabel'

const VISIBLE_ROWS = 7
const ROW_PX = 50

/** Every set: what it is, how far it has got, and what can be done with it. */
export function SetsPanel({ sets }: { sets: readonly HomeSet[] }) {
  const session = useSession()
  const home = useSession(HomeSession)
  const units = useUnits()
  const nowWallMs = useStateOf(CheckSession, ({ askedWallMs }) => askedWallMs)
  const columns = useMemo(
    () => columnsFor(home, session, units, nowWallMs),
    [home, session, units, nowWallMs],
  )
  return (
    <TablePanel
      title={t('home.sets')}
      says={t('home.sets.says')}
      columns={columns}
      rows={sets}
      rowKey={({ key }) => key}
      rowPx={ROW_PX}
      visibleRows={VISIBLE_ROWS}
      empty={t('home.sets.none')}
    />
  )
}

function columnsFor(
  home: HomeSession,
  session: WindowSession,
  units: Units,
  nowWallMs: number,
): Column<HomeSet>[] {
  return [
    {
      key: 'set',
      header: t('home.column.set'),
      track: 'minmax(150px, 2fr)',
      cell: (set) => (
        <span className="home-lines">
          <Button
            className="link"
            aria-label={t('home.openNamed', { label: setLabel(set) })}
            onPress={() => void home.open(set)}
          >
            <span className="ellipsis given-name" title={setLabel(set)}>
              {setLabel(set)}
            </span>
          </Button>
          <Where set={set} />
        </span>
      ),
      sortBy: setLabel,
    },
    {
      key: 'medium',
      header: t('home.column.medium'),
      track: 'minmax(130px, 1fr)',
      cell: (set) => (
        <span className="home-lines">
          <span className="ellipsis" title={mediumWords(set)}>
            {mediumWords(set)}
          </span>
          <span className="muted small">{set.plan && <Size bytes={set.plan.bytes} units={units} />}</span>
        </span>
      ),
      sortBy: ({ plan }) => plan?.bytes ?? 0,
    },
    {
      key: 'state',
      header: t('home.column.state'),
      track: 'minmax(190px, 1.200fr)',
      cell: (set) => (
        <span className="home-lines">
          <span className={isUnfinished(set) ? 'warn' : undefined}>{stateWords(set)}</span>
          <CheckBy set={set} home={home} nowWallMs={nowWallMs} />
        </span>
      ),
      sortBy: ({ checkByWallMs }) => checkByWallMs ?? 0,
    },
    {
      key: 'actions',
      header: t('home.column.actions'),
      track: '186px',
      cell: (set) => <Actions set={set} home={home} session={session} />,
    },
  ]
}

/** Where it lies: the folder of its plan, and the project or source that it was made from. */
function Where({ set: { plan } }: { set: HomeSet }) {
  if (plan === null) return <span className="muted small">{t('home.noPlan')}</span>
  const of = plan.project?.name ?? titleOfRoots(plan.roots)
  return (
    <span className="home-where muted small">
      <span className="given-name ellipsis" title={of}>
        {of}
      </span>
      {plan.directory !== null && (
        <>
          <span aria-hidden="true">·</span>
          {plan.directoryExists ? (
            <PathText path={plan.directory} />
          ) : (
            <span title={plan.directory}>{t('home.gone')}</span>
          )}
        </>
      )}
    </span>
  )
}

function Actions({ set, home, session }: { set: HomeSet; home: HomeSession; session: WindowSession }) {
  const label = setLabel(set)
  const { plan } = set
  const folder = plan?.directoryExists ? plan.directory : null
  const isMade = plan === null || plan.built + plan.good + plan.onMedia > 0
  return (
    <span className="home-actions">
      {isMade && (
        <>
          <Button
            className="link"
            aria-label={t('home.restoreNamed', { label })}
            onPress={() => home.restore(set)}
          >
            {t('home.restore')}
          </Button>
          <Button
            className="link"
            aria-label={t('home.verifyNamed', { label })}
            onPress={() => void home.verify(set)}
          >
            {t('home.verify')}
          </Button>
        </>
      )}
      {folder !== null && (
        <Button
          className="link"
          aria-label={t('home.showNamed', { label })}
          onPress={() => void session.showFolder(folder, 'home')}
        >
          {t('home.show')}
        </Button>
      )}
    </span>
  )
}

function mediumWords({ plan, volumes }: HomeSet): string {
  if (plan === null) return t('home.medium.unknown', { count: volumes })
  return plan.mediumId === DISK_MEDIUM
    ? t('home.medium.disk')
    : t('home.medium', { count: volumes, medium: plan.mediumName })
}

function stateWords({ state, volumes }: HomeSet): string {
  if (state.kind === 'exported' || state.kind === 'working') return t(`home.state.${state.kind}`)
  const isAll = state.count === volumes
  const values = { count: state.count, of: volumes }
  if (state.kind === 'verified')
    return t(isAll ? 'home.state.verified' : 'home.state.verified.some', {
      ...values,
      day: formatDay(state.wallMs),
    })
  return t(isAll ? `home.state.${state.kind}` : `home.state.${state.kind}.some`, values)
}

/** True where the state itself is the problem. */
function isUnfinished({ problem }: HomeSet): boolean {
  return problem !== null && problem.kind !== 'due' && problem.kind !== 'gone'
}
