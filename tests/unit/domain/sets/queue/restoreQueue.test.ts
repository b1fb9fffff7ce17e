import { describe, expect, test } from 'vitest'
import type { OfferState } from '../../../../../src/domain/sets/queue/queueDocument'
import {
  type CopyOffer,
  type OfferedVolume,
  restoreQueue,
  type WantedFile,
} from '../../../../../src/domain/sets/queue/restoreQueue'
import { exact } from '../../../../../src/primitives/estimate'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'

function copy(state: OfferState, place: string | null, number = 1, path: string | null = null): CopyOffer {
  return { copy: number, state, place, path }
}

function volume(index: number, copies: readonly CopyOffer[], planId = 'p-1'): OfferedVolume {
  return { planId, index, label: `${planId}_${index}`, copies, wholeBytes: 100, seconds: exact(50, 'test') }
}

function file(path: string, ...ways: number[][]): WantedFile {
  return { path, bytes: 10, ways }
}

const away = "parents' house"

describe('a restore queue', () => {
  test('takes one volume for all files where one has them all', () => {
    const files = [file('a', [0], [2]), file('b', [1], [2]), file('c', [0], [2])]
    const volumes = [1, 2, 3].map((index) => volume(index, [copy('good', 'home')]))
    const queue = restoreQueue(files, volumes, 5)
    expect(queue).toMatchObject({ files: 3, bytes: 30, places: 1, fewest: 1, isFewest: true, lostFiles: 0 })
    expect(queue.volumes).toMatchObject([{ index: 3, place: 'home', files: 3, bytes: 30 }])
    expect(queue.seconds?.value).toBe(15)
  })

  test('fetches from the fewest places, place by place, the one with most volumes first', () => {
    const volumes = [
      volume(1, [copy('good', away)]),
      volume(2, [copy('overdue', 'home'), copy('good', away, 2)]),
      volume(3, [copy('good', 'home')]),
      volume(4, [copy('good', " Parents'  HOUSE"), copy('good', 'bank', 2)]),
      volume(5, [copy('good', null)]),
    ]
    const files = volumes.map((_, at) => file(String(at), [at]))
    const queue = restoreQueue(files, volumes, 5)
    expect(queue.places).toBe(3)
    expect(queue.volumes.map(({ index, place }) => [index, place])).toEqual([
      [1, away],
      [2, away],
      [4, " Parents'  HOUSE"],
      [3, 'home'],
      [5, null],
    ])
    expect(queue.volumes[1]?.others).toEqual([{ copy: 1, place: 'home', state: 'overdue' }])
  })

  test('stays at the place that the last volume came from where another is as good', () => {
    const both = [copy('good', 'home'), copy('good', away, 2)]
    const volumes = [volume(1, both), volume(2, both), volume(3, [copy('good', 'home')])]
    const placesOf = (count: number, near: string | null): unknown[] =>
      restoreQueue(
        volumes.slice(0, count).map((_, at) => file(String(at), [at])),
        volumes.slice(0, count),
        5,
        near,
      ).volumes.map(({ place }) => place)
    expect(placesOf(2, null)).toEqual(['home', 'home'])
    expect(placesOf(2, " PARENTS'  house")).toEqual([away, away])
    expect(placesOf(2, 'bank')).toEqual(['home', 'home'])
    // It is no reason to go to one place more.
    expect(placesOf(3, away)).toEqual(['home', 'home', 'home'])
  })

  test('uses what is there now first, then copies that were verified', () => {
    const volumes = [
      volume(1, [copy('unverified', 'home'), copy('overdue', away, 2)]),
      volume(2, [copy('good', away), copy('unverified', null, 0, '/plan/images/02.iso')]),
    ]
    const { volumes: queued, places } = restoreQueue([file('a', [0]), file('b', [1])], volumes, 5)
    expect(queued).toMatchObject([
      { index: 2, copy: 0, path: '/plan/images/02.iso' },
      { index: 1, copy: 2, place: away, state: 'overdue' },
    ])
    expect(places).toBe(1)
  })

  test('uses a damaged copy only for what no other has', () => {
    const volumes = [
      volume(1, [copy('damaged', 'home')]),
      volume(2, [copy('damaged', 'home'), copy('good', away, 2)]),
      volume(3, [copy('unknown', null)]),
    ]
    const files = [file('a', [0]), file('b', [0], [1]), file('c', [0], [2])]
    const queue = restoreQueue(files, volumes, 5)
    expect(queue.volumes).toMatchObject([
      { index: 1, state: 'damaged', files: 1 },
      { index: 2, state: 'good', files: 1 },
      { index: 3, state: 'unknown', files: 1 },
    ])
    expect(queue).toMatchObject({ fewest: 3, isFewest: true })
  })

  test('names the files of which every copy is lost, and the volumes that held them', () => {
    const volumes = [volume(1, [copy('lost', 'home')]), volume(2, [copy('good', 'home')])]
    const files = [file('a', [0]), file('b', [0, 1]), file('c', [0], [1]), file('d')]
    const queue = restoreQueue(files, volumes, 2)
    expect(queue).toMatchObject({ files: 1, lostFiles: 3, lostBytes: 30 })
    expect(queue.lost).toEqual([
      { path: 'a', bytes: 10, labels: ['p-1_1'] },
      { path: 'b', bytes: 10, labels: ['p-1_1', 'p-1_2'] },
    ])
    expect(queue.volumes).toMatchObject([{ index: 2, files: 1 }])
  })

  test('shares the bytes of a file in parts among its volumes', () => {
    const volumes = [volume(1, [copy('good', 'home')]), volume(2, [copy('good', 'home')])]
    const queue = restoreQueue([file('film', [0, 1])], volumes, 5)
    expect(queue.volumes).toMatchObject([
      { files: 1, bytes: 5 },
      { files: 1, bytes: 5 },
    ])
    expect(queue).toMatchObject({ files: 1, bytes: 10 })
  })

  test('keeps files apart whose ways have the same digits', () => {
    const volumes = Array.from({ length: 12 }, (_, at) => volume(at + 1, [copy('good', 'home')]))
    const { volumes: queued } = restoreQueue([file('a', [1, 10]), file('b', [11, 0])], volumes, 5)
    expect(queued.map(({ index }) => index)).toEqual([1, 2, 11, 12])
  })

  test('says that fewer volumes may do where the search ends early', () => {
    // Each of many files is on any of three volumes: too many choices to try.
    const random = seededRandom(3)
    const volumes = Array.from({ length: 120 }, (_, at) => volume(at + 1, [copy('good', 'home')]))
    const files = Array.from({ length: 400 }, (_, at) =>
      file(String(at), ...Array.from({ length: 3 }, () => [random.below(volumes.length)])),
    )
    const queue = restoreQueue(files, volumes, 5)
    expect(queue.isFewest).toBe(false)
    expect(queue.volumes.length).toBeGreaterThan(queue.fewest)
  })

  test('has no time where that of one volume is not known', () => {
    const volumes = [
      volume(1, [copy('good', 'home')]),
      { ...volume(2, [copy('good', 'home')]), seconds: null },
    ]
    expect(restoreQueue([file('a', [0]), file('b', [1])], volumes, 5).seconds).toBeNull()
  })

  test('is as short as the best of all subsets, and from as few places as the best choice of copies', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { files, volumes } = randomCase(seededRandom(seed))
      const queue = restoreQueue(files, volumes, 100)
      const best = byTrying(files, volumes)
      expect({ lost: queue.lostFiles, count: queue.volumes.length }, `seed ${seed}`).toEqual({
        lost: best.lost,
        count: best.count,
      })
      expect(queue).toMatchObject({ isFewest: true, fewest: best.count })
      const chosen = queue.volumes.map(
        (each) => volumes.find(({ label }) => label === each.label) as OfferedVolume,
      )
      expect(queue.places, `seed ${seed}`).toBe(fewestPlaces(chosen))
      // Halves of a byte are rounded on each volume.
      const shared = queue.volumes.reduce((sum, { bytes }) => sum + bytes, 0)
      expect(Math.abs(shared - queue.bytes), `seed ${seed}`).toBeLessThan(volumes.length)
    }
  })
})

