import {
  formatCount,
  formatCounted,
  formatShare,
  formatSize,
  sizeQuantity,
  threeDigits,
} from '../../../primitives/quantity'
import { remember, said, saidAll, saidOf, saidRow } from '../../../primitives/said'
import { formatForecast } from '../../../primitives/spokenTime'
import type { ReadingTask, System } from '../optionsDocument'
import { EVERYWHERE } from '../recipes/readers'
import type { Floors } from './floors'
import { type Contender, isClearlyLess } from './front'
import type { Weights } from './goals'
import { isVolumeAtStake, MERITS, type Merit } from './merits'
import type { OptionRow } from './option'

interface Ratio {
  readonly figure: Merit
  readonly ratio: number
}

/** An option with what it is compared by. */
export interface Compared {
  readonly option: OptionRow
  readonly contender: Contender
}

/** Below this ratio "so many times" is easier to read than per cent. */
const TIMES_FROM = 0.5
const MOST_GAINS = 2

/**
 * `SquashFS with zstd is 12 % smaller and restores 3.1 times as fast`: by what an option is
 * dominated, and in what.
 */
export function beatenText(winner: OptionRow, own: OptionRow, figures: readonly Ratio[]): string {
  const name = winner.shortName === own.shortName ? winner.name : winner.shortName
  const many = isPlural(winner)
  if (figures.length === 0)
    return many
      ? said`${name} are as good and simpler, or no different`
      : said`${name} is as good and simpler, or no different`
  if (figures.every(({ figure }) => figure === 'portability'))
    return many
      ? said`${name} are as good and readable on more systems`
      : said`${name} is as good and readable on more systems`
  const gains = figures
    .toSorted((one, other) => one.ratio - other.ratio)
    .slice(0, MOST_GAINS)
    .map((each) => gainText(each, many))
  return said`${name} ${saidAll(gains)}`
}

function gainText({ figure, ratio }: Ratio, many: boolean): string {
  const percent = formatShare(1 - ratio)
  const times = ratio > 0 ? threeDigits(1 / ratio) : ''
  const isTimes = ratio < TIMES_FROM
  switch (figure) {
    case 'bytes':
      if (isTimes) return many ? said`are ${times} times smaller` : said`is ${times} times smaller`
      return many ? said`are ${percent} smaller` : said`is ${percent} smaller`
    case 'volumes':
      return many ? said`need ${percent} fewer volumes` : said`needs ${percent} fewer volumes`
    case 'buildSeconds':
      if (isTimes) return many ? said`are made ${times} times as fast` : said`is made ${times} times as fast`
      return many ? said`are made in ${percent} less time` : said`is made in ${percent} less time`
    case 'restoreSeconds':
      if (isTimes) return many ? said`restore ${times} times as fast` : said`restores ${times} times as fast`
      return many ? said`restore in ${percent} less time` : said`restores in ${percent} less time`
    case 'ramBytes':
      if (isTimes)
        return many ? said`need ${times} times less memory` : said`needs ${times} times less memory`
      return many ? said`need ${percent} less memory` : said`needs ${percent} less memory`
    case 'portability':
      return many ? said`are readable on more systems` : said`is readable on more systems`
  }
}

/** Names of several things, such as plain files. */
function isPlural({ family }: Pick<OptionRow, 'family'>): boolean {
  return family === 'plain'
}

/** The preferences that a reason refers to. */
export interface Reasons {
  readonly weights: Weights
  readonly floors: Floors
  /** The size of the smallest option on the same medium, and the fewest volumes. */
  readonly leastBytes: number
  readonly leastVolumes: number
  /** True when it was chosen among several media. */
  readonly namesMedium: boolean
  /**
   * The figure whose extreme was asked for; it is compared even where the difference is below its
   * floor.
   */
  readonly extreme: Merit | null
}

/**
 * One sentence that names what decided:
 * `SquashFS with zstd: 653 MB instead of 809, mounts on Linux, restores in under 10 s; plain files
 * would be readable everywhere.`
 * @param other what a person would take otherwise; null where nothing else is possible
 */
