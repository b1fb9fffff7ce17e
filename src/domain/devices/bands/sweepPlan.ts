import { seededRandom } from '../../../primitives/seededRandom'
import type { BandEncryption, BandKind, ContainerFacts } from '../bandKind'
import type { ContainerPlan, ContainerSegment } from '../containerPlan'
import { shuffled } from '../drawSizes'

const MEBIBYTE = 1024 * 1024
/** Bands of sparse bundles and images lie on the disk's sectors; those of images also on pages. */
const BAND_STEP = 4096
/** A sparse bundle's bands as hdiutil makes them: 2048 to 16,777,216 sectors. */
const LEAST_BAND_BYTES = MEBIBYTE

/**
 * Twelve band sizes from 2 MB to 1020 MB, as many and as far apart as in Howard Oakley's test of
 * band sizes (The Eclectic Light Company), with macOS's own 8 MiB and his fastest one, 15.4 MB,
 * among them.
 */
export const DEFAULT_BAND_SIZES: readonly number[] = [
  2 * MEBIBYTE,
  4 * MEBIBYTE,
  8 * MEBIBYTE,
  15_400_960,
  24 * MEBIBYTE,
  32 * MEBIBYTE,
  48 * MEBIBYTE,
  64 * MEBIBYTE,
  128 * MEBIBYTE,
  256 * MEBIBYTE,
  512 * MEBIBYTE,
  973 * MEBIBYTE,
]

/** Below this a pass is over before the device is at work. */
const LEAST_PASS_BYTES = 4 * MEBIBYTE
/** Fewer repeats have no range worth the name. */
export const LEAST_REPEATS = 3
const MOST_REPEATS = 25
/** The fewest whose extremes hold the true median in 95 % of all cases. */
const USUAL_REPEATS = 6
/** A pass over fewer bands of a size says little of what a band costs. */
export const BANDS_TO_COUNT = 2

export interface SweepSettings {
  readonly bandSizes: readonly number[] | null
  readonly kinds: readonly BandKind[]
  readonly encryptions: readonly BandEncryption[]
  /** Most bytes to write altogether. */
  readonly budgetBytes: number
  /** Null: as the budget gives. */
  readonly repeats: number | null
  readonly requestBytes: number
  readonly seed: number
}

/** A measurement in many containers. */
export interface SweepPlan extends ContainerPlan {
  /** The raw file that all others are compared with is the first. */
  readonly points: readonly ContainerFacts[]
  /**
   * Written, read, and copied by every pass; the same for every point, so that their rates compare.
   */
  readonly passBytes: number
  /** One order of the points for each round. */
  readonly rounds: readonly (readonly number[])[]
}

/** The band size that a container really gets: whole pages. */
export function bandBytesOf(asked: number): number {
  return Math.max(LEAST_BAND_BYTES, Math.round(asked / BAND_STEP) * BAND_STEP)
}

/**
 * The raw file first, then every kind with every band size; sizes of one kind together, each once.
 */
export function sweepPoints({ bandSizes, kinds, encryptions }: SweepSettings): ContainerFacts[] {
  const sizes = [...new Set((bandSizes ?? DEFAULT_BAND_SIZES).map(bandBytesOf))].toSorted((a, b) => a - b)
  const points: ContainerFacts[] = [{ kind: 'UDRW', encryption: null, bandBytes: null }]
  for (const encryption of new Set(encryptions)) {
    for (const kind of new Set(kinds)) {
      if (kind !== 'UDRW') for (const bandBytes of sizes) points.push({ kind, encryption, bandBytes })
      else if (encryption !== null) points.push({ kind, encryption, bandBytes: null })
    }
  }
  return points
}

/** Every pass writes its bytes twice (a container, and a copy of it) and reads them twice. */
const TIMES_WRITTEN = 2
/** A pass over the raw file before the first round, which is thrown away: first runs are slow. */
const WARM_UP_PASSES = 1
/** The round of the warm-up, before the first one. */
const WARM_UP_ROUND = -1

/** The least budget with which a sweep of so many points makes sense, in bytes. */
export function leastBudget(points: number, repeats = LEAST_REPEATS): number {
  return TIMES_WRITTEN * LEAST_PASS_BYTES * (points * repeats + WARM_UP_PASSES)
}

