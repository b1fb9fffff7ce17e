import { describe, expect, test } from 'vitest'
import type { VolumeCheck } from '../../../../../src/domain/sets/checkDocument'
import type { CopyNote, VolumeCopy } from '../../../../../src/domain/sets/copies/copy'
import type { UnsafeCode } from '../../../../../src/domain/sets/copies/safeDocument'
import { safeToDelete, type Verdict, type Way } from '../../../../../src/domain/sets/copies/safeToDelete'
import { type CopyFacts, volumeCopies } from '../../../../../src/domain/sets/copies/volumeCopies'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-01-01T12:00:00Z')
const SET = 'aa'

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

/** One thing that happened to a copy. */
type Event = { day: number; volume: number; copy: number } & (
  | { what: 'write'; readBack: boolean; place: string | null }
  | { what: 'verify'; good: boolean; everyMonths: number }
  | { what: 'lost' | 'found' }
  | { what: 'place'; place: string }
)

interface History {
  readonly events: readonly Event[]
  readonly files: readonly (readonly Way[])[]
  readonly volumes: number
  readonly wanted: number
  readonly today: number
  readonly flaw: boolean
}

const PLACES = ['home', 'Home', 'office', null]

/** Histories in which about half of the sources are safe in the end. */
function randomHistory(random: SeededRandom): History {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  const volumes = 1 + random.below(3)
  const copies = 2 + random.below(2)
  const events: Event[] = []
  let day = 0
  for (let copy = 1; copy <= copies; copy++)
    for (let volume = 0; volume < volumes; volume++) {
      const place = random.below(6) === 0 ? pick(PLACES) : copy === 1 ? 'home' : 'office'
      events.push({ day: day++, volume, copy, what: 'write', readBack: random.below(8) > 0, place })
    }
  const later = random.below(9)
  for (let index = 0; index < later; index++) {
    day += random.below(40)
    const at = { day: day++, volume: random.below(volumes), copy: 1 + random.below(copies) }
    const kind = random.below(7)
    if (kind === 0) events.push({ ...at, what: 'lost' })
    else if (kind === 1) events.push({ ...at, what: 'found' })
    else if (kind === 2) events.push({ ...at, what: 'place', place: pick(['home', 'office', ' Office']) })
    else if (kind === 3)
      events.push({ ...at, what: 'write', readBack: random.below(3) > 0, place: pick(PLACES) })
    else events.push({ ...at, what: 'verify', good: random.below(4) > 0, everyMonths: pick([1, 6, 12, 24]) })
  }
  const files = Array.from({ length: 1 + random.below(4) }, (): Way[] => {
    const one = random.below(volumes)
    const other = (one + 1) % volumes
    if (volumes > 1 && random.below(4) === 0) return [[Math.min(one, other), Math.max(one, other)]]
    return volumes > 1 && random.below(4) === 0 ? [[one], [other]] : [[one]]
  })
  return {
    events,
    files,
    volumes,
    wanted: random.below(4) === 0 ? 3 : 1 + random.below(2),
    today: day + random.below(random.below(3) === 0 ? 500 : 60),
    flaw: random.below(12) === 0,
  }
}

/** By the product: runs, checks and notes, as the catalog keeps them. */
function verdictOf({ events, files, volumes, wanted, today, flaw }: History): boolean {
  const msOf = (day: number): number => START_MS + day * DAY_MS
  const checks: VolumeCheck[] = []
  const notes: CopyNote[] = []
  const runs: CopyFacts['runs'][number][] = []
  const check = ({ day, volume, copy }: Event, good: boolean, everyMonths: number): VolumeCheck => ({
    id: 'c-1',
    setId: SET,
    planId: 'p-1',
    volume,
    copy,
    label: `V_${volume}`,
    checkedWallMs: msOf(day),
    result: good ? 'good' : 'damaged',
    by: 'volume',
    reading: null,
    files: 1,
    damaged: good ? 0 : 1,
    everyMonths,
  })
  for (const event of events) {
    const { day, volume, copy } = event
    if (event.what === 'write') {
      if (event.readBack) checks.push(check(event, true, 12))
      runs.push({
        kind: 'write',
        setId: SET,
        startedWallMs: msOf(day) - 5,
        elapsedMs: 5,
        target: {
          kind: 'drive',
          path: '/dev/sr0',
          tool: null,
          speed: null,
          onTheFly: false,
          copy,
          ...(event.place !== null && { place: event.place }),
        },
        volumes: [
          {
            index: volume,
            label: `V_${volume}`,
            state: 'done',
            forecastSectors: 1,
            actualSectors: 1,
            files: 1,
            bytes: 1,
            elapsedMs: 5,
            errors: [],
          },
        ],
      })
    } else if (event.what === 'verify') checks.push(check(event, event.good, event.everyMonths))
    else {
      const place = event.what === 'place' ? event.place : null
      const about = { ofSet: 'p-1', volume, copy, label: `V_${volume}`, notedWallMs: msOf(day) }
      notes.push({ ...about, kind: event.what, place, medium: null })
    }
  }
  const facts = { planId: 'p-1', setId: SET, runs: runs.toReversed(), checks: checks.toReversed(), notes }
  const all: VolumeCopy[] = volumeCopies({ ...facts, pathOf: () => null }, msOf(today))
  const good = Array.from({ length: volumes }, (_, volume) =>
    all.filter((copy) => copy.volume === volume && copy.state === 'good'),
  )
  return verdictOn(files, good, { wanted, flaws: flaw ? ['changed'] : [] }).safe
}

