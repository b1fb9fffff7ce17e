import { CHUNKER_NOTES } from '../../../../src/contract/dto/chunkerNotes'
import type { Chunked, FixedBlock } from '../../../../src/contract/dto/survey'
import {
  formatBlockSize,
  formatChunkSize,
  formatExactBytes,
  formatShare,
  formatSizeRange,
  sizeQuantity,
  type Units,
} from '../../../../src/primitives/quantity'
import { DedupChart } from '../../charts/DedupChart'
import { countColumn, figureColumn, markColumn, sizeColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { chunkerName } from '../../format/permanentNames'
import { bestBlock, type SurveyFigures } from './surveyState'

const CHART_PX = 330

/** One way of cutting the files: blocks of one size, or chunks as a program cuts them. */
interface Cut {
  readonly name: string
  /** Null for fixed blocks, else the chunker's permanent name. */
  readonly chunker: string | null
  readonly size: number
  readonly uniqueBytes: number
  readonly low: number
  readonly high: number
  readonly exact: boolean
  readonly pieces: number
  readonly zeroBytes: number | null
}

/** Unique share by block size, with the chunkers, as a curve and as its table. */
export function DedupPanel({ figures, units }: { figures: SurveyFigures | null; units: Units }) {
  const blocks = figures?.fixedBlocks ?? []
  const chunked = figures?.chunked ?? []
  const total = figures?.totals.bytes ?? 0
  const cuts = [...blocks.map(cutOfBlock), ...chunked.map(cutOfChunks)]
  const columns = columnsFor(total, units)
  return (
    <TablePanel
      title={t('dedup.title')}
      says={
        <>
          {sayBest(figures, total)}
          {chunked.length > 0 && <span className="says-key"> {t('dedup.says.chunkers')}</span>}
        </>
      }
      chart={
        blocks.length === 0 || total === 0 ? null : (
          <DedupChart blocks={blocks} chunked={chunked} totalBytes={total} units={units} height={CHART_PX} />
        )
      }
      keptPx={CHART_PX}
      columns={columns}
      rows={cuts}
      rowKey={(cut) => `${cut.chunker} ${cut.size}`}
      visibleRows={20}
      empty={t('dedup.says.none')}
      csv="dedup-by-block-size"
    />
  )
}

function sayBest(figures: SurveyFigures | null, total: number): string {
  const best = figures ? bestBlock(figures) : null
  if (best === null || total === 0) return t('dedup.says.none')
  if (best.uniqueBytes === total) return t('dedup.says.nothing')
  return t('dedup.says', {
    block: formatBlockSize(best.blockSize),
    share: formatShare(1 - best.uniqueBytes / total),
  })
}

function cutOfBlock(block: FixedBlock): Cut {
  return {
    name: t('dedup.blocks', { size: formatBlockSize(block.blockSize) }),
    chunker: null,
    size: block.blockSize,
    uniqueBytes: block.uniqueBytes,
    low: block.low,
    high: block.high,
    exact: block.exact,
    pieces: block.uniqueBlocks,
    zeroBytes: block.zeroBytes,
  }
}

/** Chunks of another program are never exact: its boundaries are its own. */
function cutOfChunks(each: Chunked): Cut {
  return {
    name: chunkerName(each.chunker),
    chunker: each.chunker,
    size: each.averageSize,
    uniqueBytes: each.uniqueBytes,
    low: each.low,
    high: each.high,
    exact: false,
    pieces: each.uniqueChunks,
    zeroBytes: null,
  }
}

function chunksBasis({ name, size }: Cut, chunker: string): string {
  const basis = t('basis.chunks', { name, size: formatChunkSize(size) })
  const note = CHUNKER_NOTES[chunker]
  return note === undefined ? basis : `${basis} ${note}`
}

function columnsFor(total: number, units: Units): Column<Cut>[] {
  return [
    {
      key: 'cut',
      header: t('column.cut'),
      track: 'minmax(118px, 1.500fr)',
      cell: (cut) => cut.name,
      sortBy: (cut) => cut.name,
      csv: { cut_by: (cut) => cut.chunker ?? 'fixed' },
    },
    {
      key: 'block',
      header: t('column.blockSize'),
      track: 'minmax(76px, 1fr)',
      align: 'end',
      cell: (cut) => (cut.chunker === null ? formatBlockSize(cut.size) : `~ ${formatChunkSize(cut.size)}`),
      sortBy: (cut) => cut.size,
      csv: { block_size_bytes: (cut) => cut.size },
    },
    {
      ...sizeColumn<Cut>(units, 'unique', t('column.unique'), 'minmax(84px, 1fr)', (cut) => cut.uniqueBytes),
      csv: {
        unique_bytes: (cut) => cut.uniqueBytes,
        low_bytes: (cut) => cut.low,
        high_bytes: (cut) => cut.high,
      },
    },
    {
      key: 'range',
      header: t('column.range'),
      track: 'minmax(84px, 1fr)',
      align: 'end',
      cell: (cut) => (
        <span className="muted">
          {cut.exact ? t('range.none') : formatSizeRange(cut.uniqueBytes, cut.low, cut.high, units)}
        </span>
      ),
    },
    {
      key: 'share',
      header: t('column.share'),
      track: 'minmax(64px, 1fr)',
      align: 'end',
      cell: (cut) => formatShare(total === 0 ? 1 : cut.uniqueBytes / total),
      sortBy: (cut) => cut.uniqueBytes,
      csv: { unique_share: (cut) => (total === 0 ? 1 : cut.uniqueBytes / total) },
    },
    countColumn('unique_blocks', t('column.uniqueBlocks'), 'minmax(100px, 1.200fr)', (cut) => cut.pieces),
    figureColumn(
      'zero_bytes',
      t('column.zero'),
      'minmax(72px, 1fr)',
      (cut) => cut.zeroBytes,
      (bytes) => <Size bytes={bytes} units={units} />,
      <span className="muted">–</span>,
    ),
    {
      ...markColumn((cut) => ({
        label: cut.name,
        exactly: formatExactBytes(cut.uniqueBytes),
        unit: sizeQuantity(cut.uniqueBytes, units).unit,
        basis: cut.exact
          ? {
              provenance: 'exact',
              text: t('basis.blocks.exact', { block: formatBlockSize(cut.size) }),
            }
          : {
              provenance: 'modelled',
              text: cut.chunker === null ? blocksBasis(cut) : chunksBasis(cut, cut.chunker),
              range: formatSizeRange(cut.uniqueBytes, cut.low, cut.high, units),
            },
      })),
      csv: { provenance: (cut) => (cut.exact ? 'exact' : 'modelled') },
    },
  ]
}

/** Without a range nothing was estimated: not all of the source has been read. */
function blocksBasis({ low, high }: Cut): string {
  return t(low === high ? 'basis.partial' : 'basis.blocks.sketch')
}