/**
 * How often and over how many bytes each point is timed. All points get passes of the same length,
 * as long as the budget gives: six repeats unless given, fewer (not below three) where the budget
 * would leave less than 4 MiB for a pass, more where passes over two bands of the largest size
 * leave something over. A sparse image stores whole bands only: those with bands of which a pass
 * covers fewer than two are left out, for they would write much more than was asked.
 * @returns null where not even three repeats of 4 MiB fit the budget
 */
export function planSweep(settings: SweepSettings): SweepPlan | null {
  const points = sweepPoints(settings)
  const passBytes = planOf(settings, points, (_, bytes) => bytes)?.passBytes ?? 0
  const kept = points.filter(
    ({ kind, bandBytes }) => kind !== 'UDSP' || passBytes >= BANDS_TO_COUNT * (bandBytes ?? 0),
  )
  return passBytes === 0 ? null : planOf(settings, kept, storedBytes)
}

function planOf(
  settings: SweepSettings,
  points: readonly ContainerFacts[],
  stored: (point: ContainerFacts, passBytes: number) => number,
): SweepPlan | null {
  const unit = Math.max(settings.requestBytes, BAND_STEP)
  const written = (passBytes: number, repeats: number): number =>
    TIMES_WRITTEN *
    (WARM_UP_PASSES * passBytes + repeats * points.reduce((sum, point) => sum + stored(point, passBytes), 0))
  const passWithin = (repeats: number): number => {
    const each = settings.budgetBytes / TIMES_WRITTEN / (points.length * repeats + WARM_UP_PASSES)
    let pass = Math.floor(each / unit) * unit
    while (pass > 0 && written(pass, repeats) > settings.budgetBytes) pass -= unit
    return pass
  }
  const fewest = settings.repeats ?? LEAST_REPEATS
  let repeats = settings.repeats ?? USUAL_REPEATS
  while (repeats > fewest && passWithin(repeats) < LEAST_PASS_BYTES) repeats -= 1
  const largest = Math.max(LEAST_BAND_BYTES, ...points.map(({ bandBytes }) => bandBytes ?? 0))
  const longest = Math.ceil(Math.max(256 * MEBIBYTE, BANDS_TO_COUNT * largest) / unit) * unit
  while (settings.repeats === null && repeats < MOST_REPEATS && passWithin(repeats + 1) >= longest)
    repeats += 1
  const passBytes = Math.min(longest, passWithin(repeats))
  if (passBytes < Math.max(LEAST_PASS_BYTES, unit)) return null
  const random = seededRandom(settings.seed)
  const inOrder = points.map((_, index) => index)
  const rounds = Array.from({ length: repeats }, () => shuffled(inOrder, random))
  const segments = segmentsOf(points, rounds, passBytes, settings.seed)
  return {
    points,
    passBytes,
    rounds,
    segments,
    mayLeaveOut: false,
    files: 0,
    writeBytes: written(passBytes, repeats),
    readBytes: TIMES_WRITTEN * segments.length * passBytes,
    peakBytes: TIMES_WRITTEN * Math.max(...points.map((point) => stored(point, passBytes))),
  }
}

/**
 * The passes: each writes a new container whole, reads it, and reads it while a copy is written.
 * `test` is the point, `repeat` the round.
 */
function segmentsOf(
  points: readonly ContainerFacts[],
  rounds: SweepPlan['rounds'],
  bytes: number,
  seed: number,
): ContainerSegment[] {
  const passes = rounds.flatMap((order, repeat) => order.map((test) => ({ test, repeat })))
  return [{ test: 0, repeat: WARM_UP_ROUND }, ...passes].map(({ test, repeat }, index) => ({
    test,
    repeat,
    container: points[test] as ContainerFacts,
    // No two passes write the same data: a storage might keep two alike only once.
    ranges: [{ offset: 0, bytes, seed: 2 * ((seed * 1_000_003 + index) % 2 ** 40) }],
    passes: [
      {
        state: 'fresh',
        steps: [
          { kind: 'write', file: 0 },
          { kind: 'read', file: 0 },
          { kind: 'stream', file: 0, writeFile: 0 },
        ],
      },
    ],
    diskBytes: bytes,
  }))
}

/**
 * The bytes that a container with this content occupies: sparse images have whole bands, whose rest
 * encryption has to fill.
 */
function storedBytes({ kind, bandBytes }: ContainerFacts, passBytes: number): number {
  return kind === 'UDSP' && bandBytes !== null ? Math.ceil(passBytes / bandBytes) * bandBytes : passBytes
}
