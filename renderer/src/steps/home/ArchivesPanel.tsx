import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { PathText } from '../../components/PathText'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { setLabel } from '../../format/setLabel'
import { CheckSession } from '../../state/catalog/checkSession'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import type { WindowSession } from '../../state/windowSession'
import { ArchiveSession } from '../archive/archiveSession'
import { AddSession } from './addSession'
import { CheckBy } from './CheckBy'
import { HealthLine } from './HealthLine'
import { areAlike, type HomeArchive } from './homeArchives'
import { HomeSession } from './homeSession'
import type { HomeSet } from './homeSets'
import { TriedRestore } from './TriedRestore'

const VISIBLE_ROWS = 7
const ROW_PX = 66

/** Every archive: what it is, how far it has got, and what can be done with it. */
export function ArchivesPanel({ archives }: { archives: readonly HomeArchive[] }) {
  const session = useSession()
  const home = useSession(HomeSession)
  const adding = useSession(AddSession)
  const copies = useSession(ArchiveSession)
  const units = useUnits()
  const isBusy = useIsRunning('survey', 'plan', 'export', 'build', 'verify', 'write')
  const nowWallMs = useStateOf(CheckSession, ({ askedWallMs }) => askedWallMs)
  const columns = useMemo(
    () => columnsFor({ home, adding, session, copies, units, nowWallMs, isBusy }),
    [home, adding, session, copies, units, nowWallMs, isBusy],
  )
  return (
    <TablePanel
      title={t('home.archives')}
      says={t('home.archives.says')}
      columns={columns}
      rows={archives}
      rowKey={({ key }) => key}
      rowPx={ROW_PX}
      visibleRows={VISIBLE_ROWS}
      empty={t('home.archives.none')}
    />
  )
}

interface Around {
  readonly home: HomeSession
  readonly adding: AddSession
  readonly session: WindowSession
  readonly copies: ArchiveSession
  readonly units: Units
  readonly nowWallMs: number
  /** A job runs that an addition would have to wait for. */
  readonly isBusy: boolean
}

function columnsFor(around: Around): Column<HomeArchive>[] {
  const { home, units, nowWallMs } = around
  return [
    {
      key: 'archive',
      header: t('home.column.archive'),
      track: 'minmax(224px, 2fr)',
      cell: (row) => (
        <span className="home-lines">
          <Button
            className="link"
            aria-label={t('home.openNamed', { label: archiveName(row) })}
            onPress={() => void home.open(row)}
          >
            <span className="ellipsis given-name" title={archiveName(row)}>
              {archiveName(row)}
            </span>
          </Button>
          <Where row={row} />
          {isMade(row) && <TriedRestore row={row} label={archiveName(row)} />}
        </span>
      ),
      sortBy: archiveName,
    },
    {
      key: 'medium',
      header: t('home.column.medium'),
      track: 'minmax(130px, 1fr)',
      cell: (row) => (
        <span className="home-lines">
          <span className="ellipsis" title={mediumWords(row)}>
            {mediumWords(row)}
          </span>
          <span className="muted small">
            {bytesOf(row) > 0 && <Size bytes={bytesOf(row)} units={units} />}
          </span>
        </span>
      ),
      sortBy: bytesOf,
    },
    {
      key: 'state',
      header: t('home.column.state'),
      track: 'minmax(190px, 1.200fr)',
      cell: (row) => (
        <span className="home-lines">
          <span className={isUnfinished(row.worst) ? 'warn' : undefined}>
            {row.sets.length === 1 || areAlike(row)
              ? stateWords(row.worst)
              : t('home.state.of', { label: setLabel(row.worst), state: stateWords(row.worst) })}
          </span>
          <HealthLine archive={row.key} />
          <CheckBy set={row.worst} home={home} nowWallMs={nowWallMs} />
        </span>
      ),
      sortBy: ({ worst }) => worst.checkByWallMs ?? 0,
    },
    {
      key: 'actions',
      header: t('home.column.actions'),
      track: '232px',
      cell: (row) => <Actions row={row} around={around} />,
    },
  ]
}

/** The name of an archive, the labels of what is of none. */
function archiveName({ archive, sets }: Pick<HomeArchive, 'archive' | 'sets'>): string {
  return archive ? pathForDisplay(archive.name) : setLabel(sets[0])
}

/** Where it lies: its labels, and the folder of the plan that was made last. */
function Where({ row: { archive, chain, sets } }: { row: HomeArchive }) {
  const [{ plan }] = chain
  if (plan === null) return <span className="muted small">{t('home.noPlan')}</span>
  const of = archive ? labelsOf(sets) : (plan.project?.name ?? titleOfRoots(plan.roots))
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

function labelsOf(sets: HomeArchive['sets']): string {
  const labels = [...sets].sort((one, other) => one.firstLabel.localeCompare(other.firstLabel))
  const [first, last] = [labels[0], labels.at(-1)]
  return setLabel({ firstLabel: first?.firstLabel ?? '', lastLabel: last?.lastLabel ?? '' })
}

function Actions({ row, around }: { row: HomeArchive; around: Around }) {
  const { home, adding, session, copies, isBusy } = around
  const label = archiveName(row)
  const { archive, chain } = row
  const [{ plan }] = chain
  const folder = plan?.directoryExists ? plan.directory : null
  const canAdd = archive !== null && archive.sets[0]?.newestMade != null
  return (
    <span className="home-actions">
      {canAdd && (
        <Button
          className="link main"
          isDisabled={isBusy}
          aria-label={t('home.addNamed', { label })}
          onPress={() => void adding.add(archive.id)}
        >
          {t('home.add')}
        </Button>
      )}
      {isMade(row) && (
        <>
          <Button
            className="link"
            aria-label={t('home.restoreNamed', { label })}
            onPress={() => home.restore(chain)}
          >
            {t('home.restore')}
          </Button>
          <Button
            className="link"
            aria-label={t('home.verifyNamed', { label })}
            onPress={() => void home.verify(chain)}
          >
            {t('home.verify')}
          </Button>
        </>
      )}
      <Button
        className="link"
        aria-label={t('home.copiesNamed', { label })}
        onPress={() => copies.open(row.key)}
      >
        {t('home.copies')}
      </Button>
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

/** True where a volume of it was made, or may have been. */
function isMade({ sets }: HomeArchive): boolean {
  return sets.some(({ plan }) => plan === null || plan.built + plan.good + plan.onMedia > 0)
}

/** The bytes on the volumes of the set that was added to last, as they were before packing. */
function bytesOf({ chain }: HomeArchive): number {
  return chain.reduce((sum, { plan }) => sum + (plan?.bytes ?? 0), 0)
}

function mediumWords({ chain }: HomeArchive): string {
  const [{ plan }] = chain
  const volumes = chain.reduce((sum, set) => sum + set.volumes, 0)
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
