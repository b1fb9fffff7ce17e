import { describe, expect, it } from 'vitest'
import { estimateTotal, type Observation } from '../../../../src/domain/compression/estimateTotal'
import { visitingOrder } from '../../../../src/domain/compression/secondPhase'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { POPULATIONS, population, samplePass } from './populations'

const TRIALS = 200

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}

/** Forecasts the dear codec in `TRIALS` samples of one source. */
function trials(name: (typeof POPULATIONS)[number], expected: number, visits: number) {
  const units = population(name, seededRandom(17))
  const truth = units.reduce((sum, unit) => sum + unit.dear, 0)
  const errors: number[] = []
  const widths: number[] = []
  let covered = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = seededRandom(1000 + trial)
    const { taken, sample } = samplePass(units, expected, random)
    const visiting = visitingOrder(sample, () => 1 - random.unit())
    const visited = visiting.order.slice(0, visits)
    const observations = visited.map(
      (unit): Observation => ({
        unit,
        probability: visiting.probability(unit, visited.length),
        compressedBytes: (taken[unit] as { dear: number }).dear,
        partly: false,
      }),
    )
    const { value, low, high } = estimateTotal(sample, observations)
    if (low <= truth && truth <= high) covered++
    errors.push(value / truth - 1)
    widths.push((high - low) / 2 / truth)
  }
  return {
    coverage: covered / TRIALS,
    bias: errors.reduce((sum, error) => sum + error, 0) / TRIALS,
    medianError: median(errors.map(Math.abs)),
    medianHalfWidth: median(widths),
  }
}

describe('the forecast of a compressed total', () => {
  // A third above what was seen with 25 visits; a range that says nothing would be far wider.
  const most = { even: 0.075, bimodal: 0.15, 'heavy-tailed': 0.07, 'large files': 0.08 }
  for (const name of POPULATIONS) {
    for (const visits of [25, 120]) {
      it(`covers the truth in 95 of 100 samples of ${name} data with ${visits} dear visits`, () => {
        const seen = trials(name, 500, visits)
        console.log(`${name}, ${visits} visits: ${JSON.stringify(seen)}`)
        expect(seen.coverage).toBeGreaterThanOrEqual(0.95)
        expect(seen.medianHalfWidth).toBeLessThan(most[name])
        expect(Math.abs(seen.bias)).toBeLessThan(seen.medianHalfWidth / 4)
      })
    }
  }
})
