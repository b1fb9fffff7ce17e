import { skippedWords } from '../../../../src/contract/dto/run'
import { wholePercent } from '../../../../src/contract/progressFigures'
import type { WordColumn } from '../../../../src/contract/tables/declaredTable'
import { runTable } from '../../../../src/contract/tables/planTables'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import { SectorsSize } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { columnsOf, type Shown, type WindowTable } from '../../components/declaredColumns'
import { Check } from '../../components/fields'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import type { RunningJob } from '../../state/jobs'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { type BuildRow, isVerifiedRow } from './buildState'
import { RunSession } from './runSession'

type RunKind = keyof typeof STATES
type VolumeState = 'waiting' | 'behind' | 'working' | 'done' | 'kept' | 'failed' | 'cancelled' | 'none'

/** More files that were left out are counted. */
const LISTED = 8

const RUNS = ['build', 'verify', 'write'] as const

/** Each volume: what was forecast, what came out, whether it reads back as it should. */
export function RunPanel({
  rows,
  sectorBytes,
  isPacked,
  job,
  writing,
}: {
  rows: readonly BuildRow[]
  sectorBytes: number
  /** The forecast of packed volumes is none to the sector: it is shown next to the actual size. */
  isPacked: boolean
  job: RunningJob | null
  /** One for each drive that writes. */
  writing: readonly RunningJob[]
}) {
  const units = useUnits()
  const session = useSession(RunSession)
  const { picked } = useStateOf(RunSession)
  const pick = pickColumn(picked, job !== null, (index, on) =>
    session.store.dispatch({ type: 'picked', index, on }),
  )
  const isWritten = job?.kind === 'write' || rows.some(({ write }) => write !== null)
  const jobs = job?.kind === 'write' ? writing : [job]
  const hand = inHand(rows, picked, jobs)
  const columns = [pick, ...columnsFor({ hand, job, rows, isPacked, units, sectorBytes, isWritten })]
  // What went wrong last time is no news once it is tried again.
  const errors = rows.flatMap((row) =>
    RUNS.flatMap((kind) => (kind === job?.kind ? [] : (row[kind]?.errors ?? []))),
  )
  const skipped = rows.flatMap(
    ({ label, build, verify, write }) =>
      (write ?? verify ?? build)?.skipped?.map((file) => ({ label, ...file })) ?? [],
  )
  return (
    <TablePanel
      title={t('build.volumes')}
      says={t('build.volumes.says')}
      csv="forecast-vs-actual"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.index}
      visibleRows={14}
      empty={t('build.volumes.none')}
      isSelected={(row) => picked.includes(row.index)}
    >
      {errors.length > 0 && (
        <ul className="run-errors" aria-label={t('build.errors')}>
          {errors.map((error) => (
            <li key={`${error.code} ${error.message}`} className="bad">
              {sentence(error.message)}
            </li>
          ))}
        </ul>
      )}
      {skipped.length > 0 && (
        <ul className="run-errors" aria-label={t('build.skipped')}>
          {skipped.slice(0, LISTED).map(({ label, path, cause }) => (
            <li key={`${label} ${path}`} className="warn">
              {label}: {pathForDisplay(path)}: {skippedWords(cause)}
            </li>
          ))}
          {skipped.length > LISTED && <li>{t('check.more', { count: skipped.length - LISTED })}</li>}
        </ul>
      )}
    </TablePanel>
  )
}

function pickColumn(
  picked: readonly number[],
  disabled: boolean,
  onPick: (index: number, on: boolean) => void,
): Column<BuildRow> {
  return {
    key: 'pick',
    header: t('build.picked'),
    isHeaderHidden: true,
    track: '22px',
    cell: (row) => (
      <Check
        words={t('build.pick', { label: row.label })}
        areWordsSeen={false}
        isDisabled={disabled}
        isOn={picked.includes(row.index)}
        onChange={(on) => onPick(row.index, on)}
      />
    ),
  }
}

/**
 * The volumes that the running jobs work on, in their order, and the places that they have reached.
 */
interface InHand {
  readonly indexes: readonly number[]
  readonly reached: readonly number[]
  /** The share of a volume that is done, by its label. */
  readonly shares: ReadonlyMap<string, number>
}

function inHand(
  rows: readonly BuildRow[],
  picked: readonly number[],
  jobs: readonly (RunningJob | null)[],
): InHand {
  const chosen = rows.filter((row) => picked.length === 0 || picked.includes(row.index))
  const reached = jobs.map((job) => chosen.findIndex((row) => row.label === job?.progress?.current))
  const shares = jobs.flatMap((job): [string, number][] => {
    const { current, volume } = job?.progress ?? {}
    return current != null && volume ? [[current, volume.share]] : []
  })
  return { indexes: chosen.map((row) => row.index), reached, shares: new Map(shares) }
}

const STATES = { build: 'built', verify: 'verified', write: 'written' } as const

