import { describe, expect, it } from 'vitest'
import { evenDraws, visitingOrder } from '../../../../src/domain/forecast/secondPhase'
import { placeSeed, UnitDraw } from '../../../../src/domain/look/unitDraw'
import { estimateTotal } from '../../../../src/domain/statistics/estimateTotal'
import { calibrate, stratumKey } from '../../../../src/domain/statistics/strata'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

const UNIT = 256 * 1024
const DRAWS = 200
const VISITS = 24

/** A unit of a large file: what a fast and a slow codec make of it. */
interface Unit {
  readonly quick: number
  readonly slow: number
}

/**
 * Files as programs and disk images are: long sections, each of one kind (tables that shrink to a
 * twentieth, code, packed data), with units that differ less within a section than sections do.
 */
function sectioned(files: number, unitsOfFile: number, random: SeededRandom): Unit[][] {
  return Array.from({ length: files }, () => {
    const units: Unit[] = []
    while (units.length < unitsOfFile) {
      const kind = [0.05, 0.12, 0.3, 0.45, 0.98][random.below(5)] as number
      const length = Math.ceil(unitsOfFile * (0.04 + 0.1 * random.unit()))
      for (let index = 0; index < length && units.length < unitsOfFile; index++) {
        const ratio = Math.min(0.99, kind * (0.8 + 0.4 * random.unit()))
        const quick = Math.round(ratio * UNIT)
        units.push({ quick, slow: Math.round(quick * (0.75 + 0.15 * random.unit())) })
      }
    }
    return units
  })
}

/** The estimates of many looks at such files. */
function looks(files: readonly Unit[][], unitsRead: number) {
  const truth = files.flat().reduce((sum, { slow }) => sum + slow, 0)
  const bytes = files.flat().length * UNIT
  const stratum = stratumKey('other', (files[0]?.length ?? 0) * UNIT)
  const errors: number[] = []
  let held = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = new UnitDraw<number>(Number.POSITIVE_INFINITY, unitsRead)
    for (const [index, units] of files.entries())
      drawn.add(index, units.length * UNIT, placeSeed(0, Buffer.from(`file ${index}`), draw))
    // As a look has them: by path and place.
    const taken = drawn.units().toSorted((one, other) => one.file - other.file || one.offset - other.offset)
    const unitOf = (place: number): Unit => {
      const { file, offset } = taken[place] as (typeof taken)[number]
      return files[file]?.[offset / UNIT] as Unit
    }
    const probability = Math.min(1, UNIT * (drawn.tau ?? Number.POSITIVE_INFINITY))
    const sampled = taken.map((_, place) => ({
      stratum,
      bytes: UNIT,
      probability,
      covariates: [unitOf(place).quick],
    }))
    const sample = calibrate(sampled, [{ key: stratum, bytes }])
    const visiting = visitingOrder(sample, evenDraws(seededRandom(draw).unit()))
    const observations = visiting.order.slice(0, VISITS).map((unit) => ({
      unit,
      probability: visiting.probability(unit, VISITS),
      compressedBytes: unitOf(unit).slow,
    }))
    const { value, low, high } = estimateTotal(sample, observations)
    if (low <= truth && truth <= high) held++
    errors.push(Math.abs(value / truth - 1))
  }
  return { held: held / DRAWS, medianError: errors.toSorted((a, b) => a - b)[DRAWS >> 1] as number }
}

/** The median error of as many units at random places: 0.674 standard errors, by Cochran's 2.15. */
function atRandomPlaces(files: readonly Unit[][], unitsRead: number): number {
  const sizes = files.flat().map(({ slow }) => slow)
  const mean = sizes.reduce((a, b) => a + b) / sizes.length
  const variance = sizes.reduce((sum, size) => sum + (size - mean) ** 2, 0) / (sizes.length - 1)
  return 0.674 * (Math.sqrt((variance / unitsRead) * (1 - unitsRead / sizes.length)) / mean)
}

describe('a look at few large files', () => {
  for (const [files, unitsOfFile, unitsRead] of [
    [1, 2700, 340],
    [1, 2700, 100],
    [4, 700, 340],
    [12, 200, 340],
  ] as const) {
    it(`estimates ${files} × ${unitsOfFile} units from ${unitsRead} better than random places would, and its ranges hold`, () => {
      const population = sectioned(files, unitsOfFile, seededRandom(31 + files))
      const { held, medianError } = looks(population, unitsRead)
      expect(held).toBeGreaterThanOrEqual(0.93)
      expect(medianError).toBeLessThan(0.8 * atRandomPlaces(population, unitsRead))
    })
  }

  for (const period of [2, 3, 5, 8, 13, 21, 34]) {
    it(`has ranges that hold where every ${period} units the content repeats`, () => {
      const random = seededRandom(period)
      const units = Array.from({ length: 2700 }, (_, index): Unit => {
        const quick = Math.round((index % period === 0 ? 0.9 : 0.1 + 0.1 * random.unit()) * UNIT)
        return { quick, slow: Math.round(quick * (0.75 + 0.15 * random.unit())) }
      })
      for (const unitsRead of [100, 340]) expect(looks([units], unitsRead).held).toBeGreaterThanOrEqual(0.93)
    })
  }
})
