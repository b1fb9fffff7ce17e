import { calibrate, type SampledUnit, stratumKey } from '../../../../src/domain/statistics/strata'
import type { SeededRandom } from '../../../../src/primitives/seededRandom'

/** A unit of a made-up source: what three codecs would make of it. */
export interface TrueUnit {
  readonly stratum: string
  readonly bytes: number
  readonly cheap: number
  readonly dear: number
  /** Units with the same number hold the same bytes. */
  readonly content?: number
}

export const POPULATIONS = ['even', 'bimodal', 'heavy-tailed', 'large files'] as const
export type PopulationName = (typeof POPULATIONS)[number]

/** Units of one nature; sizes from hundreds of bytes to 1 MiB. */
export function population(name: PopulationName, random: SeededRandom): TrueUnit[] {
  const count = name === 'large files' ? 1500 : 8000
  return Array.from({ length: count }, () => {
    const bytes = sizeOf(name, random)
    const cheap = Math.ceil(bytes * cheapRatio(name, random) + 20)
    // Slow codecs gain most where the cheap one gained already, with noise that differs from file to file.
    const dear = Math.min(bytes, Math.ceil(cheap * (0.72 + 0.2 * (random.unit() - 0.5)) + 8))
    const fileClass = random.unit() < 0.7 ? 'text' : 'other'
    return { stratum: stratumKey(fileClass, bytes), bytes, cheap, dear }
  })
}

/** Each unit one to seven times, as in releases of a package that keep most of their files. */
export function copied(units: readonly TrueUnit[], random: SeededRandom): TrueUnit[] {
  return units
    .filter((_, index) => index % 4 === 0)
    .flatMap((unit, content) =>
      Array.from({ length: 1 + Math.floor(7 * random.unit()) }, () => ({ ...unit, content })),
    )
}

function sizeOf(name: PopulationName, random: SeededRandom): number {
  if (name === 'large files') return 1024 * 1024
  const spread = name === 'heavy-tailed' ? 2.4 : 1.3
  return Math.min(1024 * 1024, Math.max(200, Math.round(9000 * Math.exp(spread * normal(random)))))
}

function cheapRatio(name: PopulationName, random: SeededRandom): number {
  if (name === 'bimodal') return random.unit() < 0.3 ? 0.99 : 0.03 + 0.1 * random.unit()
  if (name === 'large files') return random.unit() < 0.2 ? 0.001 : 0.3 + 0.4 * random.unit()
  return Math.min(0.99, Math.max(0.05, 0.35 + 0.15 * normal(random)))
}

/** Irwin-Hall: twelve uniform numbers make a normal one, near enough for a made-up source. */
function normal(random: SeededRandom): number {
  let sum = -6
  for (let draw = 0; draw < 12; draw++) sum += random.unit()
  return sum
}

/** What the pass would hand over: units by priority sampling, `expected` of them, and the known totals. */
export function samplePass(units: readonly TrueUnit[], expected: number, random: SeededRandom) {
  const priorities = units.map((unit) => unit.bytes / (1 - random.unit()))
  const threshold = priorities.toSorted((a, b) => b - a)[expected]
  const tau = threshold === undefined ? null : 1 / threshold
  const taken = units.filter(
    (_, index) => threshold === undefined || (priorities[index] as number) > threshold,
  )
  const sampled: SampledUnit[] = taken.map((unit) => ({
    stratum: unit.stratum,
    bytes: unit.bytes,
    probability: tau === null ? 1 : Math.min(1, unit.bytes * tau),
    covariates: [unit.cheap],
    ...(unit.content !== undefined && { content: unit.content }),
  }))
  const totals = new Map<string, number>()
  for (const unit of units) totals.set(unit.stratum, (totals.get(unit.stratum) ?? 0) + unit.bytes)
  return {
    taken,
    sample: calibrate(
      sampled,
      [...totals].map(([key, bytes]) => ({ key, bytes })),
    ),
  }
}