function columnsFor({
  hand,
  job,
  rows,
  isPacked,
  units,
  sectorBytes,
  isWritten,
}: {
  hand: InHand
  job: RunningJob | null
  rows: readonly BuildRow[]
  isPacked: boolean
  units: Units
  sectorBytes: number
  isWritten: boolean
}): Column<BuildRow>[] {
  const none = <span className="muted">–</span>
  const inSectors = (of: (row: BuildRow) => number | null) => ({
    track: '84px',
    cell: (row: BuildRow) => {
      const sectors = of(row)
      return sectors === null ? (
        none
      ) : (
        <SectorsSize sectors={sectors} sectorBytes={sectorBytes} units={units} />
      )
    },
  })
  const stateOfRun = (kind: RunKind): WordColumn<BuildRow, (typeof STATES)[RunKind]> => ({
    heading: STATES[kind],
    kind: 'code',
    of: (row) => row[kind]?.state ?? '',
  })
  const declared = runTable(false)
  const sizes = shownSizes(rows, isPacked)
  const table = {
    ...declared,
    forecast_sectors: { ...declared.forecast_sectors, csv: sizes.length === 1 ? ALL_SIZES : FORECASTS },
    actual_sectors: { ...declared.actual_sectors, ...(sizes.length === 1 && { csv: ALL_SIZES }) },
    build: stateOfRun('build'),
    verify: stateOfRun('verify'),
    write: stateOfRun('write'),
    build_ms: { heading: 'time', kind: 'duration', of: ({ build }) => build?.elapsedMs ?? null },
  } satisfies WindowTable<BuildRow>
  const shownState = (kind: RunKind): Shown<BuildRow> => ({
    track: 'minmax(92px, 1fr)',
    cell: (row) => {
      const state = stateOf(row, kind, hand, job)
      return <StateWord state={state} share={state === 'working' ? hand.shares.get(row.label) : undefined} />
    },
    isSorted: false,
  })
  return columnsOf<BuildRow, keyof typeof table>(table, units, {
    label: { track: 'minmax(104px, 1.600fr)', sortBy: (row) => row.index },
    build: shownState('build'),
    verify: shownState('verify'),
    ...(isWritten && { write: shownState('write') }),
    ...(sizes.includes('forecast') && { forecast_sectors: inSectors((row) => row.forecastSectors) }),
    ...(sizes.includes('actual') && { actual_sectors: inSectors((row) => row.actualSectors) }),
    build_ms: { track: '84px', absent: none },
  })
}

/** The table has no column of the content, which the plan shows; its CSV does. */
const FORECASTS = {
  bytes: (row: BuildRow) => row.bytes,
  forecast_sectors: (row: BuildRow) => row.forecastSectors ?? '',
}

/** The CSV of the one column of sizes where both agree. */
const ALL_SIZES = { ...FORECASTS, actual_sectors: (row: BuildRow) => row.actualSectors ?? '' }

/** The columns of sizes that differ: the actual ones alone once all are there and as forecast. */
function shownSizes(rows: readonly BuildRow[], isPacked: boolean): ('forecast' | 'actual')[] {
  const isApart = rows.some(
    ({ forecastSectors, actualSectors }) => actualSectors !== null && actualSectors !== forecastSectors,
  )
  if (isPacked || isApart) return ['forecast', 'actual']
  return rows.some(({ actualSectors }) => actualSectors === null) ? ['forecast'] : ['actual']
}

function stateOf(row: BuildRow, kind: RunKind, hand: InHand, job: RunningJob | null): VolumeState {
  const at = job?.kind === kind ? hand.indexes.indexOf(row.index) : -1
  if (at >= 0) {
    if (hand.reached.includes(at)) return 'working'
    // Drives that share the volumes take them in their order.
    return at < Math.max(...hand.reached) ? 'behind' : 'waiting'
  }
  const known = knownState(row, kind)
  if (known === undefined || known === 'pending') return 'none'
  return known
}

function knownState(row: BuildRow, kind: RunKind): VolumeState | 'pending' | undefined {
  if (kind === 'verify' && row.check !== null) return row.check.result === 'good' ? 'done' : 'failed'
  // What is on a disc, or was verified, was built, whichever run did it.
  const isBuilt = kind === 'build' && (row.write?.state === 'done' || isVerifiedRow(row))
  return row[kind]?.state ?? (isBuilt ? 'done' : undefined)
}

/** A state in a word and a shape, so that it is not shown by colour alone. */
function StateWord({ state, share }: { state: VolumeState; share: number | undefined }) {
  if (state === 'none') return <span className="muted">–</span>
  const sign = { waiting: '·', behind: '·', working: '…', done: '✓', kept: '✓', failed: '✕', cancelled: '·' }[
    state
  ]
  return (
    <span className={`state-word is-${state}`}>
      <span aria-hidden="true" className="state-sign">
        {sign}
      </span>
      {t(`volumeState.${state}`)}
      {share !== undefined && <span className="state-share">{wholePercent(share)}</span>}
    </span>
  )
}
