import { useState } from 'react'
import { Input, TextField } from 'react-aria-components'
import { type Combined, smallestOf } from '../../../../src/contract/dto/survey'
import { DEFAULT_ENTRY_BYTES, TABLE_FORMATS, tableBytes } from '../../../../src/contract/dto/tableFormats'
import { combinedTable } from '../../../../src/contract/tables/surveyTables'
import { typedNumbers } from '../../../../src/primitives/figureLanguage'
import {
  formatBlockSize,
  formatCount,
  formatExactBytes,
  formatShare,
  formatSize,
  sizeQuantity,
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
import { combinedWays, rowsOfWay, wayOf } from './combined'
import { shownCodec, shownForecast } from './forecastColumns'

const ROW_PX = 31
/** A table's entry can be from a bare hash to what someone measured on a pool of theirs. */
const MOST_ENTRY_BYTES = 100_000

/**
 * Compression and deduplication together: every way of doing both, with the memory that its table
 * takes.
 */
export function CombinedPanel({
  combined,
  totalBytes,
  units,
}: {
  combined: readonly Combined[]
  totalBytes: number
  units: Units
}) {
  const ways = combinedWays(combined)
  const [wanted, setWanted] = useState<string | null>(null)
  const [entryBytes, setEntryBytes] = useState(DEFAULT_ENTRY_BYTES)
  const way = ways.find((one) => one === wanted) ?? ways[0] ?? ''
  const rows = rowsOfWay(combined, way)
  const tallest = Math.min(12, Math.max(...ways.map((one) => rowsOfWay(combined, one).length)))
  const best = smallestOf(rows) ?? undefined
  const columns = columnsFor(totalBytes, units, entryBytes, best)
  return (
    <TablePanel
      title={t('combined.title')}
      says={sayBest(best, totalBytes, entryBytes, units)}
      csv={() => ({ name: 'combined', ...csvOf(columns, combined) })}
      above={
        <>
          <div className="choice-row line">
            <span className="muted">{t('combined.way')}</span>
            <Segments
              label={t('combined.way')}
              all={ways}
              chosen={way}
              words={(one) => t(`combined.way.${one}` as 'combined.way')}
              onChange={setWanted}
            />
          </div>
          <EntryBytes value={entryBytes} onChange={setEntryBytes} />
        </>
      }
      keptPx={(tallest + 1) * ROW_PX}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.codec} ${row.recordSize}`}
      visibleRows={12}
      isFar
      empty={t('forecast.none')}
    />
  )
}

/** The bytes of an entry of the table: of one of the known formats, or a custom figure. */
function EntryBytes({ value, onChange }: { value: number; onChange: (bytes: number) => void }) {
  const [typed, setTyped] = useState('')
  const wrong = typed !== '' && !isEntry(Number(typedNumbers(typed)))
  const format = TABLE_FORMATS.find((one) => one.entryBytes === value && typed === '')
  return (
    <div className="choice-row line">
      <span className="muted">{t('combined.entry')}</span>
      <Segments
        label={t('combined.entry')}
        all={TABLE_FORMATS.map(({ id }) => id)}
        chosen={format?.id ?? null}
        words={(id) => t(`combined.entry.${id}`, { size: formatBlockSize(entryBytesOf(id)) })}
        onChange={(id) => {
          setTyped('')
          onChange(entryBytesOf(id))
        }}
      />
      <TextField
        className="field entry-own"
        aria-label={t('combined.entry.own')}
        value={typed}
        isInvalid={wrong}
        onChange={(text) => {
          setTyped(text)
          const bytes = Number(typedNumbers(text))
          if (text === '') onChange(DEFAULT_ENTRY_BYTES)
          else if (isEntry(bytes)) onChange(bytes)
        }}
      >
        <Input placeholder={t('combined.entry.own')} inputMode="numeric" />
      </TextField>
      {wrong && <span className="field-note bad">{t('combined.entry.wrong')}</span>}
    </div>
  )
}

function isEntry(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes > 0 && bytes <= MOST_ENTRY_BYTES
}

function entryBytesOf(id: (typeof TABLE_FORMATS)[number]['id']): number {
  return TABLE_FORMATS.find((one) => one.id === id)?.entryBytes ?? DEFAULT_ENTRY_BYTES
}

function sayBest(best: Combined | undefined, total: number, entryBytes: number, units: Units): string {
  if (!best || total === 0) return t('forecast.none')
  const values = {
    codec: codecName(best.codec),
    size: sizeWithRange({ ...best, bytes: best.predictedBytes }, units),
    share: formatShare(best.predictedBytes / total),
    memory: formatSize(tableBytes(best.tableEntries, entryBytes), units),
  }
  return best.recordSize === null
    ? t('combined.says.files', values)
    : t('combined.says', { ...values, record: formatBlockSize(best.recordSize) })
}

function columnsFor(
  total: number,
  units: Units,
  entryBytes: number,
  best: Combined | undefined,
): Column<Combined>[] {
  return columnsOf(combinedTable(total, entryBytes), units, {
    record: {
      track: '92px',
      align: 'end',
      say: (row) => (row.recordSize === null ? t('combined.wholeFile') : formatBlockSize(row.recordSize)),
      sortBy: (row) => row.recordSize ?? 0,
    },
    codec: shownCodec('minmax(110px, 1fr)', best),
    size: shownForecast('96px', units, (row) => t(`basis.${wayOf(row)}` as 'basis.zfs-512')),
    range: '96px',
    share: '72px',
    entries: { track: '116px', cell: (row) => <Entries row={row} /> },
    table_bytes: {
      track: '92px',
      cell: (row) => <Memory row={row} entryBytes={entryBytes} units={units} />,
    },
  })
}

function Entries({ row }: { row: Combined }) {
  const { tableEntries, tableEntriesLow, tableEntriesHigh } = row
  const isExact = tableEntriesLow === tableEntriesHigh
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={t('column.entries')}
      exactly={formatCount(tableEntries)}
      basis={{
        provenance: isExact ? 'exact' : 'modelled',
        text: t(isExact ? 'basis.entries.exact' : 'basis.entries'),
        ...(isExact ? {} : { range: `${formatCount(tableEntriesLow)}–${formatCount(tableEntriesHigh)}` }),
      }}
      shown={{ number: formatCount(tableEntries), unit: '' }}
    />
  )
}

function Memory({ row, entryBytes, units }: { row: Combined; entryBytes: number; units: Units }) {
  const bytes = tableBytes(row.tableEntries, entryBytes)
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={t('column.memory')}
      exactly={formatExactBytes(bytes)}
      basis={{ provenance: 'assumed', text: t('basis.tableMemory', { size: formatBlockSize(entryBytes) }) }}
      shown={sizeQuantity(bytes, units)}
    />
  )
}
