/** A group of files whose totals are known from the pass. */
export interface StratumTotal {
  readonly key: string
  readonly files: number
  readonly bytes: number
  /** Bytes of the files' base names. */
  readonly nameBytes: number
}

/** Files of at most the first size, of at most the second, and so on; the last group has no limit. */
const SIZE_LIMITS = [4 * 1024, 32 * 1024, 256 * 1024, 1024 * 1024]

/** The stratum of a file: its class and the group of its size. */
export function stratumKey(fileClass: string, fileBytes: number): string {
  const group = SIZE_LIMITS.findIndex((limit) => fileBytes <= limit)
  return `${fileClass}/${group === -1 ? SIZE_LIMITS.length : group}`
}

/** What is known of one sampled unit before any dear codec has seen it. */
export interface SampledUnit {
  readonly stratum: string
  readonly bytes: number
  /** The probability with which the pass took it: above 0, at most 1. */
  readonly probability: number
  /** Sizes by cheap codecs that have been run on every unit; as many for each unit. */
  readonly covariates: readonly number[]
}

/** Units with weights that make the sample's bytes agree with what the pass counted. */
export interface CalibratedSample {
  readonly units: readonly SampledUnit[]
  /** Bytes of the source that each unit stands for, divided by its own bytes. */
  readonly weights: readonly number[]
  /** Which group each unit was calibrated in. */
  readonly groups: readonly number[]
}

/** Fewer units than this say too little of a stratum by themselves: it is pooled with others of the kind. */
const LEAST_UNITS = 10

/**
 * Post-stratified weights: within each stratum the weights 1/probability are scaled so that the sample's bytes become the
 * known bytes. Strata with too few units are pooled; a stratum that was taken whole stands for itself.
 */
export function calibrate(
  units: readonly SampledUnit[],
  totals: readonly { readonly key: string; readonly bytes: number }[],
): CalibratedSample {
  const members = new Map<string, number[]>(totals.map(({ key }) => [key, []]))
  units.forEach((unit, index) => {
    const list = members.get(unit.stratum)
    if (list) list.push(index)
    else members.set(unit.stratum, [index])
  })
  const bytesOf = new Map(totals.map(({ key, bytes }) => [key, bytes]))
  const alone: { list: number[]; bytes: number }[] = []
  const pool = { list: [] as number[], bytes: 0 }
  for (const [key, list] of members) {
    const bytes = bytesOf.get(key) ?? 0
    const whole =
      list.length > 0 &&
      list.every((index) => (units[index] as SampledUnit).probability >= 1) &&
      Math.abs(sum(list, (index) => (units[index] as SampledUnit).bytes) - bytes) <= bytes * 1e-9
    if (whole || list.length >= LEAST_UNITS) alone.push({ list, bytes })
    else {
      pool.list.push(...list)
      pool.bytes += bytes
    }
  }
  if (pool.list.length >= LEAST_UNITS || alone.length === 0) alone.push(pool)
  else if (pool.bytes > 0) {
    const largest = alone.reduce((best, one) => (one.list.length > best.list.length ? one : best))
    largest.list.push(...pool.list)
    largest.bytes += pool.bytes
  }
  const weights = units.map(() => 0)
  const groups = units.map(() => 0)
  alone.forEach(({ list, bytes }, group) => {
    const expanded = sum(list, (index) => {
      const unit = units[index] as SampledUnit
      return unit.bytes / unit.probability
    })
    const scale = expanded === 0 ? 0 : bytes / expanded
    for (const index of list) {
      weights[index] = scale / (units[index] as SampledUnit).probability
      groups[index] = group
    }
  })
  return { units, weights, groups }
}

function sum(list: readonly number[], of: (index: number) => number): number {
  return list.reduce((total, index) => total + of(index), 0)
}
