import {
  formatBlockSize,
  formatCount,
  formatExactBytes,
  formatShare,
  formatSizeRange,
  sizeQuantity,
  type Units,
} from '../../../src/primitives/quantity'
import { DedupChart } from '../charts/DedupChart'
import { type Column, csvOf, DataTable } from '../components/DataTable'
import { HowDoWeKnow, Size } from '../components/Figure'
import { Panel } from '../components/Panel'
import { t } from '../copy'
import { bestBlock, type SurveyFigures } from '../state/survey'

type Block = SurveyFigures['fixedBlocks'][number]
export const CHART_PX = 288

/** Unique share against block size, as a curve and as its table. */
export function DedupPanel({ figures, units }: { figures: SurveyFigures | null; units: Units }) {
  const blocks = figures?.fixedBlocks ?? []
  const total = figures?.totals.bytes ?? 0
  const best = figures ? bestBlock(figures) : null
  const columns = columnsFor(total, units)
  const says =
    best === null || total === 0
      ? t('dedup.says.none')
      : best.uniqueBytes === total
        ? t('dedup.says.nothing')
        : t('dedup.says', {
            block: formatBlockSize(best.blockSize),
            share: formatShare(1 - best.uniqueBytes / total),
          })
  return (
    <Panel
      title={t('dedup.title')}
      says={says}
      chart={
        blocks.length === 0 || total === 0 ? (
          <div className="chart-absent" style={{ height: CHART_PX }} />
        ) : (
          <DedupChart blocks={blocks} totalBytes={total} units={units} height={CHART_PX} />
        )
      }
      table={
        <div style={{ minHeight: CHART_PX }}>
          <DataTable
            label={t('dedup.title')}
            columns={columns}
            rows={blocks}
            rowKey={(block) => block.blockSize}
            visibleRows={12}
            empty={t('dedup.says.none')}
          />
        </div>
      }
      csv={
        blocks.length === 0 ? undefined : () => ({ name: 'dedup-by-block-size', ...csvOf(columns, blocks) })
      }
    />
  )
}

function columnsFor(total: number, units: Units): Column<Block>[] {
  return [
    {
      key: 'block',
      header: t('column.blockSize'),
      track: 'minmax(76px, 1fr)',
      align: 'end',
      cell: (block) => formatBlockSize(block.blockSize),
      sortBy: (block) => block.blockSize,
      csv: (block) => block.blockSize,
      csvHeader: 'block_size_bytes',
    },
    {
      key: 'unique',
      header: t('column.unique'),
      track: 'minmax(84px, 1fr)',
      align: 'end',
      cell: (block) => <Size bytes={block.uniqueBytes} units={units} />,
      sortBy: (block) => block.uniqueBytes,
      csv: (block) => block.uniqueBytes,
      csvHeader: 'unique_bytes',
      csvMore: [
        { header: 'low_bytes', csv: (block) => block.low },
        { header: 'high_bytes', csv: (block) => block.high },
      ],
    },
    {
      key: 'range',
      header: t('column.range'),
      track: 'minmax(84px, 1fr)',
      align: 'end',
      cell: (block) => (
        <span className="muted">
          {block.exact ? t('range.none') : formatSizeRange(block.uniqueBytes, block.low, block.high, units)}
        </span>
      ),
    },
    {
      key: 'share',
      header: t('column.share'),
      track: 'minmax(70px, 1fr)',
      align: 'end',
      cell: (block) => formatShare(total === 0 ? 1 : block.uniqueBytes / total),
      sortBy: (block) => block.uniqueBytes,
      csv: (block) => (total === 0 ? 1 : block.uniqueBytes / total),
      csvHeader: 'unique_share',
    },
    {
      key: 'blocks',
      header: t('column.uniqueBlocks'),
      track: 'minmax(104px, 1.200fr)',
      align: 'end',
      cell: (block) => formatCount(block.uniqueBlocks),
      sortBy: (block) => block.uniqueBlocks,
      csv: (block) => block.uniqueBlocks,
      csvHeader: 'unique_blocks',
    },
    {
      key: 'zero',
      header: t('column.zero'),
      track: 'minmax(76px, 1fr)',
      align: 'end',
      cell: (block) => <Size bytes={block.zeroBytes} units={units} />,
      sortBy: (block) => block.zeroBytes,
      csv: (block) => block.zeroBytes,
      csvHeader: 'zero_bytes',
    },
    {
      key: 'mark',
      header: '',
      track: '28px',
      align: 'end',
      cell: (block) => (
        <HowDoWeKnow
          className="mark-button"
          label={formatBlockSize(block.blockSize)}
          exactly={formatExactBytes(block.uniqueBytes)}
          unit={sizeQuantity(block.uniqueBytes, units).unit}
          basis={
            block.exact
              ? {
                  provenance: 'exact',
                  text: t('basis.blocks.exact', { block: formatBlockSize(block.blockSize) }),
                }
              : {
                  provenance: 'modelled',
                  text: t('basis.blocks.sketch'),
                  range: formatSizeRange(block.uniqueBytes, block.low, block.high, units),
                }
          }
        />
      ),
      csv: (block) => (block.exact ? 'exact' : 'modelled'),
      csvHeader: 'provenance',
    },
  ]
}
