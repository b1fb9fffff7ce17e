import { describe, expect, it } from 'vitest'
import { placeSeed, readBytesOf, UnitDraw } from '../../../../src/domain/look/unitDraw'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const KIB = 1024
const MIB = 1024 * KIB

interface File {
  readonly bytes: number
  readonly seed: number
}

/** Files of all magnitudes; `draw` tells their seeds from another draw's. */
function filesOf(count: number, draw: number): File[] {
  const random = seededRandom(7)
  return Array.from({ length: count }, (_, index) => ({
    bytes: Math.floor(2 ** (random.unit() * 24)),
    seed: placeSeed(0, new TextEncoder().encode(`folder/${index}`), draw),
  }))
}

function drawn(
  files: readonly File[],
  mostBytes: number,
  order = files.map((_, index) => index),
): UnitDraw<number> {
  const draw = new UnitDraw<number>(mostBytes)
  for (const index of order) draw.add(index, (files[index] as File).bytes, (files[index] as File).seed)
  return draw
}

describe('a draw of units', () => {
  it('keeps every unit once where all fit', () => {
    const files = [
      { bytes: 0, seed: 1 },
      { bytes: 1, seed: 2 },
      { bytes: MIB + 5, seed: 3 },
    ] // 0 + 1 + 5
    const draw = drawn(files, 10 * MIB)
    expect(draw.tau).toBeNull()
    const places = draw.units().map(({ file, offset, length }) => `${file} ${offset} ${length}`)
    expect(places.toSorted()).toEqual([
      '1 0 1',
      '2 0 262144',
      '2 1048576 5',
      '2 262144 262144',
      '2 524288 262144',
      '2 786432 262144',
    ])
  })

  it('keeps the same units in whichever order files come', () => {
    const files = filesOf(2000, 0)
    const orders = [files.map((_, index) => index), files.map((_, index) => files.length - 1 - index)]
    const [one, other] = orders.map((order) => drawn(files, 4 * MIB, order))
    expect(one?.units()).toEqual(other?.units())
    expect(one?.tau).toBe(other?.tau)
  })

  it('keeps no more bytes than it may, those before units included, and the smallest priorities', () => {
    const draw = drawn(filesOf(2000, 0), 4 * MIB)
    const units = draw.units()
    expect(units.reduce((sum, unit) => sum + readBytesOf(unit), 0)).toBeLessThanOrEqual(4 * MIB)
    expect(units.at(-1)?.priority).toBeLessThan(draw.tau as number)
    expect(units.map(({ priority }) => priority)).toEqual(
      units.map(({ priority }) => priority).toSorted((a, b) => a - b),
    )
  })

  it('estimates the bytes of all files, and of one in three, without bias', () => {
    const whole = filesOf(400, 0).reduce((sum, { bytes }) => sum + bytes, 0)
    const third = filesOf(400, 0).reduce((sum, { bytes }, index) => sum + (index % 3 === 0 ? bytes : 0), 0)
    const estimates = Array.from({ length: 300 }, (_, draw) => {
      const found = drawn(filesOf(400, draw), 4 * MIB)
      const tau = found.tau as number
      const sum = { whole: 0, third: 0 }
      for (const { file, length } of found.units()) {
        const expanded = length / Math.min(1, length * tau)
        sum.whole += expanded
        if (file % 3 === 0) sum.third += expanded
      }
      return sum
    })
    for (const [name, exact] of [
      ['whole', whole],
      ['third', third],
    ] as const) {
      const values = estimates.map((one) => one[name])
      const mean = values.reduce((a, b) => a + b) / values.length
      const error = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length / values.length)
      expect(Math.abs(mean - exact)).toBeLessThan(4 * error + 1)
    }
  })

  it('takes every place of a long file equally often', () => {
    const counts = new Map<number, number>()
    for (let draw = 0; draw < 4000; draw++) {
      const found = new UnitDraw(4 * 288 * KIB)
      found.add(0, 16 * 256 * KIB, placeSeed(0, new Uint8Array([1]), draw))
      const offsets = found.units().map(({ offset }) => offset)
      expect(new Set(offsets).size).toBe(offsets.length)
      for (const offset of offsets) counts.set(offset, (counts.get(offset) ?? 0) + 1)
    }
    const all = [...counts.values()].reduce((a, b) => a + b)
    expect(counts.size).toBe(16)
    // Each is expected all / 16 times, with a standard deviation of some 28.
    for (const count of counts.values()) expect(Math.abs(count - all / 16)).toBeLessThan(150)
  })

  it('makes few units of a source of petabytes', () => {
    const draw = new UnitDraw(96 * MIB)
    for (let file = 0; file < 1000; file++)
      draw.add(file, 2 ** 42, placeSeed(0, new Uint8Array([file & 255, file >> 8]), 0))
    expect(draw.units().length).toBeGreaterThan(300)
    expect(draw.tau).toBeGreaterThan(0)
  })
})
