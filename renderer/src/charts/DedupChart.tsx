import type { ChartConfiguration } from 'chart.js'
import type { FixedBlock } from '../../../src/contract/dto/survey'
import {
  formatBlockSize,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { t } from '../copy'
import { ChartCanvas, tooltipStyle } from './ChartCanvas'
import type { ChartColours } from './colours'
import { pointLabel, referenceLine } from './referenceLine'

interface DedupChartProps {
  readonly blocks: readonly FixedBlock[]
  /** All bytes that were read: the raw size that the dashed line stands for. */
  readonly totalBytes: number
  readonly units: Units
  readonly height: number
}

/** Unique share of the bytes against block size: the lower, the more repeats at that size. */
export function DedupChart({ blocks, totalBytes, units, height }: DedupChartProps) {
  const total = Math.max(1, totalBytes)
  const points = blocks.map((block) => readOut(block, total, units))
  const best = blocks.reduce(
    (low, block, index) => (block.uniqueBytes < (blocks[low]?.uniqueBytes ?? 0) ? index : low),
    0,
  )
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: {
      datasets: [
        {
          data: blocks.map((block) => ({ x: Math.log2(block.blockSize), y: (block.high / total) * 100 })),
          borderWidth: 0,
          pointRadius: 0,
          pointHitRadius: 0,
          fill: '+1',
          backgroundColor: colours.band,
        },
        {
          data: blocks.map((block) => ({ x: Math.log2(block.blockSize), y: (block.low / total) * 100 })),
          borderWidth: 0,
          pointRadius: 0,
          pointHitRadius: 0,
          fill: false,
        },
        {
          data: blocks.map((block) => ({
            x: Math.log2(block.blockSize),
            y: (block.uniqueBytes / total) * 100,
          })),
          borderColor: colours.accent,
          borderWidth: 2,
          pointRadius: blocks.map((_, index) => (index === best ? 5 : 3)),
          pointHoverRadius: 6,
          clip: false,
          pointBackgroundColor: blocks.map((_, index) => (index === best ? colours.accent : colours.paper)),
          pointBorderColor: colours.accent,
          pointBorderWidth: 1.5,
          fill: false,
        },
      ],
    },
    options: {
      layout: { padding: { top: 18, right: 12 } },
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      scales: {
        x: {
          type: 'linear',
          min: Math.log2(blocks[0]?.blockSize ?? 2048),
          max: Math.log2(blocks[blocks.length - 1]?.blockSize ?? 1048576),
          border: { color: colours.hairline },
          grid: { display: false },
          ticks: {
            stepSize: 1,
            color: colours.muted,
            font: { family: colours.face, size: 12 },
            maxRotation: 0,
            callback: (value) => formatBlockSize(2 ** Number(value)),
          },
          title: {
            display: true,
            text: t('chart.dedup.x'),
            color: colours.muted,
            font: { family: colours.face, size: 12 },
          },
        },
        y: {
          min: floorOf(blocks, total),
          max: 100,
          border: { display: false },
          grid: { color: colours.grid },
          ticks: {
            maxTicksLimit: 6,
            color: colours.muted,
            font: { family: colours.face, size: 12 },
            callback: (value) => `${value} %`,
          },
          title: {
            display: true,
            text: t('chart.dedup.y'),
            color: colours.muted,
            font: { family: colours.face, size: 12 },
          },
        },
      },
      plugins: {
        tooltip: {
          ...tooltipStyle(colours),
          filter: (item) => item.datasetIndex === 2,
          callbacks: {
            title: (items) => formatBlockSize(blocks[items[0]?.dataIndex ?? 0]?.blockSize ?? 0),
            label: (item) => (points[item.dataIndex] ?? '').split(': ').slice(1).join(': ').split('; '),
          },
        },
      },
    },
    plugins: [
      referenceLine(100, t('chart.dedup.raw', { size: formatSize(totalBytes, units) }), colours),
      pointLabel(bestLabel(blocks, best, units), colours),
    ],
  })
  return (
    <ChartCanvas
      label={t('chart.dedup.label')}
      configure={configure}
      version={`${units} ${total} ${blocks.map((block) => block.uniqueBytes).join()}`}
      points={points}
      walk={2}
      height={height}
    />
  )
}

function readOut(block: FixedBlock, total: number, units: Units): string {
  const parts = [
    t('chart.dedup.point', {
      share: formatShare(block.uniqueBytes / total),
      size: formatSize(block.uniqueBytes, units),
      exact: formatExactBytes(block.uniqueBytes),
    }),
  ]
  if (!block.exact)
    parts.push(t('chart.range', { low: formatSize(block.low, units), high: formatSize(block.high, units) }))
  parts.push(t(block.exact ? 'provenance.exact' : 'provenance.modelled'))
  return `${formatBlockSize(block.blockSize)}: ${parts.join('; ')}`
}

function bestLabel(blocks: readonly FixedBlock[], best: number, units: Units) {
  const block = blocks[best]
  if (!block) return null
  const text = t('chart.dedup.best', {
    size: formatSize(block.uniqueBytes, units),
    block: formatBlockSize(block.blockSize),
  })
  return { dataset: 2, index: best, text }
}

/** The axis begins at the ten below the lowest figure, so that a curve between 60 and 100 % can be read. */
function floorOf(blocks: readonly FixedBlock[], total: number): number {
  const lowest = Math.min(100, ...blocks.map((block) => (block.low / total) * 100))
  return Math.max(0, Math.floor((lowest - 5) / 10) * 10)
}
