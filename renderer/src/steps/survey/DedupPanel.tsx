import { CHUNKER_NOTES } from '../../../../src/contract/dto/chunkerNotes'
import { type Cut, cutOfBlock, cutOfChunks, cutTable } from '../../../../src/contract/tables/surveyTables'
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
import { shownMark } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { chunkerName } from '../../format/permanentNames'
import { bestBlock, type SurveyFigures } from './surveyState'

const CHART_PX = 330

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

function nameOf({ chunker, size }: Cut): string {
  return chunker === null ? t('dedup.blocks', { size: formatBlockSize(size) }) : chunkerName(chunker)
}

function chunksBasis(cut: Cut, chunker: string): string {
  const basis = t('basis.chunks', { name: nameOf(cut), size: formatChunkSize(cut.size) })
  const note = CHUNKER_NOTES[chunker]
  return note === undefined ? basis : `${basis} ${note}`
}

function columnsFor(total: number, units: Units): Column<Cut>[] {
  return columnsOf(cutTable(total), units, {
    cut_by: { track: 'minmax(118px, 1.500fr)', say: nameOf, sortBy: nameOf },
    block_size_bytes: {
      track: 'minmax(76px, 1fr)',
      cell: ({ chunker, size }) => (chunker === null ? formatBlockSize(size) : `~ ${formatChunkSize(size)}`),
    },
    unique_bytes: 'minmax(84px, 1fr)',
    range: 'minmax(84px, 1fr)',
    share: 'minmax(64px, 1fr)',
    unique_blocks: 'minmax(100px, 1.200fr)',
    zero_bytes: { track: 'minmax(72px, 1fr)', absent: <span className="muted">–</span> },
    provenance: shownMark((cut) => ({
      label: nameOf(cut),
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
  })
}

/** Without a range nothing was estimated: not all of the source has been read. */
function blocksBasis({ low, high }: Cut): string {
  return t(low === high ? 'basis.partial' : 'basis.blocks.sketch')
}
