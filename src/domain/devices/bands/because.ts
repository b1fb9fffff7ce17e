import { formatBandSize, formatCount, formatShare, formatSize } from '../../../primitives/quantity'
import type { BandRule, Recommendation } from './recommend'

/** Why a band size is recommended, or none, in plain sentences. */
export function becauseOf(found: Recommendation, fullBytes: number): string {
  const full = formatSize(fullBytes)
  const { rule } = found
  if (found.by === 'nothingTimed') return 'No sparse bundle was timed.'
  if (found.bandBytes === null || found.bands === null) {
    const least = formatSize(fullBytes / (rule.limit - 1))
    const few = found.tooLarge.length > 0
    return (
      `None of the sizes can be recommended for ${full}. ` +
      [
        ...(found.tooMany.length > 0
          ? [
              `Those up to ${formatBandSize(Math.max(...found.tooMany))} would make ${formatCount(rule.limit)} bands or more, ` +
                `where bundles have failed: bands of ${least} or more would not.`,
            ]
          : []),
        ...(few
          ? [`${sizes(found.tooLarge)} need a larger budget: a pass covered fewer than two bands.`]
          : []),
      ].join(' ')
    )
  }
  if (found.by === 'unranked')
    return [
      `The budget is too small to rank the sizes: a pass covered fewer than two bands of ${sizes(found.tooLarge)}.`,
      `So the rule decides: ${formatBandSize(found.bandBytes)}.`,
      number(found, found.bands, full),
    ].join(' ')
  return [choice(found), number(found, found.bands, full), ...rest(found)].join(' ')
}

function choice({ asFast, bandBytes, fastest, slower, isNoise }: Recommendation): string {
  const chosen = formatBandSize(bandBytes ?? 0)
  if (!isNoise && slower.length > 0) return `${chosen} is the fastest; all others are significantly slower.`
  if (!isNoise) return `${chosen} is the only candidate.`
  const others = asFast.length - 1
  const than =
    fastest === bandBytes
      ? 'no size is significantly faster'
      : `${formatBandSize(fastest ?? 0)} was first, but not significantly`
  return `${others === 1 ? 'One other size is' : `${formatCount(others)} other sizes are`} as fast as ${chosen} (${than}): the difference between them is noise, so the number of bands decides.`
}

const PLACES: Readonly<Record<BandRule['place'], string>> = {
  local: 'on a local disk',
  network: 'on a network share, where every file needs a round trip',
  fat: 'on this file system, which searches folders linearly',
}

function number({ rule }: Recommendation, bands: number, full: string): string {
  const good = `${formatCount(rule.from)} to ${formatCount(rule.to)}`
  const nearest = bands >= rule.from && bands <= rule.to ? '' : ', the nearest of these sizes'
  return `When full (${full}) it has ${formatCount(bands)} bands; a good number is ${good} ${PLACES[rule.place]}${nearest}.`
}

function rest({ slower, tooLarge, tooMany, rule }: Recommendation): string[] {
  const all: string[] = []
  if (slower.length > 0) {
    const ratios = slower.map(({ ratio }) => ratio.value - 1)
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
    const by = slower.length === 1 ? formatShare(most) : `${formatShare(least)} to ${formatShare(most)}`
    all.push(`${sizes(slower.map(({ bandBytes }) => bandBytes))} took longer by ${by}.`)
  }
  if (tooMany.length > 0)
    all.push(
      `${sizes(tooMany)} would make ${formatCount(rule.limit)} bands or more, where bundles have failed.`,
    )
  if (tooLarge.length > 0)
    all.push(
      `Not considered: ${sizes(tooLarge)}, because a pass covered fewer than two such bands; a larger budget makes passes longer.`,
    )
  return all
}

function sizes(list: readonly number[]): string {
  const texts = list.toSorted((a, b) => a - b).map(formatBandSize)
  const last = texts.pop() ?? ''
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`
}
