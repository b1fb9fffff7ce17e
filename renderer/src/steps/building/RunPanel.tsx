import { skippedWords } from '../../../../src/contract/dto/run'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { figureColumn, sectorsColumn, sizeColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { Check } from '../../components/fields'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import type { RunningJob } from '../../state/jobs'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { type BuildRow, isVerifiedRow } from './buildState'
import { RunSession } from './runSession'

type RunKind = keyof typeof STATE_HEADERS
type VolumeState = 'waiting' | 'behind' | 'working' | 'done' | 'kept' | 'failed' | 'cancelled' | 'none'

/** More files that were left out are counted. */
const LISTED = 8

const RUNS = ['build', 'verify', 'write'] as const

/** Each volume: what was forecast, what came out, whether it reads back as it should. */
export function RunPanel({
  rows,
  sectorBytes,
  job,
  writing,
}: {
  rows: readonly BuildRow[]
  sectorBytes: number
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
  const columns = [
    pick,
    ...columnsFor(
      inHand(rows, picked, job?.kind === 'write' ? writing : [job]),
      job,
      units,
      sectorBytes,
      isWritten,
    ),
  ]
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

const STATE_HEADERS = { build: 'column.built', verify: 'column.verified', write: 'column.written' } as const

function columnsFor(
  hand: InHand,
  job: RunningJob | null,
  units: Units,
  sectorBytes: number,
  isWritten: boolean,
): Column<BuildRow>[] {
  const none = <span className="muted">–</span>
  const inSectors = (key: string, header: string, of: (row: BuildRow) => number | null) =>
    sectorsColumn(units, sectorBytes, key, header, '84px', of, none)
  const states: readonly RunKind[] = ['build', 'verify', ...(isWritten ? (['write'] as const) : [])]
  return [
    {
      key: 'label',
      header: t('column.volume'),
      track: 'minmax(104px, 1.600fr)',
      cell: (row) => <VolumeLabel label={row.label} />,
      sortBy: (row) => row.index,
      csv: { label: (row) => row.label },
    },
    ...states.map(
      (kind): Column<BuildRow> => ({
        key: kind,
        header: t(STATE_HEADERS[kind]),
        track: 'minmax(92px, 1fr)',
        cell: (row) => <StateWord state={stateOf(row, kind, hand, job)} />,
        csv: { [kind]: (row) => row[kind]?.state ?? '' },
      }),
    ),
    sizeColumn(units, 'bytes', t('column.content'), '84px', (row) => row.bytes),
    inSectors('forecast_sectors', t('column.forecast'), (row) => row.forecastSectors),
    inSectors('actual_sectors', t('column.actual'), (row) => row.actualSectors),
    figureColumn('build_ms', t('column.time'), '84px', (row) => row.build?.elapsedMs, formatDuration, none),
  ]
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
