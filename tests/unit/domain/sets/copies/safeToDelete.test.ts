import { describe, expect, test } from 'vitest'
import type { UnsafeCode } from '../../../../../src/domain/sets/copies/safeDocument'
import { safeToDelete, type Verdict, type Way } from '../../../../../src/domain/sets/copies/safeToDelete'
import { volumeCopies } from '../../../../../src/domain/sets/copies/volumeCopies'
import { checksOfRun } from '../../../../../src/domain/sets/volumeChecks'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { type History, isSafe, msOf, randomHistory, recordsOf } from '../../../../support/copyHistories'

type Copy = { place: string | null; medium: string | null }

function verdictOn(
  files: readonly (readonly Way[] | null)[],
  volumes: readonly (readonly Copy[])[],
  { wanted = 2, flaws = [] as UnsafeCode[] } = {},
): Verdict {
  const work = safeToDelete({
    wanted,
    files: files.map((ways, at) => ({ path: `/s/${at}`, bytes: 10, ways })),
    volumes,
    flaws: flaws.map((code) => ({ code: code as 'changed', files: 1, bytes: 1, paths: ['/s/x'] })),
    limit: 3,
  })
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

const home: Copy = { place: 'home', medium: 'disk' }
const away: Copy = { place: "parents' house", medium: 'optical disc' }

describe('the verdict on a source', () => {
  test('is safe where every file is on two good copies at two places', () => {
    const verdict = verdictOn([[[0]], [[0], [1]]], [[home, away], [home]])
    expect(verdict).toMatchObject({ safe: true, reasons: [], keptFiles: 2, keptBytes: 20, wanted: 2 })
    expect(verdict.threeTwoOne).toEqual({
      copies: 3,
      media: ['disk', 'optical disc'],
      isElsewhere: true,
      isMet: true,
    })
  })

  test('never asks for fewer than two copies', () => {
    expect(verdictOn([[[0]]], [[home]], { wanted: 1 })).toMatchObject({ safe: false, wanted: 2 })
  })

  test('is not safe at one place, however it is written, or at places that nobody noted', () => {
    const unknown = { place: null, medium: 'disk' }
    for (const other of [home, { ...home, place: ' HOME ' }, unknown]) {
      const verdict = verdictOn([[[0]]], [[home, other]])
      expect(verdict).toMatchObject({ safe: false, reasons: [{ code: 'onePlace', files: 1, bytes: 10 }] })
      expect(verdict.threeTwoOne).toMatchObject({ isElsewhere: false, isMet: false })
    }
    expect(verdictOn([[[0]]], [[unknown, unknown]]).safe).toBe(false)
  })

  test('asks for all volumes of a file in parts, and that no place holds the only one of any', () => {
    expect(verdictOn([[[0, 1]]], [[home, away], [home]]).reasons).toMatchObject([{ code: 'few' }])
    // Two copies of each part, but the first parts are both at home.
    expect(
      verdictOn(
        [[[0, 1]]],
        [
          [home, home],
          [home, away],
        ],
      ).reasons,
    ).toMatchObject([{ code: 'onePlace' }])
    expect(
      verdictOn(
        [[[0, 1]]],
        [
          [home, away],
          [away, home],
        ],
      ).safe,
    ).toBe(true)
  })

  test('counts no volume twice for a file that is whole on one and in parts on it and another', () => {
    expect(verdictOn([[[0], [0, 1]]], [[home], [home, away]]).few).toMatchObject([{ copies: 1 }])
  })

  test('is not safe for a file without SHA-256, and for a source that is not as surveyed', () => {
    expect(verdictOn([null], [[home, away]]).reasons).toMatchObject([{ code: 'noDigest', paths: ['/s/0'] }])
    for (const code of ['changed', 'added', 'gone', 'skipped', 'partial', 'unread'] as const)
      expect(verdictOn([[[0]]], [[home, away]], { flaws: [code] })).toMatchObject({
        safe: false,
        keptFiles: 1,
        reasons: [{ code }],
      })
  })

  test('does not count the source among three copies once it changed', () => {
    const { threeTwoOne } = verdictOn([[[0]]], [[home, away]], { flaws: ['changed'] })
    expect(threeTwoOne).toMatchObject({ copies: 2, isMet: false })
  })

  test('lists the first files and counts the rest', () => {
    const verdict = verdictOn(
      Array.from({ length: 5 }, () => [[0]]),
      [[home]],
    )
    expect(verdict.reasons).toEqual([{ code: 'few', files: 5, bytes: 50, paths: ['/s/0', '/s/1', '/s/2'] }])
    expect(verdict).toMatchObject({ moreFew: 2, keptFiles: 0 })
  })
})

/** By the product: runs, checks and notes, as the catalog keeps them. */
function verdictOf(history: History): boolean {
  const { files, volumes, wanted, today, flaw } = history
  const { runs, checks, notes } = recordsOf(history, 'p-1', (volume) => `V_${volume}`)
  const everyMonths = new Map(
    history.events.flatMap((event) =>
      event.what === 'write' ? [[`w-${event.day}`, event.everyMonths]] : [],
    ),
  )
  const written = runs.flatMap((run) => checksOfRun(run, () => everyMonths.get(run.id) ?? 0))
  const all = volumeCopies(
    { planId: 'p-1', setId: null, runs, checks: [...checks, ...written], notes, pathOf: () => null },
    msOf(today),
  )
  const good = Array.from({ length: volumes }, (_, volume) =>
    all.filter((copy) => copy.volume === volume + 1 && copy.state === 'good'),
  )
  return verdictOn(files, good, { wanted, flaws: flaw ? ['changed'] : [] }).safe
}

test('a source is safe in random histories exactly when the model says so', () => {
  const random = seededRandom(41)
  const counts = { safe: 0, unsafe: 0 }
  for (let round = 0; round < 2000; round++) {
    const history = randomHistory(random)
    const expected = isSafe(history)
    counts[expected ? 'safe' : 'unsafe'] += 1
    expect(verdictOf(history), `history ${round}: ${JSON.stringify(history)}`).toBe(expected)
  }
  // Both ends are reached often enough to mean something.
  expect(counts.safe).toBeGreaterThan(300)
  expect(counts.unsafe).toBeGreaterThan(300)
})