const PLACES = ['home', away, 'bank', null]
const STATES: readonly OfferState[] = ['good', 'overdue', 'unverified', 'damaged', 'lost', 'unknown']

function randomCase(random: SeededRandom): { files: WantedFile[]; volumes: OfferedVolume[] } {
  const some = <T>(all: readonly T[]): T => all[random.below(all.length)] as T
  const volumes = Array.from({ length: 2 + random.below(7) }, (_, at) =>
    volume(
      at + 1,
      Array.from({ length: 1 + random.below(3) }, (_each, number) =>
        copy(some(STATES), some(PLACES), number, random.below(8) === 0 ? `/v/${at}` : null),
      ),
    ),
  )
  const files = Array.from({ length: 1 + random.below(10) }, (_, at) =>
    file(
      String(at),
      ...Array.from({ length: 1 + random.below(3) }, () => [
        ...new Set(Array.from({ length: 1 + random.below(2) }, () => random.below(volumes.length))),
      ]),
    ),
  )
  return { files, volumes }
}

const isUsable = ({ copies }: OfferedVolume): boolean => copies.some(({ state }) => state !== 'lost')
const isSound = ({ copies }: OfferedVolume): boolean =>
  copies.some(({ state }) => state !== 'lost' && state !== 'damaged')

/** Every subset of the volumes, by the rules as they are written down. */
function byTrying(
  files: readonly WantedFile[],
  volumes: readonly OfferedVolume[],
): { lost: number; count: number } {
  const meets = (way: readonly number[], is: (volume: OfferedVolume) => boolean): boolean =>
    way.every((at) => is(volumes[at] as OfferedVolume))
  const wanted = files.flatMap(({ ways }) => {
    const usable = ways.filter((way) => meets(way, isUsable))
    const sound = ways.filter((way) => meets(way, isSound))
    return usable.length === 0 ? [] : [sound.length > 0 ? sound : usable]
  })
  let count = Number.POSITIVE_INFINITY
  for (let subset = 0; subset < 2 ** volumes.length; subset++) {
    const has = (at: number): boolean => (subset & (1 << at)) !== 0
    if (wanted.every((ways) => ways.some((way) => way.every(has))))
      count = Math.min(count, volumes.filter((_, at) => has(at)).length)
  }
  return { lost: files.length - wanted.length, count }
}

/** Every choice of one of the best copies of each volume. */
function fewestPlaces(volumes: readonly OfferedVolume[]): number {
  const bestOf = ({ copies }: OfferedVolume): readonly CopyOffer[] => {
    const there = copies.filter(({ state }) => state !== 'lost')
    const sound = there.filter(({ state }) => state !== 'damaged')
    const here = sound.filter(({ path }) => path !== null)
    const verified = sound.filter(({ state }) => state === 'good' || state === 'overdue')
    return [here, verified, sound, there].find(({ length }) => length > 0) ?? []
  }
  const choices = volumes.map(bestOf)
  const visit = (at: number, visited: ReadonlySet<string>): number => {
    const copies = choices[at]
    if (copies === undefined) return visited.size
    return Math.min(
      ...copies.map(({ place, path }) =>
        visit(at + 1, path === null ? new Set([...visited, place ?? '']) : visited),
      ),
    )
  }
  return visit(0, new Set())
}
