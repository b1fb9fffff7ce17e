import { expect, test } from 'vitest'
import { inTurn } from '../../../../../src/engine/sets/runs/inTurn'
import { AppError } from '../../../../../src/primitives/appError'
import type { Milliseconds } from '../../../../../src/primitives/clock'

const damaged = new AppError('verification-failed', 'B differs')
const full = new AppError('no-space', 'cannot write C')

/** Each call of a clock is a millisecond later. */
const ticking = () => {
  let now = 0
  return { monotonicMs: () => (now += 1) as Milliseconds }
}

test('a failure is noted and the next volume begun, and the first failure is returned', async () => {
  const ends: [string, number][] = []
  const first = await inTurn<string, string>(
    ['A', 'B', 'C'],
    ticking(),
    async (volume) => {
      if (volume === 'B') throw damaged
      return volume
    },
    async (outcome, at, elapsedMs) => {
      ends.push([outcome instanceof AppError ? outcome.message : outcome, elapsedMs])
      return { failures: at === 0 ? [] : [outcome instanceof AppError ? outcome : full], goesOn: true }
    },
  )
  expect(first).toBe(damaged)
  expect(ends).toEqual([
    ['A', 1],
    ['B differs', 1],
    ['C', 1],
  ])
})

test('no volume is begun after an end that goes on no further', async () => {
  const begun: string[] = []
  const first = await inTurn<string, string>(
    ['A', 'B'],
    ticking(),
    (volume) => {
      begun.push(volume)
      return Promise.reject(full)
    },
    async () => ({ failures: [full], goesOn: false }),
  )
  expect(first).toBe(full)
  expect(begun).toEqual(['A'])
})

test('a volume that is left is tried once more in the end', async () => {
  const begun: string[] = []
  const ended: number[] = []
  const first = await inTurn<string, string>(
    ['A', 'B', 'C'],
    ticking(),
    async (volume) => {
      begun.push(volume)
      if (volume === 'A') return null
      return volume === 'B' && begun.length < 4 ? null : volume
    },
    async (_, at) => {
      ended.push(at)
      return { failures: [], goesOn: true }
    },
  )
  expect(first).toBeNull()
  expect(begun).toEqual(['A', 'B', 'C', 'A', 'B'])
  expect(ended).toEqual([2, 1])
})