export function chosenText(chosen: Compared, other: Compared | null, reasons: Reasons): string {
  const { option } = chosen
  const gains = other === null ? [] : gainsOf(chosen, other, reasons)
  const isGain = (merit: Merit): boolean =>
    gains.includes(merit) ||
    (merit === reasons.extreme && other !== null && isShownLess(merit, chosen, other))
  const against = other?.option ?? option
  const many = isPlural(option)
  const instead = (merit: Merit, text: (each: OptionRow) => string): string =>
    isGain(merit) && text(option) !== text(against)
      ? said`${text(option)} instead of ${text(against)}`
      : text(option)
  const isAbout = (merit: Merit): boolean => isGain(merit) || mostOf(reasons.weights) === merit
  const facts = [
    sizePart(option, against, isGain),
    usePart(option),
    ...(isAbout('buildSeconds') ? [said`made in ${instead('buildSeconds', madeText)}`] : []),
    many
      ? said`restore in ${instead('restoreSeconds', restoreText)}`
      : said`restores in ${instead('restoreSeconds', restoreText)}`,
    ...(isAbout('ramBytes')
      ? [
          many
            ? said`need ${instead('ramBytes', memoryText)} of memory`
            : said`needs ${instead('ramBytes', memoryText)} of memory`,
        ]
      : []),
  ]
  const name = reasons.namesMedium ? said`${option.shortName} on ${option.mediumName}` : option.shortName
  return said`${name}: ${saidRow(facts)}; ${otherPart(chosen, other, reasons)}.`
}

/** True when a size or time is printed as a lower one. */
function isShownLess(merit: Merit, { option: one }: Compared, { option: other }: Compared): boolean {
  switch (merit) {
    case 'bytes':
      return (
        one.estimate.bytes.value < other.estimate.bytes.value &&
        formatSize(one.estimate.bytes.value) !== formatSize(other.estimate.bytes.value)
      )
    case 'buildSeconds':
      return madeSeconds(one) < madeSeconds(other) && madeText(one) !== madeText(other)
    case 'restoreSeconds':
      return (
        one.estimate.restoreSeconds.value < other.estimate.restoreSeconds.value &&
        restoreText(one) !== restoreText(other)
      )
    default:
      return false
  }
}

/** The merit that counts most, where one does. */
function mostOf(weights: Weights): Merit | null {
  const [first, second] = MERITS.toSorted((one, other) => weights[other] - weights[one])
  return first && second && weights[first] > weights[second] ? first : null
}

/** The merits in which one is clearly better than another, what counts most first. */
function gainsOf(one: Compared, other: Compared, { weights, floors }: Reasons): Merit[] {
  const strength = (merit: Merit): number => {
    const [own, others] = [one.contender.merits[merit], other.contender.merits[merit]]
    return weights[merit] * (merit === 'portability' ? others - own : Math.log2(others / own))
  }
  return MERITS.filter((merit) => isClearlyLess(merit, one.contender, other.contender, floors)).toSorted(
    (a, b) => strength(b) - strength(a),
  )
}

function sizePart(option: OptionRow, other: OptionRow, isGain: (merit: Merit) => boolean): string {
  const [size, others] = [option.estimate.bytes.value, other.estimate.bytes.value]
  const sizes = isGain('bytes')
    ? said`${formatSize(size)} instead of ${withoutUnitOf(others, size)}`
    : formatSize(size)
  if (isGain('volumes')) return said`${sizes} on ${volumesText(option)} instead of ${volumeCount(other)}`
  const isOne = option.estimate.volumes.value < 1.5 && !isVolumeAtStake(option.estimate)
  return isOne ? sizes : said`${sizes} on ${volumesText(option)}`
}

/** `1 or 2 volumes` where the range of the size decides. */
function volumesText(option: OptionRow): string {
  const { volumes } = option.estimate
  return isVolumeAtStake(option.estimate)
    ? said`${volumeCount(option)} volumes`
    : formatCounted(Math.round(volumes.value), 'volume')
}

function volumeCount({ estimate }: OptionRow): string {
  const { value, low, high } = estimate.volumes
  if (!isVolumeAtStake(estimate)) return formatCount(Math.round(value))
  const [least, most] = [Math.round(low), Math.round(high)]
  return most - least === 1
    ? said`${formatCount(least)} or ${formatCount(most)}`
    : said`${formatCount(least)} to ${formatCount(most)}`
}

