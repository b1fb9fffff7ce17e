import type {
  BandEncryption,
  BandKind,
  BandSweepPoint,
  SweepOperation,
  SweepRate,
  SweepWarning,
} from '../../../../../src/contract/dto/bands'
import {
  formatBandSize,
  formatCount,
  formatRate,
  formatSize,
  formatSizeRange,
  threeDigits,
  type Units,
} from '../../../../../src/primitives/quantity'
import { formatDuration } from '../../../../../src/primitives/spokenTime'
import { t } from '../../../copy'

/** `Sparse bundle, AES-256`. */
export function containerWords(kind: BandKind, encryption: BandEncryption): string {
  const name = t(`bands.kind.${kind}`)
  return encryption === null ? name : `${name}, ${t(`bands.encryption.${encryption}`)}`
}

/** `498–530` in the unit of its rate; null while there is none. */
export function rangeWords({ value, low, high }: SweepRate, units: Units): string | null {
  return low === null || high === null ? null : formatSizeRange(value, low, high, units)
}

/** One point as the arrow keys read it out and the tooltip shows it. */
export function bandPointWords(
  { bandSize, bands }: BandSweepPoint,
  op: SweepOperation,
  rate: SweepRate,
  units: Units,
): string {
  return t('bandChart.point', {
    op: t(`sweep.op.${op}`),
    size: formatBandSize(bandSize ?? 0),
    rate: formatRate(rate.value, units),
    range: rangeWords(rate, units) ?? t('bandChart.noRange'),
    time: `${threeDigits(1e9 / rate.value)} s`,
    count: bands === null ? '' : formatCount(bands),
  })
}

/** A warning in a plain sentence; figures are written by their names, which say what they are. */
export function sweepWarningWords({ code, figures }: SweepWarning, units: Units): string {
  const written = Object.entries(figures).map(([name, value]) => [name, figureWords(name, value, units)])
  return t(`sweep.warning.${code}`, Object.fromEntries(written))
}

function figureWords(name: string, value: number, units: Units): string {
  if (name === 'repeats' || name === 'count') return formatCount(value)
  if (name === 'ms') return formatDuration(value)
  return name === 'from' ? formatBandSize(value) : formatSize(value, units)
}
