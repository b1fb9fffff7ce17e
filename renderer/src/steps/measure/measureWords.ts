import type { SweepWarning } from '../../../../src/contract/dto/bands'
import type {
  CacheProof,
  DeviceFacts,
  MeasurementDocument,
  MeasureSample,
  MeasureWarning,
  SpecChange,
} from '../../../../src/contract/dto/measure'
import type { Estimate } from '../../../../src/primitives/estimate'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import {
  decimalsFor,
  formatBandSize,
  formatCount,
  formatRate,
  formatShare,
  formatSize,
  formatSizeRange,
  numberRange,
  type Quantity,
  sizeQuantity,
  threeDigits,
  type Units,
} from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { t, tMaybe } from '../../copy'
import { hasRange, proofVerdict, rateOf } from './measureFigures'

const TIME_UNITS = [
  { unit: 's', ns: 1e9 },
  { unit: 'ms', ns: 1e6 },
  { unit: 'µs', ns: 1e3 },
] as const

export function timeUnit(ns: number): { readonly unit: string; readonly ns: number } {
  return TIME_UNITS.find((each) => ns >= each.ns * 0.9995) ?? { unit: 'ns', ns: 1 }
}

/** `512 µs`, `3.40 ms`, `1.20 s`, in its two parts. */
export function timeQuantity(ns: number): Quantity {
  const { unit, ns: one } = timeUnit(ns)
  return { number: one === 1 ? formatCount(Math.round(ns)) : threeDigits(ns / one), unit }
}

export function formatTime(ns: number): string {
  const { number, unit } = timeQuantity(ns)
  return `${number} ${unit}`
}

/** `498–530` in the unit that the value is shown in. */
export function timeRange({ value, low, high }: Estimate): string {
  const { ns: one } = timeUnit(value)
  return numberRange(low / one, high / one, decimalsFor(value / one))
}

export function rateQuantity(bytesPerSecond: number, units: Units): Quantity {
  const { number, unit } = sizeQuantity(bytesPerSecond, units)
  return { number, unit: `${unit}/s` }
}

/** The range of an estimate in the words of its kind; undefined while it has none. */
export function rangeText(estimate: Estimate, kind: 'rate' | 'time', units: Units): string | undefined {
  if (!hasRange(estimate)) return undefined
  return kind === 'time'
    ? timeRange(estimate)
    : formatSizeRange(estimate.value, estimate.low, estimate.high, units)
}

/** The figure of the shown measurement in the rail. */
export function measureFigure(document: MeasurementDocument | null, units: Units): string {
  if (!document) return ''
  if (!document.cache.plausible) return t('measure.rail.implausible')
  const rate = document.read?.bytesPerSecond ?? document.write?.bytesPerSecond
  return rate ? formatRate(rate.value, units) : ''
}

export function deviceWords({ name, kind, bus, fileSystem }: DeviceFacts): string {
  return [pathForDisplay(name), kind === 'unknown' ? null : t(`deviceKind.${kind}`), bus, fileSystem]
    .filter((part) => part !== null && part !== '')
    .join(', ')
}

/** Figures of warnings are written by their names, which say what they are. */
function figureWords(name: string, value: number, units: Units): string {
  if (name.endsWith('BytesPerSecond')) return formatRate(value, units)
  if (name.endsWith('Bytes') || ['asked', 'counted', 'resident', 'pass'].includes(name))
    return formatSize(value, units)
  if (name === 'from') return formatBandSize(value)
  if (name === 'ms') return formatDuration(value)
  if (name === 'difference' || name === 'share' || name === 'error') return formatShare(value)
  return Number.isInteger(value) ? formatCount(value) : threeDigits(value)
}

/** A warning in a plain sentence; two with one code differ in their figures. */
export function warningWords({ code, op, figures }: MeasureWarning, units: Units): string {
  const form =
    code === 'cacheSuspected' && op !== null
      ? '.op'
      : code === 'bimodal' && 'factor' in figures
        ? '.kinds'
        : ''
  const text = tMaybe(`warning.${code}${form}`, code, figuresWords(figures, units))
  return op === null ? text : `${t(`op.${op}`)}: ${text}`
}

/** Where a sweep has no words of its own, those of a measurement hold for it too. */
export function sweepWarningWords({ code, figures }: SweepWarning, units: Units): string {
  const values = figuresWords(figures, units)
  return tMaybe(`sweep.warning.${code}`, tMaybe(`warning.${code}`, code, values), values)
}

function figuresWords(figures: MeasureWarning['figures'], units: Units): Record<string, string> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, figureWords(name, value, units)]),
  )
}

export function changeWords({ code, test, from, to }: SpecChange, units: Units): string {
  const write = (value: number): string =>
    code === 'smallerFiles'
      ? formatSize(value, units)
      : code === 'shorterRest'
        ? formatDuration(value)
        : formatCount(value)
  return t(`change.${code}`, { test, from: write(from), to: write(to) })
}

export function evidenceWords({ code, figure, limit }: CacheProof['evidence'][number], units: Units): string {
  return t(`evidence.${code}`, {
    ...(figure === null ? {} : { figure: formatSize(Math.round(figure), units) }),
    ...(limit === null ? {} : { limit: formatSize(Math.round(limit), units) }),
  })
}

/** `Asked for uncached, got uncached: the device's own counters agree.` */
export function proofWords(
  document: Pick<MeasurementDocument, 'cache' | 'container' | 'containers'>,
): string {
  const { requested, obtained, because, evidence } = document.cache
  const asked =
    document.container || document.containers
      ? t('proof.container')
      : t(`proof.${requested}.${obtained}`, { because: because ?? '' })
  return t(`proof.${proofVerdict(document)}`, { asked, count: evidence.filter(({ holds }) => !holds).length })
}

/** One sample as the arrow keys read it out and the tooltip shows it. */
export function sampleWords(sample: MeasureSample, units: Units): string {
  return t('rates.point', {
    op: t(`op.${sample.op}`),
    size: formatSize(sample.bytes, units),
    rate: formatRate(rateOf(sample), units),
    time: formatTime(sample.ns),
    mark: t(`mark.${sample.mark ?? 'none'}`),
  })
}