/** The same, naively: each copy's events are looked through backwards, and every loss is tried. */
function model({ events, files, volumes, wanted, today, flaw }: History): boolean {
  if (flaw) return false
  const months = (day: number, count: number): number => {
    const date = new Date(START_MS + day * DAY_MS)
    const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1, 12))
    const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
    target.setUTCDate(Math.min(date.getUTCDate(), lastDay))
    return target.getTime()
  }
  const copies: { volume: number; place: string | null }[] = []
  for (let volume = 0; volume < volumes; volume++)
    for (let copy = 1; copy <= 9; copy++) {
      const own = events.filter((event) => event.volume === volume && event.copy === copy)
      const backwards = own.toReversed()
      const lastWrite = backwards.find(({ what }) => what === 'write')
      const placed = backwards.find(({ what }) => what === 'write' || what === 'place')
      const proof = backwards.find(
        (event) =>
          event.what === 'verify' || (event.what === 'write' && (event.readBack || event === lastWrite)),
      )
      // Nobody can find what was verified, or written anew, since it was lost.
      const fate = backwards.find(({ what }) => what !== 'place')
      const isProved =
        proof !== undefined &&
        (proof.what === 'write' ? proof.readBack : proof.what === 'verify' && proof.good)
      if (!isProved || fate?.what === 'lost') continue
      const interval = proof.what === 'verify' ? proof.everyMonths : 12
      if (months(proof.day, interval) < START_MS + today * DAY_MS) continue
      const place = placed && 'place' in placed ? placed.place : null
      copies.push({ volume, place: place === null ? null : place.trim().toLowerCase() })
    }
  const least = Math.max(2, wanted)
  const has = (volume: number, without?: string): boolean =>
    copies.some(
      (copy) =>
        copy.volume === volume && (without === undefined || (copy.place !== null && copy.place !== without)),
    )
  const count = (volume: number): number => copies.filter((copy) => copy.volume === volume).length
  return files.every((ways) => {
    const [first = []] = ways
    // A file is whole on one or two volumes, or has one part on each of two.
    const kept =
      ways.length > 1
        ? ways.reduce((sum, [volume = 0]) => sum + count(volume), 0)
        : Math.min(...first.map(count))
    const here = new Set(
      copies.filter(({ volume }) => ways.flat().includes(volume)).map(({ place }) => place),
    )
    here.delete(null)
    const survives = [...here].every((place) =>
      ways.some((way) => way.every((volume) => has(volume, place ?? ''))),
    )
    return kept >= least && here.size > 0 && survives
  })
}

test('a source is safe in random histories exactly when the model says so', () => {
  const random = seededRandom(41)
  const counts = { safe: 0, unsafe: 0 }
  for (let round = 0; round < 2000; round++) {
    const history = randomHistory(random)
    const expected = model(history)
    counts[expected ? 'safe' : 'unsafe'] += 1
    expect(verdictOf(history), `history ${round}: ${JSON.stringify(history)}`).toBe(expected)
  }
  // Both ends are reached often enough to mean something.
  expect(counts.safe).toBeGreaterThan(300)
  expect(counts.unsafe).toBeGreaterThan(300)
})
