import type { ChartConfiguration } from 'chart.js'
import type { Chunked, FixedBlock } from '../../../src/contract/dto/survey'
import {
  formatBlockSize,
  formatChunkSize,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { t } from '../copy'
import { chunkerName } from '../format/permanentNames'
import { bandAndLine, shareAxis, sizeAxis } from './axes'
import { ChartCanvas, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { type PointWords, pointLabels, whiskers } from './pointLabels'
import { referenceLine } from './referenceLine'

interface DedupChartProps {
  readonly blocks: readonly FixedBlock[]
  /** The same for chunks as other programs cut them. */
  readonly chunked: readonly Chunked[]
  /** All bytes that were read: the total size, which the dashed line shows. */
  readonly totalBytes: number
  readonly units: Units
  readonly height: number
}

const LINE = 2
const POINTS = 3

/** Unique share of the bytes against block size: the lower, the more repeats at that size. */
export function DedupChart({ blocks, chunked, totalBytes, units, height }: DedupChartProps) {
  const total = Math.max(1, totalBytes)
  const share = (bytes: number) => (bytes / total) * 100
  const best = blocks.reduce(
    (low, block, index) => (block.uniqueBytes < (blocks[low]?.uniqueBytes ?? 0) ? index : low),
    0,
  )
  const walked = [
    ...blocks.map((block, index) => ({
      size: block.blockSize,
      dataset: LINE,
      index,
      words: sayBlock(block, total, units),
    })),
    ...chunked.map((each, index) => ({
      size: each.averageSize,
      dataset: POINTS,
      index,
      words: sayChunked(each, total, units),
    })),
  ].sort((one, other) => one.size - other.size)
  const sizes = walked.map(({ size }) => size)
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'line',
    data: {
      datasets: [
        ...bandAndLine(
          blocks.map((block) => ({
            at: block.blockSize,
            value: share(block.uniqueBytes),
            low: share(block.low),
            high: share(block.high),
          })),
          colours.band,
          colours.edge,
          {
            borderColor: colours.accent,
            pointRadius: blocks.map((_, index) => (index === best ? 5 : 3)),
            pointHoverRadius: 6,
            pointBackgroundColor: blocks.map((_, index) => (index === best ? colours.accent : colours.paper)),
            pointBorderColor: colours.accent,
            pointBorderWidth: 1.5,
          },
        ),
        {
          data: chunked.map((each) => ({ x: Math.log2(each.averageSize), y: share(each.uniqueBytes) })),
          showLine: false,
          clip: false as const,
          pointStyle: 'rectRot',
          pointRadius: 5,
          pointHoverRadius: 7,
          pointBackgroundColor: colours.ink,
          pointBorderColor: colours.paper,
          pointHoverBackgroundColor: colours.ink,
          pointBorderWidth: 1,
        },
      ],
    },
    options: {
      layout: { padding: { top: 18, right: 12 } },
      scales: {
        x: sizeAxis(t('chart.dedup.x'), Math.min(2 ** 20, ...sizes), Math.max(2 ** 12, ...sizes), colours),
        y: shareAxis(
          t('chart.dedup.y'),
          floorOf([...blocks, ...chunked].map(({ low }) => share(low))),
          100,
          colours,
        ),
      },
      plugins: {
        tooltip: wordsTooltip(colours, walked),
      },
    },
    plugins: [
      whiskers(
        POINTS,
        chunked.map((each) => ({ low: share(each.low), high: share(each.high) })),
        colours,
      ),
      referenceLine(100, t('chart.dedup.raw', { size: formatSize(totalBytes, units) }), colours),
      pointLabels(
        [
          ...bestLabel(blocks, best, units),
          ...chunked.map((each, index) => ({
            dataset: POINTS,
            index,
            text: chunkerName(each.chunker),
            range: { low: share(each.low), high: share(each.high) },
          })),
        ],
        [LINE],
        colours,
      ),
    ],
  })
  return (
    <ChartCanvas
      label={t('chart.dedup.label')}
      configure={configure}
      version={`${units} ${total} ${[...blocks, ...chunked].map(({ uniqueBytes, low }) => `${uniqueBytes} ${low}`).join()}`}
      points={walked}
      height={height}
    />
  )
}

function sayBlock(block: FixedBlock, total: number, units: Units): string {
  const parts = [sayShare(block.uniqueBytes, total, units)]
  if (!block.exact)
    parts.push(t('chart.range', { low: formatSize(block.low, units), high: formatSize(block.high, units) }))
  parts.push(t(block.exact ? 'provenance.exact' : 'provenance.modelled'))
  return `${formatBlockSize(block.blockSize)}: ${parts.join('; ')}`
}

function sayChunked(each: Chunked, total: number, units: Units): string {
  const name = t('chart.dedup.chunker', {
    name: chunkerName(each.chunker),
    size: formatChunkSize(each.averageSize),
  })
  const range = t('chart.range', { low: formatSize(each.low, units), high: formatSize(each.high, units) })
  return `${name}: ${sayShare(each.uniqueBytes, total, units)}; ${range}; ${t('provenance.modelled')}`
}

function sayShare(uniqueBytes: number, total: number, units: Units): string {
  return t('chart.dedup.point', {
    share: formatShare(uniqueBytes / total),
    size: formatSize(uniqueBytes, units),
    exact: formatExactBytes(uniqueBytes),
  })
}

function bestLabel(blocks: readonly FixedBlock[], best: number, units: Units): PointWords[] {
  const block = blocks[best]
  if (!block) return []
  const text = t('chart.dedup.best', {
    size: formatSize(block.uniqueBytes, units),
    block: formatBlockSize(block.blockSize),
  })
  return [{ dataset: LINE, index: best, text, strong: true }]
}

/**
 * The axis begins at the ten below the lowest figure, so that a curve between 60 and 100 % can be
 * read.
 */
function floorOf(lows: readonly number[]): number {
  return Math.max(0, Math.floor((Math.min(100, ...lows) - 5) / 10) * 10)
}
