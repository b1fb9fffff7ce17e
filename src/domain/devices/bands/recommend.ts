import type { Span } from '../../../primitives/estimate'
import { FEW_BANDS, MANY_BANDS, MOST_BANDS } from '../../images/kinds'
import { medianOf } from '../../statistics/quantiles'
import { slowdowns } from './slowdown'
import { BANDS_TO_COUNT } from './sweepPlan'

/** The known facts of the file system that will hold the bundle. */
interface BandHost {
  readonly isNetwork: boolean
  /** As the system names it: `ext4`, `apfs`, `vfat`. */
  readonly fileSystem: string | null
}

/** One band size, and how long each of its rounds took: writing, reading and copying together. */
export interface BandCandidate {
  readonly bandBytes: number
  /** The number of bands of a full bundle. */
  readonly bands: number
  /** How many of its bands a pass went over. */
  readonly bandsInPass: number
  /** Nanoseconds by round; the same round of all candidates is compared. */
  readonly roundNs: readonly number[]
}

export interface BandRule {
  /** There must be fewer bands than this. */
  readonly limit: number
  readonly from: number
  readonly to: number
  readonly aim: number
  readonly place: 'local' | 'network' | 'fat'
}

/**
 * How many bands are good where. Below 100,000: Howard Oakley (The Eclectic Light Company) saw
 * bundles fail near that many; on a local disk he found 6,000 to 7,000 bands fastest and fewer than
 * 3,000 slow. Over a network every file is a round trip and slow servers were seen to give up at
 * some 22,000 files in a folder, so fewer are aimed at; the same where folders are searched from
 * their beginning (FAT, exFAT). A FAT folder has 65,536 entries, and names in small letters may
 * take two.
 */
export function bandRule({ isNetwork, fileSystem }: BandHost): BandRule {
  const name = (fileSystem ?? '').toLowerCase()
  if (name === 'vfat' || name === 'msdos' || name === 'fat32')
    return { limit: 32_000, from: 1000, to: MANY_BANDS, aim: 3000, place: 'fat' }
  if (name === 'exfat') return { limit: MOST_BANDS, from: 1000, to: MANY_BANDS, aim: 3000, place: 'fat' }
  if (isNetwork) return { limit: MOST_BANDS, from: 1000, to: MANY_BANDS, aim: 3000, place: 'network' }
  return { limit: MOST_BANDS, from: FEW_BANDS, to: MANY_BANDS, aim: 6000, place: 'local' }
}

/** One round says nothing of the noise. */
const FEWEST_ROUNDS = 2
/** A smaller slowdown makes no difference to a person. */
const TOO_LITTLE = 0.03

export interface Recommendation {
  /** Null where nothing can be recommended. */
  readonly bandBytes: number | null
  readonly bands: number | null
  /** Which rule chose it. */
  readonly by: 'goodNumber' | 'nearestNumber' | 'onlyAllowed' | 'unranked' | 'nothingAllowed' | 'nothingTimed'
  readonly rule: BandRule
  /** The band size that the medians are relative to: the fastest of the eligible ones. */
  readonly fastest: number | null
  /** Band sizes not shown to be slower than the fastest, the chosen one among them. */
  readonly asFast: readonly number[]
  /** More than one is as fast as far as was seen: the difference between them is noise. */
  readonly isNoise: boolean
  /** Those shown to be slower, with how many times as long they took, paired by round. */
  readonly slower: readonly { readonly bandBytes: number; readonly ratio: Span }[]
  /** Out of the running because a pass went over fewer than two of their bands. */
  readonly tooLarge: readonly number[]
  /** Out of the running because a full bundle would have too many bands. */
  readonly tooMany: readonly number[]
}

/** Where no two sizes could be compared. */
const UNCOMPARED = { fastest: null, asFast: [], isNoise: false, slower: [] } as const

const bytesOf = ({ bandBytes }: BandCandidate): number => bandBytes

/**
 * Chooses a band size: first what is possible (the number of bands at full size, and enough bands
 * in a pass), then what is not shown to be slower than the fastest, then, because a difference
 * within the noise is none, by the number of bands. Where the passes were too short for every size
 * that gives a good number of bands, the number alone decides.
 */
export function recommendBands(candidates: readonly BandCandidate[], host: BandHost): Recommendation {
  const rule = bandRule(host)
  const timed = candidates.filter(({ roundNs }) => roundNs.length >= FEWEST_ROUNDS)
  const tooLarge = timed.filter(({ bandsInPass }) => bandsInPass < BANDS_TO_COUNT)
  const tooMany = timed.filter(({ bands }) => bands >= rule.limit)
  const allowed = timed.filter((each) => !tooMany.includes(each) && !tooLarge.includes(each))
  const left = { rule, tooLarge: tooLarge.map(bytesOf), tooMany: tooMany.map(bytesOf) }
  const [first] = allowed
  if (!allowed.some((each) => isGood(rule, each))) {
    const unranked = nearestTo(
      rule,
      tooLarge.filter((each) => isGood(rule, each)),
    )
    if (unranked) {
      const { bandBytes, bands } = unranked
      return { ...left, ...UNCOMPARED, bandBytes, bands, by: 'unranked' }
    }
  }
  if (first === undefined) {
    const by = timed.length === 0 ? 'nothingTimed' : 'nothingAllowed'
    return { ...left, ...UNCOMPARED, bandBytes: null, bands: null, by }
  }
  const total = ({ roundNs }: BandCandidate): number => medianOf(roundNs)
  const best = allowed.reduce((a, b) => (total(b) < total(a) ? b : a), first)
  const ratios = slowdowns(
    allowed.map(({ roundNs }) => roundNs),
    best.roundNs,
  )
  const isSlower = (index: number): boolean =>
    allowed[index] !== best && (ratios[index]?.low ?? 1) > 1 + TOO_LITTLE
  const asFast = allowed.filter((_, index) => !isSlower(index))
  const slower = allowed.flatMap(({ bandBytes }, index) => {
    const ratio = ratios[index]
    return ratio && isSlower(index) ? [{ bandBytes, ratio }] : []
  })
  const chosen = nearestTo(rule, asFast) ?? best
  return {
    ...left,
    bandBytes: chosen.bandBytes,
    bands: chosen.bands,
    by: allowed.length === 1 ? 'onlyAllowed' : isGood(rule, chosen) ? 'goodNumber' : 'nearestNumber',
    fastest: best.bandBytes,
    asFast: asFast.map(bytesOf),
    isNoise: asFast.length > 1,
    slower,
  }
}

function isGood({ from, to }: BandRule, { bands }: BandCandidate): boolean {
  return bands >= from && bands <= to
}

function nearestTo(rule: BandRule, candidates: readonly BandCandidate[]): BandCandidate | undefined {
  return candidates.toSorted((one, other) => awayFrom(rule, one) - awayFrom(rule, other))[0]
}

/**
 * Within the good numbers the distance from the aim, outside the distance from the nearest good
 * one, always more.
 */
function awayFrom(rule: BandRule, candidate: BandCandidate): number {
  const { from, to, aim } = rule
  const { bands } = candidate
  const ways = (a: number, b: number): number => Math.abs(Math.log(a / b))
  if (isGood(rule, candidate)) return ways(bands, aim)
  return ways(to, from) + (bands < from ? ways(from, bands) : ways(bands, to))
}
