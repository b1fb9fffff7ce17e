/** A group of files whose totals are known from the pass. */
export interface StratumTotal {
  readonly key: string
  readonly files: number
  readonly bytes: number
  /** Bytes of the files' base names. */
  readonly nameBytes: number
}

/**
 * Files of at most the first size, of at most the second, and so on; the last group has no limit.
 */
const SIZE_LIMITS = [4 * 1024, 32 * 1024, 256 * 1024, 1024 * 1024]

/** The stratum of a file: its class and the group of its size. */
export function stratumKey(fileClass: string, fileBytes: number): string {
  const group = SIZE_LIMITS.findIndex((limit) => fileBytes <= limit)
  return `${fileClass}/${group === -1 ? SIZE_LIMITS.length : group}`
}

/** The known facts of one sampled unit before any slow codec has seen it. */
export interface SampledUnit {
  readonly stratum: string
  readonly bytes: number
  /** The probability with which the pass took it: above 0, at most 1. */
  readonly probability: number
  /** Sizes by cheap codecs that have been run on every unit; as many for each unit. */
  readonly covariates: readonly number[]
  /**
   * Records in it, where their number is known of the whole source too and the weights agree with
   * it.
   */
  readonly records?: number
  /** Units with the same number hold the same bytes, so that one visit covers all of them. */
  readonly content?: number
  /** It holds nothing but zeros, and how many such bytes the source has is not known. */
  readonly isZero?: boolean
}

/** Units with weights that make the sample's bytes agree with what the pass counted. */
export interface CalibratedSample {
  readonly units: readonly SampledUnit[]
  /** Bytes of the source that each unit stands for, divided by its own bytes. */
  readonly weights: readonly number[]
  /** Which group each unit was calibrated in. */
  readonly groups: readonly number[]
}

/**
 * Fewer units than this say too little of a stratum by themselves: it is pooled with others of its
 * class.
 */
const LEAST_UNITS = 10
/** A class with fewer units than this is pooled with other such classes. */
const LEAST_UNITS_OF_CLASS = 3

interface Group {
  readonly list: number[]
  bytes: number
}

/**
 * Post-stratified weights: within each stratum the weights 1/probability are scaled so that the
 * sample's bytes become the known bytes. Strata with too few units are pooled within their class
 * (the part of the key before the slash); a stratum that was taken whole represents itself.
 */
export function calibrate(
  units: readonly SampledUnit[],
  totals: readonly { readonly key: string; readonly bytes: number }[],
): CalibratedSample {
  const strata = new Map<string, Group>(totals.map(({ key, bytes }) => [key, { list: [], bytes }]))
  units.forEach((unit, index) => {
    const stratum = strata.get(unit.stratum) ?? { list: [], bytes: 0 }
    strata.set(unit.stratum, stratum)
    stratum.list.push(index)
  })
  const alone: Group[] = []
  const classes = new Map<string, Group>()
  for (const [key, stratum] of strata) {
    if (stratum.list.length >= LEAST_UNITS || isWhole(units, stratum)) alone.push(stratum)
    else pour(stratum, classes, key.split('/')[0] as string)
  }
  const rest = new Map<string, Group>()
  for (const one of classes.values()) {
    if (one.list.length >= LEAST_UNITS_OF_CLASS) alone.push(one)
    else pour(one, rest, '')
  }
  const left = rest.get('')
  if (left && (left.list.length > 0 || alone.length === 0)) alone.push(left)
  else if (left && left.bytes > 0) {
    const largest = alone.reduce((best, one) => (one.list.length > best.list.length ? one : best))
    largest.bytes += left.bytes
  }
  const weights = units.map(() => 0)
  const groups = units.map(() => 0)
  alone.forEach((group, number) => {
    const scale = scaleOf(units, group)
    for (const index of group.list) {
      weights[index] = scale / (units[index] as SampledUnit).probability
      groups[index] = number
    }
  })
  return { units, weights, groups }
}

/** The stratum of units that are all zeros. */
const ZEROS = 'zeros/0'

/**
 * Puts units of nothing but zeros into a stratum of their own, whose total the pass has counted:
 * else chance decides how many holes of a disk image are in the sample. The bytes are taken from
 * the other strata in proportion to the zeros seen in each.
 * @param isZero for each unit
 * @param zeroBytes of all such units of the source
 */
export function zerosApart(
  units: readonly SampledUnit[],
  isZero: readonly boolean[],
  totals: readonly { readonly key: string; readonly bytes: number }[],
  zeroBytes: number,
): { units: SampledUnit[]; totals: { key: string; bytes: number }[] } {
  const seen = new Map<string, number>()
  let all = 0
  units.forEach((unit, index) => {
    if (!isZero[index]) return
    const bytes = unit.bytes / unit.probability
    seen.set(unit.stratum, (seen.get(unit.stratum) ?? 0) + bytes)
    all += bytes
  })
  if (all === 0) return { units: [...units], totals: [...totals] }
  let moved = 0
  const left = totals.map(({ key, bytes }) => {
    const zeros = Math.min(bytes, ((seen.get(key) ?? 0) / all) * zeroBytes)
    moved += zeros
    return { key, bytes: bytes - zeros }
  })
  return {
    units: units.map((unit, index) => (isZero[index] ? { ...unit, stratum: ZEROS } : unit)),
    totals: [...left, { key: ZEROS, bytes: moved }],
  }
}

function pour(from: Group, into: Map<string, Group>, key: string): void {
  const target = into.get(key) ?? { list: [], bytes: 0 }
  into.set(key, target)
  target.list.push(...from.list)
  target.bytes += from.bytes
}

function isWhole(units: readonly SampledUnit[], { list, bytes }: Group): boolean {
  const taken = list.reduce((sum, index) => sum + (units[index] as SampledUnit).bytes, 0)
  return list.length > 0 && Math.abs(taken - bytes) <= bytes * 1e-9
}

function scaleOf(units: readonly SampledUnit[], { list, bytes }: Group): number {
  const expanded = list.reduce((sum, index) => {
    const unit = units[index] as SampledUnit
    return sum + unit.bytes / unit.probability
  }, 0)
  return expanded === 0 ? 0 : bytes / expanded
}
