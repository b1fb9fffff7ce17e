import { describe, expect, test } from 'vitest'
import type { UnsafeCode } from '../../../../../src/domain/sets/copies/safeDocument'
import {
  type SourceFlaw,
  safeToDelete,
  type Verdict,
} from '../../../../../src/domain/sets/copies/safeToDelete'
import type { GoodCopy, Way } from '../../../../../src/domain/sets/copies/safety'
import { volumeCopies } from '../../../../../src/domain/sets/copies/volumeCopies'
import { eventsOfCheck, eventsOfRun, type NewEvent } from '../../../../../src/domain/sets/volumeEvent'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import {
  type Disk,
  fileSystemOf,
  type History,
  isSafe,
  msOf,
  randomHistory,
  recordOf,
  SET,
  worldOf,
} from '../../../../support/copyHistories'

type Copy = Omit<GoodCopy, 'disks'> & { disks?: readonly string[] }

function verdictOn(
  files: readonly (readonly Way[] | null)[],
  volumes: readonly (readonly Copy[])[],
  { wanted = 2, flaws = [] as UnsafeCode[], sourceDisks = [] as string[] } = {},
): Verdict {
  const work = safeToDelete({
    wanted,
    files: files.map((ways, at) => ({ path: `/s/${at}`, bytes: 10, ways })),
    volumes: volumes.map((copies) => copies.map((copy) => ({ disks: [], ...copy }))),
    flaws: flaws.map((code) => ({ code: code as SourceFlaw['code'], files: 1, bytes: 1, paths: ['/s/x'] })),
    sourceDisks,
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

  test('counts the source as a disk while it is as surveyed', () => {
    const discs = [away, { ...away, place: 'bank' }]
    expect(verdictOn([[[0]]], [discs]).threeTwoOne.media).toEqual(['disk', 'optical disc'])
    const { threeTwoOne } = verdictOn([[[0]]], [discs], { flaws: ['gone'] })
    expect(threeTwoOne.media).toEqual(['optical disc'])
  })

  test('counts no kind of medium that nobody noted', () => {
    const unknown = { ...away, medium: null }
    expect(verdictOn([[[0]]], [[home, unknown]]).threeTwoOne).toMatchObject({ media: ['disk'], isMet: false })
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

describe('copies on one disk', () => {
  const on = (disk: string, place: string | null): Copy => ({ place, medium: 'disk', disks: [disk] })

  test('are one copy, whatever their places are called', () => {
    const verdict = verdictOn([[[0]]], [[on('a', 'home'), on('a', 'bank')]])
    expect(verdict).toMatchObject({ safe: false, reasons: [{ code: 'oneDisk' }], few: [{ copies: 1 }] })
    expect(verdictOn([[[0]]], [[on('a', 'home'), on('b', 'bank')]]).safe).toBe(true)
  })

  test('are at one place, and so are all copies at the places of these names', () => {
    const copies = [on('a', 'home'), on('a', 'bank'), on('b', 'home'), on('c', 'bank')]
    expect(verdictOn([[[0]]], [copies])).toMatchObject({ reasons: [{ code: 'onePlace' }] })
    expect(verdictOn([[[0]]], [[...copies, on('d', 'office')]]).safe).toBe(true)
  })

  test('are one copy of a file that several plans have', () => {
    const plans = [[on('a', 'home')], [on('a', 'bank')]]
    expect(verdictOn([[[0], [1]]], plans).reasons).toMatchObject([{ code: 'oneDisk' }])
    expect(verdictOn([[[0], [1]]], [[on('a', 'home')], [on('b', 'bank')]]).safe).toBe(true)
  })

  test('are known by any name that they have in common', () => {
    const one = { ...on('a', 'home'), disks: ['device 1', 'uuid'] }
    const other = { ...on('a', 'bank'), disks: ['device 2', 'disk'] }
    expect(verdictOn([[[0]]], [[one, other]]).safe).toBe(true)
    const third = { ...on('a', 'office'), disks: ['uuid', 'disk'] }
    expect(verdictOn([[[0]]], [[one, other, third]])).toMatchObject({ few: [{ copies: 1 }] })
  })

  test('count as one with the source where they are on its disk', () => {
    const copies = [on('s', 'home'), on('b', 'bank')]
    const { safe, threeTwoOne } = verdictOn([[[0]]], [copies], { sourceDisks: ['s'] })
    expect([safe, threeTwoOne.copies]).toEqual([true, 2])
    expect(verdictOn([[[0]]], [copies], { sourceDisks: ['t'] }).threeTwoOne.copies).toBe(3)
  })

  test('leave a lower bound where there are too many ways to lose a file', () => {
    const volumes = Array.from({ length: 300 }, (_, at) => [
      on(`a${at % 2}`, 'home'),
      on(`b${at % 3}`, 'bank'),
    ])
    const half = Array.from({ length: 150 }, (_, at) => at)
    const ways = [half, half.map((at) => at + 150)]
    expect(verdictOn([ways], volumes)).toMatchObject({ safe: true })
    expect(verdictOn([ways], volumes, { wanted: 3 })).toMatchObject({ few: [{ copies: 2 }] })
  })
})

test('a source without files is not safe: nothing shows that it is the one that was meant', () => {
  expect(verdictOn([], [])).toMatchObject({
    safe: false,
    reasons: [{ code: 'empty' }],
    threeTwoOne: { copies: 0 },
  })
  expect(verdictOn([], [], { flaws: ['unread'] }).reasons).toMatchObject([{ code: 'unread' }])
})

/** By the product: what the catalog keeps of each event, in their order. */
function verdictOf(history: History): boolean {
  const { files, volumes, wanted, today, flaw, lookedAt } = history
  const records = {
    planId: 'p-1',
    setId: SET,
    labelOf: (volume: number) => `V_${volume}`,
    folderOf: (disk: Disk, copy: number) => `/media/${disk}/${copy}`,
    fileSystemOf,
    digestOf: () => SET,
    bytesOf: () => 2048,
  }
  const events = history.events.flatMap((event, at): NewEvent[] => {
    const { disk } = worldOf(history.events.slice(0, at), event.volume, event.copy)
    const { run, check, everyMonths = 12, events: own = [] } = recordOf(event, at, records, disk)
    const months = event.what === 'write' ? event.everyMonths : everyMonths
    return [
      ...own,
      ...(run ? eventsOfRun(run, () => months) : []),
      ...(check ? eventsOfCheck(check, () => months) : []),
    ]
  })
  const pathOf = (volume: { label: string }, folder: string | null): string => `${folder}/${volume.label}`
  const all = volumeCopies({ planId: 'p-1', setId: SET, events, pathOf }, msOf(today))
  const good = Array.from({ length: volumes }, (_, volume) =>
    all
      .filter((copy) => copy.volume === volume + 1 && copy.state === 'good')
      .filter(({ copy, fileSystem }) => {
        const { thing, disk } = worldOf(history.events, volume, copy)
        expect(fileSystem?.id).toBe(disk === null ? undefined : `uuid:${disk}`)
        return disk === null || history.away.includes(disk) ? !lookedAt : thing === 'whole'
      })
      .map(({ place, medium, fileSystem }) => ({ place, medium, disks: fileSystem ? [fileSystem.id] : [] })),
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
