import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { PathText } from '../../components/PathText'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { setLabel } from '../../format/setLabel'
import { CheckSession } from '../../state/catalog/checkSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { ArchiveActs } from './ArchiveActs'
import { ArchiveDiscs } from './ArchiveDiscs'
import { AddSession } from './addSession'
import { CheckBy } from './CheckBy'
import { HealthLine } from './HealthLine'
import { areAlike, type HomeArchive } from './homeArchives'
import { HomeSession } from './homeSession'
import { bySet, type HomeSet } from './homeSets'
import { type LookedAt, lookedAt, type NothingNew } from './lookedAt'
import { type ActFacts, mainAct } from './mainAct'
import { TriedRestore } from './TriedRestore'

/** Rows that are shown before all are asked for, and that a table of all shows at once. */
const SHOWN_ROWS = 12
const ROW_PX = 74

/**
 * Every archive: what it is, how far it has got, and what to do with it next; a row unfolds its
 * discs. Of many the first ones are listed until all are asked for.
 */
export function ArchivesPanel({ archives }: { archives: readonly HomeArchive[] }) {
  const home = useSession(HomeSession)
  const units = useUnits()
  const { volumes, askedWallMs: nowWallMs } = useStateOf(CheckSession)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const nothingNew = useStateOf(AddSession, (state) => state.nothingNew)
  const { isAll, unfolded: unfoldedKey } = useStateOf(HomeSession)
  const facts = useMemo((): ActFacts => {
    const toCheck = volumes.filter(
      ({ checkByWallMs, last }) => checkByWallMs <= nowWallMs || last?.result === 'damaged',
    )
    return { copies: bySet(copies), toCheck: bySet(toCheck) }
  }, [volumes, copies, nowWallMs])
  const columns = useMemo(
    () => columnsFor({ home, units, nowWallMs, facts, nothingNew, unfoldedKey }),
    [home, units, nowWallMs, facts, nothingNew, unfoldedKey],
  )
  const rows = isAll ? archives : archives.slice(0, SHOWN_ROWS)
  const unfolded = rows.find(({ key }) => key === unfoldedKey)
  return (
    <TablePanel
      title={t('home.archives')}
      className="home-archives"
      says={t('home.archives.says')}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowPx={ROW_PX}
      visibleRows={SHOWN_ROWS}
      empty={t('home.archives.none')}
      unfolded={
        unfolded
          ? {
              key: unfolded.key,
              content: <ArchiveDiscs archive={unfolded.key} label={archiveName(unfolded)} />,
            }
          : null
      }
    >
      {rows.length < archives.length && (
        <Button className="quiet home-all" onPress={() => home.store.dispatch({ isAll: true })}>
          {t('home.archives.all', { count: archives.length })}
        </Button>
      )}
    </TablePanel>
  )
}

function rowKey({ key }: HomeArchive): string {
  return key
}

interface Around {
  readonly home: HomeSession
  readonly units: Units
  readonly nowWallMs: number
  readonly facts: ActFacts
  readonly nothingNew: ReadonlyMap<string, NothingNew>
  readonly unfoldedKey: string | null
}

function columnsFor(around: Around): Column<HomeArchive>[] {
  const { home, units, nowWallMs, facts, nothingNew, unfoldedKey } = around
  return [
    {
      key: 'archive',
      header: t('home.column.archive'),
      track: 'minmax(234px, 2fr)',
      cell: (row) => (
        <span className="home-archive">
          <Button
            className="home-unfold"
            aria-expanded={row.key === unfoldedKey}
            aria-label={t('home.unfold', { label: archiveName(row) })}
            onPress={() => home.store.dispatch({ unfolded: row.key === unfoldedKey ? null : row.key })}
          >
            <span aria-hidden="true">{row.key === unfoldedKey ? '▾' : '▸'}</span>
          </Button>
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
        </span>
      ),
      sortBy: archiveName,
    },
    {
      key: 'medium',
      header: t('home.column.medium'),
      track: 'minmax(164px, 1fr)',
      cell: (row) => (
        <span className="home-lines">
          <span className="ellipsis" title={mediumWords(row)}>
            {mediumWords(row)}
          </span>
          <span className="muted small">
            {bytesOf(row) > 0 && <Size bytes={bytesOf(row)} units={units} />}
          </span>
          <Looked looked={lookedAt(row.archive, nothingNew)} units={units} />
        </span>
      ),
      sortBy: bytesOf,
    },
    {
      key: 'state',
      header: t('home.column.state'),
      track: 'minmax(184px, 1.200fr)',
      cell: (row) => (
        <span className="home-lines">
          <span className={isUnfinished(row.worst) ? 'home-state warn' : 'home-state'}>
            {row.sets.length === 1 || areAlike(row)
              ? stateWords(row.worst)
              : t('home.state.of', { label: setLabel(row.worst), state: stateWords(row.worst) })}
          </span>
          <HealthLine archive={row.key} label={archiveName(row)} />
          <CheckBy set={row.worst} home={home} nowWallMs={nowWallMs} />
        </span>
      ),
      sortBy: ({ worst }) => worst.checkByWallMs ?? 0,
    },
    {
      key: 'actions',
      header: t('home.column.actions'),
      track: '150px',
      cell: (row) => (
        <ArchiveActs row={row} main={mainAct(row, facts)} label={archiveName(row)} isMade={isMade(row)} />
      ),
    },
  ]
}

/** How much was new when the sources were looked at, and when that was. */
function Looked({ looked, units }: { looked: LookedAt | null; units: Units }) {
  if (looked === null) return null
  const { files, bytes, wallMs } = looked
  const day = unbroken(formatDay(wallMs))
  return (
    <span className="home-looked muted small">
      {files === 0
        ? t('home.looked.nothing', { day })
        : t('home.looked.new', { count: files, size: unbroken(formatSize(bytes, units)), day })}
    </span>
  )
}

/** The same words on one line. */
function unbroken(words: string): string {
  return words.replaceAll(' ', '\u00a0')
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
