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
import { amountAxis, classAxis } from './axes'
import { ChartCanvas, pointsOf, wordsTooltip } from './ChartCanvas'
import type { ChartColours } from './colours'

export type SizeBin = SurveyDocument['sizeHistogram'][number]
export type Amount = Pick<SizeBin, 'files' | 'bytes'>

/**
 * Share of the files and share of the bytes by file size, side by side: many small files are not
 * many bytes.
 */
export function SizeChart({
  bins,
  within,
  units,
  height,
  onPick,
}: {
  bins: readonly SizeBin[]
  /** The selected part of each bin, with its name; null when nothing is selected. */
  within: { readonly amounts: readonly Amount[]; readonly name: string } | null
  units: Units
  height: number
  onPick: (bin: number) => void
}) {
  const total = { files: sum(bins, 'files'), bytes: sum(bins, 'bytes') }
  const amounts = within?.amounts ?? bins
  const words = bins.map((bin, index) => {
    const whole = t('chart.sizes.point', {
      range: binName(bin),
      files: formatCount(bin.files),
      fileShare: formatShare(bin.files / total.files),
      size: formatSize(bin.bytes, units),
      byteShare: formatShare(bin.bytes / total.bytes),
    })
    const amount = within?.amounts[index]
    if (!within || !amount) return whole
    return `${whole}; ${t('chart.sizes.within', {
      name: within.name,
      files: formatCount(amount.files),
      size: formatSize(amount.bytes, units),
    })}`
  })
  const points = pointsOf(1, words)
  const bars = (of: keyof Amount, amountAt: (bin: number) => number, backgroundColor: string) => ({
    data: bins.map((_, index) => (amountAt(index) / total[of]) * 100),
    backgroundColor,
    stack: of,
    categoryPercentage: 0.78,
    barPercentage: 0.95,
  })
  const inside = (of: keyof Amount, colour: string) => bars(of, (bin) => amounts[bin]?.[of] ?? 0, colour)
  const outside = (of: keyof Amount, colour: string, borderColor: string) => ({
    ...bars(of, (bin) => (bins[bin]?.[of] ?? 0) - (amounts[bin]?.[of] ?? 0), colour),
    borderColor,
    borderWidth: within === null ? 0 : 1,
  })
  const configure = (colours: ChartColours): ChartConfiguration => ({
    type: 'bar',
    data: {
      labels: bins.map((bin) => shortBinName(bin)),
      datasets: [
        inside('files', colours.strong),
        inside('bytes', colours.accent),
        outside('files', colours.hairline, colours.edge),
        outside('bytes', colours.band, colours.edge),
      ],
    },
    options: {
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { stacked: true, ...classAxis(t('chart.sizes.x'), colours) },
        y: { stacked: true, beginAtZero: true, ...amountAxis('', 5, colours, (value) => `${value} %`) },
      },
      plugins: {
        tooltip: wordsTooltip(colours, points),
      },
    },
  })
  return (
    <ChartCanvas
      label={t('chart.sizes.label')}
      configure={configure}
      version={`${units} ${within?.name} ${amounts.map((amount) => `${amount.files} ${amount.bytes}`).join()} ${bins.map((bin) => `${bin.files} ${bin.bytes}`).join()}`}
      points={points}
      hasColumns
      height={height}
      onPick={onPick}
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

function sum(bins: readonly SizeBin[], of: keyof Amount): number {
  return Math.max(
    1,
    bins.reduce((total, bin) => total + bin[of], 0),
  )
}
