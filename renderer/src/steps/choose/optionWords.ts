import {
  DISK_MEDIUM,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../../src/contract/dto/options'
import type { Estimate } from '../../../../src/primitives/estimate'
import {
  fixedNumber,
  formatCount,
  formatExactBytes,
  formatSizeRange,
  type Quantity,
  shortNumber,
  shortShare,
  sizeQuantity,
  type Units,
} from '../../../../src/primitives/quantity'
import { forecastStep, formatDuration, formatForecast } from '../../../../src/primitives/spokenTime'
import type { FigureKind } from '../../charts/figureAxis'
import type { Basis } from '../../components/Figure'
import { t, tMaybe } from '../../copy'

export const FIGURE_KINDS: Readonly<Record<OptionFigure, FigureKind>> = {
  bytes: 'size',
  volumes: 'count',
  buildSeconds: 'time',
  writeSeconds: 'time',
  verifySeconds: 'time',
  restoreSeconds: 'time',
  fetchSeconds: 'time',
  ramBytes: 'size',
  useRamBytes: 'size',
  cpuSeconds: 'time',
  storedFiles: 'count',
}

const TIME_UNITS = [
  { unit: 'd', seconds: 86_400, from: 2 * 86_400 },
  { unit: 'h', seconds: 3600, from: 2 * 3600 },
  { unit: 'min', seconds: 60, from: 60 },
  { unit: 's', seconds: 1, from: 0 },
] as const

function timeUnit(seconds: number): { readonly unit: string; readonly seconds: number } {
  return TIME_UNITS.find(({ from }) => seconds >= from) ?? { unit: 's', seconds: 1 }
}

/** A forecast in its two parts: `3.33` `GB`, `20` `min`, `12`. */
export function figureQuantity(figure: OptionFigure, value: number, units: Units): Quantity {
  switch (FIGURE_KINDS[figure]) {
    case 'size':
      return sizeQuantity(value, units)
    case 'count':
      return { number: formatCount(value), unit: '' }
    case 'time': {
      const step = forecastStep(value)
      const { unit, seconds } = timeUnit(Math.round(value / step) * step)
      return { number: timeNumber(value, step, seconds), unit }
    }
  }
}

/** `2.25`: a time in whole steps, in a unit of so many seconds. */
function timeNumber(value: number, step: number, unitSeconds: number): string {
  const number = (seconds: number): string => shortNumber(seconds / unitSeconds, 2)
  return value > 0 && value < step ? `<${number(step)}` : number(Math.round(value / step) * step)
}

/** A forecast as cards and tables show it: of volumes every number that is possible, `1 or 2`. */
export function shownQuantity(
  figure: OptionFigure,
  { value, low, high }: Pick<Estimate, 'value' | 'low' | 'high'>,
  units: Units,
): Quantity {
  const [least, most] = [Math.round(low), Math.round(high)]
  if (figure !== 'volumes' || least === most) return figureQuantity(figure, value, units)
  const ends = { low: formatCount(least), high: formatCount(most) }
  return { number: t(most - least === 1 ? 'choose.either' : 'choose.between', ends), unit: '' }
}

/** A forecast in one string: `3.33 GB`. */
export function formatFigure(figure: OptionFigure, value: number, units: Units): string {
  const { number, unit } = figureQuantity(figure, value, units)
  return unit === '' ? number : `${number} ${unit}`
}

/** An actual figure in one string: its time is known better than a forecast. */
export function formatActual(figure: OptionFigure, value: number, units: Units): string {
  return FIGURE_KINDS[figure] === 'time' ? formatDuration(value * 1000) : formatFigure(figure, value, units)
}

/**
 * The range in the unit of the value, and of times in its steps; undefined where there is none.
 */
export function figureRange(figure: OptionFigure, estimate: Estimate, units: Units): string | undefined {
  const { value, low, high } = estimate
  if (estimate.provenance === 'exact' || low === high) return undefined
  switch (FIGURE_KINDS[figure]) {
    case 'size':
      return formatSizeRange(value, low, high, units)
    case 'count':
      return `${formatCount(Math.floor(low))}–${formatCount(Math.ceil(high))}`
    case 'time': {
      const step = forecastStep(value)
      const { seconds } = timeUnit(Math.round(value / step) * step)
      const end = (at: number): string => timeNumber(at, Math.max(step, forecastStep(at)), seconds)
      const [from, to] = [end(low), end(high)]
      return from === to || from === `<${to}` ? undefined : `${from}–${to}`
    }
  }
}

/** The value behind the rounding: `3,330,211,904 bytes`, `about 9 min`, `12 volumes`. */
export function figureExactly(figure: OptionFigure, value: number): string {
  switch (FIGURE_KINDS[figure]) {
    case 'size':
      return formatExactBytes(Math.round(value))
    case 'count':
      return t(figure === 'volumes' ? 'choose.volumes' : 'choose.storedFiles', { count: Math.round(value) })
    case 'time':
      return formatForecast(value)
  }
}

/** The same of an actual figure: `9 min 14 s`. */
export function actualExactly(figure: OptionFigure, value: number): string {
  return FIGURE_KINDS[figure] === 'time' ? formatDuration(value * 1000) : figureExactly(figure, value)
}

/** How a figure is known, for its popover. */
export function figureBasis(figure: OptionFigure, estimate: Estimate, units: Units): Basis {
  return {
    provenance: estimate.provenance,
    text: estimate.basis,
    range: figureRange(figure, estimate, units),
  }
}

/** `3.33 GB (3.20–3.50), Modelled`: a figure as it is read out. */
function spokenFigure(figure: OptionFigure, estimate: Estimate, units: Units): string {
  const range = figureRange(figure, estimate, units)
  const value = formatFigure(figure, estimate.value, units)
  return `${range === undefined ? value : `${value} (${range})`}, ${t(`provenance.${estimate.provenance}`)}`
}

/** An option as the arrow keys read it out and the tooltip shows it. */
export function pointWords(option: Option, figure: OptionFigure, units: Units): string {
  const { estimate } = option
  const parts = [
    `${t('option.bytes')} ${spokenFigure('bytes', estimate.bytes, units)}`,
    `${t(`option.${figure}`)} ${spokenFigure(figure, estimate[figure], units)}`,
    ...(figure === 'ramBytes'
      ? []
      : [`${t('option.ramBytes')} ${spokenFigure('ramBytes', estimate.ramBytes, units)}`]),
    standingWord(option),
  ]
  return `${nameOnMedium(option)}: ${parts.join('; ')}`
}

/** The name with its medium; one volume on a disk goes without saying. */
export function nameOnMedium(option: Pick<Option, 'name' | 'medium' | 'mediumName'>): string {
  if (option.medium === DISK_MEDIUM) return option.name
  return t('option.onMedium', { name: option.name, medium: option.mediumName })
}

/**
 * A name of at most so many letters: without its last details, or cut where its first words are too
 * long already.
 */
export function shortName(name: string, longest: number): string {
  const letters = Array.from(name)
  if (letters.length <= longest) return name
  const start = letters.slice(0, longest + 1).join('')
  const detail = start.lastIndexOf(',')
  if (detail > 0) return start.slice(0, detail)
  return `${letters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`
}

/** `On the front`, `breaks: memory`, that it is only forecast, or that something beats it. */
export function standingWord(option: Option): string {
  if (option.breaks.length > 0) return t('standing.breaks', { limits: breaksWords(option.breaks) })
  const { can } = option.here
  if (can === 'build' || can === 'forecast') return t(`standing.${can}`)
  return t(option.pareto ? 'standing.front' : 'standing.beaten')
}

export function breaksWords(breaks: readonly string[]): string {
  return breaks.map((limit) => tMaybe(`limit.${limit}`, limit)).join(', ')
}

/**
 * `squashfs …: 12 % smaller and 3 times faster to restore`: what dominates an option, in at most
 * two figures, or why where none is better; null if Pareto-optimal.
 */
export function beatenWords(option: Option, document: OptionsDocument): string | null {
  const gains = gainsOver(option).slice(0, 2)
  return gainWords(option, document, gains) ?? option.beatenBy?.because ?? null
}

/** The greatest of those figures, for a narrow place; null where none that has a unit is better. */
export function mostBeatenWords(option: Option, document: OptionsDocument): string | null {
  const gains = gainsOver(option).filter(({ figure }) => figure !== 'portability')
  return gainWords(option, document, gains.slice(0, 1))
}

type Gain = NonNullable<Option['beatenBy']>['figures'][number]

/** In what an option is beaten, the most first. */
function gainsOver({ beatenBy }: Option): Gain[] {
  const gains = (beatenBy?.figures ?? []).filter(({ ratio }) => ratio < 0.995)
  return gains.sort((a, b) => a.ratio - b.ratio)
}

function gainWords(option: Option, document: OptionsDocument, gains: readonly Gain[]): string | null {
  const other = document.options.find(({ id }) => id === option.beatenBy?.id)
  if (gains.length === 0 || !other) return null
  const name = other.medium === option.medium ? other.name : nameOnMedium(other)
  const how = gains.map(({ figure, ratio }) => ratioWords(figure, ratio)).join(t('beaten.and'))
  return t('beaten', { name, how })
}

/** `12 % smaller`, `3 times faster to restore`; below a third the times say more than the share. */
export function ratioWords(figure: OptionFigure | 'portability', ratio: number): string {
  const better = t(`better.${figure}`)
  // A share of systems says nothing to a person.
  if (ratio <= 0 || figure === 'portability') return better
  if (ratio > 0.5) return t('better.percent', { share: shortShare(1 - ratio), better })
  const times = 1 / ratio
  return t('better.times', {
    times: times < 9.95 ? shortNumber(times, 1) : formatCount(times),
    better,
  })
}

/** `+1.2 %`, `−0.4 %`, `0.0 %`: signed, in three digits at most. */
export function signedShare(error: number): string {
  const share = Math.abs(error) * 100
  const number = share >= 99.95 ? formatCount(share) : fixedNumber(share, 1)
  const sign = share < 0.05 ? '' : error > 0 ? '+' : '−'
  return `${sign}${number} %`
}

/** Where what the figures lack can be mended; by the engine's codes of advice. */
const ADVICE_STEPS = {
  noProfile: 'measure',
  noSamples: 'source',
  partial: 'source',
  preliminary: 'source',
  skips: 'survey',
} as const

export function adviceStep(code: string): 'measure' | 'source' | 'survey' | null {
  return (ADVICE_STEPS as Readonly<Record<string, 'measure' | 'source' | 'survey'>>)[code] ?? null
}

/** Why an option cannot be built or, where it can, not be planned; null where both are possible. */
export function cannotWords({ build, plan, mediumName }: Option): string | null {
  if (!build.possible) return sentence(t('build.cannot', { because: build.because ?? '' }))
  if (plan.form !== null) return null
  return sentence(t('choose.cannotPlan', { medium: mediumName, because: plan.because ?? '' }))
}

/** The actions that Stowage has for an option on this machine, and why there are no more. */
export function hereWords({ here: { can, because } }: Option): string {
  const words = t(`here.${can}`)
  return because === null
    ? sentence(words)
    : `${words}: ${sentence(because).replace(/^./, (letter) => letter.toLowerCase())}`
}

/** Makes a whole sentence of half a sentence of the engine. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.…?]$/.test(whole) ? whole : `${whole}.`
}
