import type { ChartConfiguration } from 'chart.js'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import {
  formatBlockSize,
  formatCount,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { t } from '../copy'
import { ChartCanvas, tooltipStyle } from './ChartCanvas'
import type { ChartColours } from './colours'

export type SizeBin = SurveyDocument['sizeHistogram'][number]

/** Share of the files and share of the bytes by file size, side by side: many small files are not many bytes. */
export function SizeChart({
  bins,
  units,
  height,
}: {
  bins: readonly SizeBin[]
  units: Units
  height: number
}) {
  const files = Math.max(
    1,
    sum(bins, (bin) => bin.files),
  )
  const bytes = Math.max(
    1,
    sum(bins, (bin) => bin.bytes),
  )
  const points = bins.map((bin) =>
    t('chart.sizes.point', {
      range: binName(bin),
      files: formatCount(bin.files),
      fileShare: formatShare(bin.files / files),
      size: formatSize(bin.bytes, units),
      byteShare: formatShare(bin.bytes / bytes),
    }),
  )
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'bar',
    data: {
      labels: bins.map((bin) => shortBinName(bin)),
      datasets: [
        {
          data: bins.map((bin) => (bin.files / files) * 100),
          backgroundColor: colours.strong,
          categoryPercentage: 0.78,
          barPercentage: 0.95,
        },
        {
          data: bins.map((bin) => (bin.bytes / bytes) * 100),
          backgroundColor: colours.accent,
          categoryPercentage: 0.78,
          barPercentage: 0.95,
        },
      ],
    },
    options: {
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          border: { color: colours.hairline },
          grid: { display: false },
          ticks: {
            color: colours.muted,
            font: { family: colours.face, size: 12 },
            maxRotation: 0,
            autoSkipPadding: 10,
          },
          title: {
            display: true,
            text: t('chart.sizes.x'),
            color: colours.muted,
            font: { family: colours.face, size: 12 },
          },
        },
        y: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: colours.grid },
          ticks: {
            maxTicksLimit: 5,
            color: colours.muted,
            font: { family: colours.face, size: 12 },
            callback: (value) => `${value} %`,
          },
        },
      },
      plugins: {
        tooltip: {
          ...tooltipStyle(colours),
          filter: (item) => item.datasetIndex === 1,
          callbacks: {
            title: (items) => binName(bins[items[0]?.dataIndex ?? 0]),
            label: (item) => (points[item.dataIndex] ?? '').split(': ').slice(1).join(': ').split('; '),
          },
        },
      },
    },
  })
  return (
    <ChartCanvas
      label={t('chart.sizes.label')}
      configure={configure}
      version={`${units} ${bins.map((bin) => `${bin.files} ${bin.bytes}`).join()}`}
      points={points}
      walk={1}
      height={height}
    />
  )
}

/** `1 KiB to 4 KiB`, `empty`, `1 GiB and more`. */
export function binName(bin: SizeBin | undefined): string {
  if (!bin) return ''
  if (bin.toBytes === null) return t('sizes.from', { from: formatBlockSize(bin.fromBytes) })
  if (bin.fromBytes === 0 && bin.toBytes <= 1) return t('sizes.empty')
  return t('sizes.between', { from: formatBlockSize(bin.fromBytes), to: formatBlockSize(bin.toBytes) })
}

function shortBinName(bin: SizeBin): string {
  if (bin.fromBytes === 0 && bin.toBytes !== null && bin.toBytes <= 1) return t('sizes.empty')
  return `${formatBlockSize(bin.fromBytes)}${bin.toBytes === null ? '+' : ''}`
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
