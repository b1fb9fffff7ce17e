import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { QueuedVolume } from '../../../../src/contract/dto/restoreQueue'
import { QUEUE_TABLE } from '../../../../src/contract/tables/catalogTables'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatForecast } from '../../../../src/primitives/spokenTime'
import { type Column, DataTable } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { type AskedDiscs, nextDisc } from './queueState'
import { RestoreSession } from './restoreSession'
import { sayLabels, type UnitWord } from './restoreWords'
import { useUnitWord } from './useUnitWord'

const MOST_ROWS = 6
const ROW_PX = 30

/** The discs that are still needed, in order, and the question for the next one. */
export function DiscQueue({ asked, running }: { asked: AskedDiscs; running: boolean }) {
  const units = useUnits()
  const unit = useUnitWord()
  const { volumes, lostFiles, lost } = asked.queue
  return (
    <Panel
      title={t('restore.queue.title', { unit })}
      className="disc-queue"
      says={volumes.length > 0 && sayQueue(asked, units, unit)}
    >
      <Question asked={asked} running={running} />
      {volumes.length > 0 && (
        <div style={{ minHeight: (1 + Math.min(MOST_ROWS, volumes.length + asked.given.length)) * ROW_PX }}>
          <DataTable
            label={t('restore.queue.title', { unit })}
            columns={columnsFor(asked, units, unit)}
            rows={volumes}
            rowKey={({ label }) => label}
            visibleRows={MOST_ROWS}
            empty=""
          />
        </div>
      )}
      {lostFiles > 0 && (
        <ul className="plain-list" aria-label={t('restore.queue.lost')}>
          <li className="warn">{t('restore.queue.lostFiles', { count: lostFiles, unit })}</li>
          {lost.map(({ path }) => (
            <li key={path}>
              <PathText path={path} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function sayQueue({ queue }: AskedDiscs, units: Units, unit: UnitWord): string {
  const { volumes, files, bytes, places, seconds } = queue
  const words = { count: volumes.length, places, files, size: formatSize(bytes, units), unit }
  return seconds === null
    ? t('restore.queue.says', words)
    : t('restore.queue.says.timed', { ...words, time: formatForecast(seconds.value) })
}

/** Asks for the next disc by label and place. */
function Question({ asked, running }: { asked: AskedDiscs; running: boolean }) {
  const session = useSession(RestoreSession)
  const unit = useUnitWord()
  const next = nextDisc(asked)
  const give = useRef<HTMLButtonElement>(null)
  const label = running ? null : (next?.label ?? null)
  // Whoever has given a disc goes on with the next without looking for the button.
  useEffect(() => {
    if (label !== null) give.current?.focus()
  }, [label])
  const { wrong, reading } = asked
  return (
    <div className="stack tight disc-question">
      <p role="status">
        {reading.length > 0 ? (
          t('restore.queue.reading', { discs: sayLabels(reading) })
        ) : next === null ? (
          t('restore.queue.none', { unit })
        ) : (
          <strong>{sayNext(next, unit)}</strong>
        )}
      </p>
      {next !== null && (
        <p role="alert" className="warn disc-wrong">
          {wrong && !running
            ? t(wrong.isOfSet ? 'restore.queue.wrong' : 'restore.queue.other', {
                given: wrong.label === '' ? t('restore.queue.nameless', { unit }) : wrong.label,
                wanted: next.label,
                unit,
              })
            : ''}
        </p>
      )}
      {next === null ? (
        <div className="row-actions">
          <Button className="plain" onPress={() => void session.stopAsking()}>
            {t('restore.queue.finish')}
          </Button>
        </div>
      ) : (
        <>
          <div className="row-actions">
            <Button
              ref={give}
              className="primary"
              isDisabled={running}
              onPress={() => void session.giveDisc('folders')}
            >
              {t('restore.queue.folder', { unit })}
            </Button>
            <Button className="plain" isDisabled={running} onPress={() => void session.giveDisc('images')}>
              {t('restore.queue.image')}
            </Button>
            <Button className="plain" isDisabled={running} onPress={() => void session.skipDisc()}>
              {t('restore.queue.skip')}
            </Button>
            <Button className="quiet" isDisabled={running} onPress={() => void session.stopAsking()}>
              {t('restore.queue.close')}
            </Button>
          </div>
          <p className="muted">{t('restore.queue.drop', { unit })}</p>
        </>
      )}
    </div>
  )
}

function sayNext({ label, place, copy, path }: QueuedVolume, unit: UnitWord): string {
  if (path !== null) return t('restore.queue.insert.here', { label, path: pathForDisplay(path) })
  return place === null || copy === null
    ? t('restore.queue.insert', { label, unit })
    : t('restore.queue.insert.at', { label, place, copy, unit })
}

function columnsFor(asked: AskedDiscs, units: Units, unit: UnitWord): Column<QueuedVolume>[] {
  const next = nextDisc(asked)
  // The order is that in which the discs are asked for.
  const isSorted = false
  return columnsOf(QUEUE_TABLE, units, {
    label: {
      header: t(unit === 'folder' ? 'column.folder' : 'column.volume'),
      track: 'minmax(110px, 1fr)',
      isSorted,
      cell: ({ label }) => (label === next?.label ? <strong>{label}</strong> : label),
    },
    place: {
      track: 'minmax(100px, 1.2fr)',
      isSorted,
      cell: ({ place }) => place ?? <span className="muted">{t('safe.noPlace')}</span>,
    },
    copy: {
      track: '60px',
      align: 'end',
      isSorted,
      cell: ({ copy }) => (copy === null ? '' : formatCount(copy)),
    },
    state: { track: 'minmax(90px, 1fr)', isSorted, say: ({ state }) => t(`restore.queue.state.${state}`) },
    files: { track: '68px', isSorted },
    bytes: { track: '80px', isSorted },
    time: { track: '76px', isSorted },
  })
}
