import { useState } from 'react'
import type { Compression } from '../../../../src/contract/dto/survey'
import { codecTable } from '../../../../src/contract/tables/surveyTables'
import {
  formatBlockSize,
  formatRate,
  formatShare,
  formatSize,
  sizeWithRange,
  type Units,
} from '../../../../src/primitives/quantity'
import { type Column, csvOf } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { HowDoWeKnow } from '../../components/Figure'
import { Segments } from '../../components/Segments'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'
import { shownCodec, shownForecast } from './forecastColumns'
import { bestCodec, codecsAt, recordSizesOf } from './forecasts'

/** Above this share of the raw size a codec saves too little to be worth its time. */
const HARDLY_SHRINKS = 0.95
/**
 * The height of a table's row and its line: the space that the largest set of codecs needs is kept
 * for the others too.
 */
const ROW_PX = 31

/**
 * Every codec at what it leaves of the source, each file by itself or in records of a chosen size;
 * smallest first.
 */
export function CodecPanel({
  compression,
  totalBytes,
  units,
}: {
  compression: readonly Compression[]
  totalBytes: number
  units: Units
}) {
  const [wanted, setWanted] = useState<number | null>(null)
  const sizes = recordSizesOf(compression)
  const recordSize = sizes.includes(wanted) ? wanted : (sizes[0] ?? null)
  const rows = codecsAt(compression, recordSize)
  const tallest = Math.max(...sizes.map((size) => codecsAt(compression, size).length))
  const fastest = rows.reduce((most, row) => Math.max(most, row.bytesPerSecond), 0)
  const columns = columnsFor(totalBytes, units, rows[0], fastest)
  return (
    <TablePanel
      title={t('codecs.title')}
      says={sayBest(rows, totalBytes, units)}
      csv={() => ({ name: 'codecs', ...csvOf(columnsFor(totalBytes, units, undefined, 0), compression) })}
      above={
        <div className="choice-row line">
          <span className="muted">{t('codecs.scope')}</span>
          <Segments
            label={t('codecs.scope')}
            all={sizes.map(String)}
            chosen={String(recordSize)}
            words={(size) => (size === 'null' ? t('codecs.file') : formatBlockSize(Number(size)))}
            spoken={(size) =>
              size === 'null' ? t('codecs.file') : t('codecs.record', { size: formatBlockSize(Number(size)) })
            }
            onChange={(size) => setWanted(size === 'null' ? null : Number(size))}
          />
        </div>
      }
      keptPx={(tallest + 1) * ROW_PX}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.codec}
      visibleRows={12}
      isFar
      empty={t('forecast.none')}
    />
  )
}

function sayBest(rows: readonly Compression[], total: number, units: Units): string {
  const best = bestCodec(rows)
  if (!best || total === 0) return t('forecast.none')
  const values = {
    codec: codecName(best.codec),
    size: sizeWithRange({ ...best, bytes: best.predictedBytes }, units),
    share: formatShare(best.predictedBytes / total),
    saved: formatShare(Math.max(0, 1 - best.predictedBytes / total)),
  }
  return t(best.predictedBytes / total > HARDLY_SHRINKS ? 'codecs.says.hardly' : 'codecs.says', values)
}

function columnsFor(
  total: number,
  units: Units,
  best: Compression | undefined,
  fastest: number,
): Column<Compression>[] {
  return columnsOf(codecTable(total), units, {
    codec: shownCodec('minmax(136px, 1.300fr)', best, (row) => row.bytesPerSecond === fastest),
    size: shownForecast('88px', units, (row) =>
      t('basis.codec', { size: formatSize(row.sampledBytes, units) }),
    ),
    range: '76px',
    share: {
      track: 'minmax(92px, 1.200fr)',
      align: 'start',
      cell: (row) => <ShareBar row={row} total={total} winner={row === best} />,
      sortBy: (row) => row.predictedBytes,
    },
    speed: {
      track: '94px',
      cell: (row) => (
        <HowDoWeKnow
          className="figure-inline"
          label={t('codecs.speedOf', { codec: codecName(row.codec) })}
          exactly={formatRate(row.bytesPerSecond, units)}
          basis={{ provenance: 'measured', text: t('basis.codecSpeed') }}
          shown={{ number: formatRate(row.bytesPerSecond, units), unit: '' }}
        />
      ),
    },
  })
}

/** The share of the raw size as a bar from zero, with its range as a whisker. */
function ShareBar({ row, total, winner }: { row: Compression; total: number; winner: boolean }) {
  const part = (bytes: number) => (total === 0 ? 0 : Math.min(1, bytes / total))
  const low = part(row.low)
  const high = part(row.high)
  return (
    <span className="bar-cell">
      <span className="bar-track whole">
        <span
          className="bar"
          style={{
            width: `${part(row.predictedBytes) * 100}%`,
            background: winner ? 'var(--accent)' : 'var(--line-strong)',
          }}
        />
        <span className="whisker" style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
      </span>
      <span className="bar-number">{formatShare(part(row.predictedBytes))}</span>
    </span>
  )
}
