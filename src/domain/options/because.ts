import { formatCount, formatShare, formatSize, threeDigits } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import type { Goal } from './goals'
import type { Merit, OptionRow } from './option'

interface Ratio {
  readonly figure: Merit
  readonly ratio: number
}

/** Below this ratio "so many times" is easier to read than per cent. */
const TIMES_FROM = 0.5

/** `squashfs … is 12 % smaller, is restored 3.1 times as fast and as good in all else`. */
export function beatenText(winner: string, figures: readonly Ratio[]): string {
  const gains = figures.toSorted((one, other) => one.ratio - other.ratio).map(gainText)
  return `${winner} is ${joined(gains)}, and equally good otherwise`
}

function gainText({ figure, ratio }: Ratio): string {
  const percent = formatShare(1 - ratio)
  const times = ratio > 0 ? threeDigits(1 / ratio) : ''
  switch (figure) {
    case 'bytes':
      return ratio < TIMES_FROM ? `${times} times smaller` : `${percent} smaller`
    case 'volumes':
      return `on ${percent} fewer volumes`
    case 'buildSeconds':
      return ratio < TIMES_FROM ? `made ${times} times as fast` : `made in ${percent} less time`
    case 'restoreSeconds':
      return ratio < TIMES_FROM ? `restored ${times} times as fast` : `restored in ${percent} less time`
    case 'ramBytes':
      return ratio < TIMES_FROM ? `${times} times smaller in memory` : `${percent} smaller in memory`
    case 'portability':
      return 'readable on more systems'
  }
}

function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? 'the same'
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const GOAL_WORDS: Readonly<Record<Goal, string>> = {
  balanced: 'by size, times, memory and compatibility',
  smallest: 'by size',
  fastestBuild: 'by build time',
  fastestRestore: 'by restore time',
  anywhere: 'by compatibility',
  live: 'by direct access',
  own: 'by your weights',
}

/** Two sentences: the figures of the chosen option, and its ratio to the next best option of another kind. */
export function chosenText(
  goal: Goal,
  option: OptionRow,
  sourceBytes: number,
  next: OptionRow | null,
): string {
  const { bytes, volumes, buildSeconds, writeSeconds, restoreSeconds } = option.estimate
  const share = sourceBytes > 0 ? ` (${formatShare(bytes.value / sourceBytes)} of the source)` : ''
  const count = Math.round(volumes.value)
  const where = count > 1 ? ` on ${formatCount(count)} volumes` : ''
  const made = formatDuration(1000 * (buildSeconds.value + writeSeconds.value))
  const back = formatDuration(1000 * restoreSeconds.value)
  const first = `Best ${GOAL_WORDS[goal]}: ${formatSize(bytes.value)}${share}${where}, built in ${made}, restored in ${back}.`
  return `${first} ${next ? againstNext(option, next) : 'There is no other candidate.'}`
}

function againstNext(option: OptionRow, next: OptionRow): string {
  const size = ratioText(next.estimate.bytes.value / option.estimate.bytes.value, 'the size')
  const restore = ratioText(
    next.estimate.restoreSeconds.value / option.estimate.restoreSeconds.value,
    'the time to restore',
  )
  return `Next is ${next.name}, with ${size} and ${restore}.`
}

function ratioText(ratio: number, what: string): string {
  if (!Number.isFinite(ratio) || (ratio > 0.995 && ratio < 1.005))
    return `the same ${what.replace(/^the /, '')}`
  return `${threeDigits(ratio)} times ${what}`
}