/** A size without its unit where that is the unit of another size next to it. */
function withoutUnitOf(bytes: number, next: number): string {
  const { number, unit } = sizeQuantity(bytes, 'decimal')
  return unit === sizeQuantity(next, 'decimal').unit ? number : `${number} ${unit}`
}

const TASK_OF_ACCESS = { inPlace: 'open', mount: 'mount', extract: 'unpack' } as const

/**
 * How it is used and where: the program that does it on most systems first, then those for the
 * others.
 */
function usePart(option: OptionRow): string {
  const task = TASK_OF_ACCESS[option.access]
  const readers = option.readers
    .filter((each) => each.task === task)
    .toSorted((one, other) => other.systems.length - one.systems.length)
  const left = new Set(EVERYWHERE)
  const places = readers.flatMap(({ systems, tool, own }) => {
    const here = systems.filter((system) => left.delete(system))
    if (here.length === 0) return []
    return [own ? placesText(here) : said`with ${tool} ${placesText(here)}`]
  })
  if (places.length === 0) return said`nothing reads it`
  return taskText(task, saidAll(places), isPlural(option))
}

function taskText(task: ReadingTask, where: string, many: boolean): string {
  switch (task) {
    case 'open':
      return many ? said`open in place ${where}` : said`opens in place ${where}`
    case 'mount':
      return many ? said`mount ${where}` : said`mounts ${where}`
    case 'unpack':
      return many ? said`unpack ${where}` : said`unpacks ${where}`
  }
}

const SYSTEM_NAMES: Readonly<Record<System, string>> = { linux: 'Linux', macos: 'macOS', windows: 'Windows' }

function placesText(systems: readonly System[]): string {
  if (systems.length === EVERYWHERE.length) return said`everywhere`
  return said`on ${saidAll(systems.map((system) => SYSTEM_NAMES[system]))}`
}

function madeSeconds({ estimate }: OptionRow): number {
  return estimate.buildSeconds.value + estimate.writeSeconds.value
}

function madeText(option: OptionRow): string {
  return formatForecast(madeSeconds(option))
}

function restoreText({ estimate }: OptionRow): string {
  return formatForecast(estimate.restoreSeconds.value)
}

function memoryText({ estimate }: OptionRow): string {
  return formatSize(Math.max(estimate.ramBytes.value, estimate.useRamBytes.value))
}

/** The merits in which the other one would have been better; or that there are none. */
function otherPart(chosen: Compared, other: Compared | null, reasons: Reasons): string {
  if (other === null) return said`nothing else is possible`
  const name = lowered(other.option.shortName)
  const [gain] = gainsOf(other, chosen, reasons)
  if (gain !== undefined) return said`${name} would ${wouldText(gain, other.option, chosen.option)}`
  if (chosen.option.family !== 'plain') return said`${name} would have no advantage`
  const { bytes, volumes } = chosen.option.estimate
  if (chosen.contender.sizeFloor > 0 && Math.round(reasons.leastVolumes) >= Math.round(volumes.value))
    return said`packing would take ${formatSize(reasons.leastBytes)} on as many volumes`
  const saved = 1 - reasons.leastBytes / bytes.value
  return saved > 0
    ? said`packing saves ${formatShare(saved)} at most`
    : said`packing would not make them smaller`
}

function wouldText(merit: Merit, other: OptionRow, chosen: OptionRow): string {
  switch (merit) {
    case 'bytes':
      return said`take ${formatSize(other.estimate.bytes.value)}`
    case 'volumes':
      return said`need ${volumesText(other)} instead of ${volumeCount(chosen)}`
    case 'buildSeconds':
      return said`be made in ${madeText(other)} instead of ${madeText(chosen)}`
    case 'restoreSeconds':
      return said`restore in ${restoreText(other)} instead of ${restoreText(chosen)}`
    case 'ramBytes':
      return said`need ${memoryText(other)} of memory instead of ${memoryText(chosen)}`
    case 'portability':
      return other.portability === 1 ? said`be readable everywhere` : said`be readable on more systems`
  }
}

/** A name within a sentence: names of programs keep their letters. */
function lowered(name: string): string {
  if (!/^(?:[A-Z][a-z-]+ |Distinct)/.test(name) || name.startsWith('Apple')) return name
  const text = name.charAt(0).toLowerCase() + name.slice(1)
  const sentence = saidOf(name)
  return sentence ? remember(text, sentence) : text
}
