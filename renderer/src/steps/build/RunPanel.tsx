import { Checkbox } from 'react-aria-components'
import { formatCount, type Units } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { sizeColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import type { RunningJob } from '../../state/jobs'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import type { BuildRow } from './buildState'

type VolumeState = 'waiting' | 'behind' | 'working' | 'done' | 'kept' | 'failed' | 'cancelled' | 'none'

const RUNS = ['build', 'verify', 'write'] as const

/** Each volume: what was forecast, what came out, whether it reads back as it should. */
export function RunPanel({
  rows,
  job,
  writing,
  units,
}: {
  rows: readonly BuildRow[]
  job: RunningJob | null
  /** One for each drive that writes. */
  writing: readonly RunningJob[]
  units: Units
}) {
  const session = useSession()
  const { picked } = useStore(session.stores.build)
  const pick = pickColumn(picked, job !== null, (index, on) =>
    session.stores.build.dispatch({ type: 'picked', index, on }),
  )
  const isWritten = job?.kind === 'write' || rows.some(({ write }) => write !== null)
  const columns = [
    pick,
    ...columnsFor(inHand(rows, picked, job?.kind === 'write' ? writing : [job]), job, units, isWritten),
  ]
  // What went wrong last time is no news once it is tried again.
  const errors = rows.flatMap((row) =>
    RUNS.flatMap((kind) => (kind === job?.kind ? [] : (row[kind]?.errors ?? []))),
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
    header: '',
    track: '22px',
    cell: (row) => (
      <Checkbox
        className="checkbox"
        aria-label={t('build.pick', { label: row.label })}
        isDisabled={disabled}
        isSelected={picked.includes(row.index)}
        onChange={(on) => onPick(row.index, on)}
      >
        <span className="checkbox-box" aria-hidden="true" />
      </Checkbox>
    ),
  }
}

/** The volumes that the running jobs work on, in their order, and the places that they have reached. */
interface InHand {
  readonly indexes: readonly number[]
  readonly reached: readonly number[]
}

function inHand(
  rows: readonly BuildRow[],
  picked: readonly number[],
  jobs: readonly (RunningJob | null)[],
): InHand {
  const chosen = rows.filter((row) => picked.length === 0 || picked.includes(row.index))
  const reached = jobs.map((job) => chosen.findIndex((row) => row.label === job?.progress?.current))
  return { indexes: chosen.map((row) => row.index), reached }
}

function writtenColumn(hand: InHand, job: RunningJob | null): Column<BuildRow> {
  return {
    key: 'written',
    header: t('column.written'),
    track: 'minmax(92px, 1fr)',
    cell: (row) => <StateWord state={stateOf(row, 'write', hand, job)} />,
    csv: { write: (row) => row.write?.state ?? '' },
  }
}

function columnsFor(
  hand: InHand,
  job: RunningJob | null,
  units: Units,
  isWritten: boolean,
): Column<BuildRow>[] {
  const sectors = (value: number | null) =>
    value === null ? <span className="muted">–</span> : formatCount(value)
  return [
    {
      key: 'label',
      header: t('column.volume'),
      track: 'minmax(104px, 1.600fr)',
      cell: (row) => <VolumeLabel label={row.label} />,
      sortBy: (row) => row.index,
      csv: { label: (row) => row.label },
    },
    {
      key: 'built',
      header: t('column.built'),
      track: 'minmax(92px, 1fr)',
      cell: (row) => <StateWord state={stateOf(row, 'build', hand, job)} />,
      csv: { build: (row) => row.build?.state ?? '' },
    },
    {
      key: 'verified',
      header: t('column.verified'),
      track: 'minmax(92px, 1fr)',
      cell: (row) => <StateWord state={stateOf(row, 'verify', hand, job)} />,
      csv: { verify: (row) => row.verify?.state ?? '' },
    },
    ...(isWritten ? [writtenColumn(hand, job)] : []),
    sizeColumn(units, 'bytes', t('column.content'), '84px', (row) => row.bytes),
    {
      key: 'forecast',
      header: t('column.forecast'),
      track: '84px',
      align: 'end',
      cell: (row) => sectors(row.forecastSectors),
      sortBy: (row) => row.forecastSectors ?? -1,
      csv: { forecast_sectors: (row) => row.forecastSectors ?? '' },
    },
    {
      key: 'actual',
      header: t('column.actual'),
      track: '84px',
      align: 'end',
      cell: (row) => sectors(row.actualSectors),
      sortBy: (row) => row.actualSectors ?? -1,
      csv: { actual_sectors: (row) => row.actualSectors ?? '' },
    },
    {
      key: 'time',
      header: t('column.time'),
      track: '84px',
      align: 'end',
      cell: (row) =>
        row.build?.elapsedMs == null ? <span className="muted">–</span> : formatDuration(row.build.elapsedMs),
      sortBy: (row) => row.build?.elapsedMs ?? -1,
      csv: { build_ms: (row) => row.build?.elapsedMs ?? '' },
    },
  ]
}

function stateOf(
  row: BuildRow,
  kind: 'build' | 'verify' | 'write',
  hand: InHand,
  job: RunningJob | null,
): VolumeState {
  const at = job?.kind === kind ? hand.indexes.indexOf(row.index) : -1
  if (at >= 0) {
    if (hand.reached.includes(at)) return 'working'
    // Drives that share the volumes take them in their order.
    return at < Math.max(...hand.reached) ? 'behind' : 'waiting'
  }
  // What is on a disc was built, whichever run did it.
  const known = row[kind]?.state ?? (kind === 'build' && row.write?.state === 'done' ? 'done' : undefined)
  if (known === undefined || known === 'pending') return 'none'
  return known
}

/** A state in a word and a shape, so that it is not shown by colour alone. */
function StateWord({ state }: { state: VolumeState }) {
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
    </span>
  )
}
