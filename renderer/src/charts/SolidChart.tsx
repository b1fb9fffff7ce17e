import type { ChartConfiguration } from 'chart.js'
import type { Solid } from '../../../src/contract/dto/survey'
import {
  formatBlockSize,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { t } from '../copy'
import { bandAndLine, shareAxis, sizeAxis } from './axes'
import { ChartCanvas, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'
import { pointLabels } from './pointLabels'
import { referenceLine } from './referenceLine'

interface SolidChartProps {
  /** The forecasts of one codec. */
  readonly solid: readonly Solid[]
  readonly totalBytes: number
  /** The size to compare with: each file compressed by itself with the best codec. */
  readonly reference: { readonly bytes: number; readonly name: string } | null
  readonly units: Units
  readonly height: number
}

const ORDERS = ['path', 'type', 'content'] as const
/** The shape of their points tells orders apart too. */
const POINTS = { path: 'triangle', type: 'rect', content: 'circle' } as const
const DASHES: Readonly<Record<Solid['order'], readonly number[]>> = {
  path: [2, 3],
  type: [7, 4],
  content: [],
}

/**
 * Size of one solid archive against the dictionary of its compressor, a line for each order of the
 * files.
 */
export function SolidChart({ solid, totalBytes, reference, units, height }: SolidChartProps) {
  const total = Math.max(1, totalBytes)
  const share = (bytes: number) => (bytes / total) * 100
  const lines = ORDERS.map((order) => ({
    order,
    rows: solid
      .filter((row) => row.order === order)
      .sort((one, other) => one.dictionaryBytes - other.dictionaryBytes),
  })).filter(({ rows }) => rows.length > 0)
  const walked = lines.flatMap(({ rows }, line) =>
    rows.map((row, index) => ({ dataset: 3 * line + 2, index, words: say(row, total, units) })),
  )
  const sizes = solid.map((row) => row.dictionaryBytes)
  const shares = [...solid.flatMap(({ low, high }) => [low, high]), reference?.bytes ?? 0]
    .filter((bytes) => bytes > 0)
    .map(share)
  const configure = (colours: ChartColours): ChartConfiguration => {
    const colourOf = { path: colours.muted, type: colours.ink, content: colours.accent } as const
    return {
      type: 'line',
      data: {
        datasets: lines.flatMap(({ order, rows }) =>
          bandAndLine(
            rows.map((row) => ({
              at: row.dictionaryBytes,
              value: share(row.predictedBytes),
              low: share(row.low),
              high: share(row.high),
            })),
            order === 'content' ? colours.band : colours.faint,
            colours.edge,
            {
              // Where lines lie on one another, the one that Stowage takes covers the others.
              ...(order === 'content' && { order: -1, borderWidth: 3 }),
              borderColor: colourOf[order],
              borderDash: [...DASHES[order]],
              pointStyle: POINTS[order],
              pointRadius: 4,
              pointHoverRadius: 7,
              pointBackgroundColor: colours.paper,
              pointBorderColor: colourOf[order],
              pointBorderWidth: 1.5,
            },
          ),
        ),
      },
      options: {
        layout: { padding: { top: 18, right: 74 } },
        scales: {
          x: sizeAxis(t('chart.solid.x'), Math.min(...sizes), Math.max(...sizes), colours),
          y: shareAxis(
            t('chart.solid.y'),
            Math.max(0, Math.floor((Math.min(...shares) - 2) / 5) * 5),
            Math.ceil((Math.max(...shares) + 1) / 5) * 5,
            colours,
          ),
        },
        plugins: {
          tooltip: wordsTooltip(colours, walked),
        },
      },
      plugins: [
        ...(reference === null
          ? []
          : [
              referenceLine(
                share(reference.bytes),
                t('chart.solid.reference', {
                  codec: reference.name,
                  size: formatSize(reference.bytes, units),
                }),
                colours,
              ),
            ]),
        pointLabels(
          lines.map(({ order, rows }, line) => ({
            dataset: 3 * line + 2,
            index: rows.length - 1,
            text: t(`order.${order}`),
            strong: order === 'content',
          })),
          lines.map((_, line) => 3 * line + 2),
          colours,
        ),
      ],
    }
  }
  return (
    <ChartCanvas
      label={t('chart.solid.label')}
      configure={configure}
      version={`${units} ${total} ${reference?.bytes} ${solid.map((row) => `${row.predictedBytes} ${row.low}`).join()}`}
      points={walked}
      height={height}
    />
  )
}

function say(row: Solid, total: number, units: Units): string {
  const name = t('chart.solid.name', {
    order: t(`order.${row.order}`),
    size: formatBlockSize(row.dictionaryBytes),
  })
  const point = t('chart.solid.point', {
    size: formatSize(row.predictedBytes, units),
    exact: formatExactBytes(row.predictedBytes),
    share: formatShare(row.predictedBytes / total),
  })
  const range = t('chart.range', { low: formatSize(row.low, units), high: formatSize(row.high, units) })
  return `${name}: ${point}; ${range}; ${t('provenance.modelled')}`
}
