import type { VolumeCheck } from '../../src/domain/sets/checkDocument'
import type { CopyNote } from '../../src/domain/sets/copies/copy'
import type { Way } from '../../src/domain/sets/copies/safeToDelete'
import type { RunDocument } from '../../src/domain/sets/runDocument'
import type { SeededRandom } from '../../src/primitives/seededRandom'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-01-01T12:00:00Z')
const SET = 'aa'.repeat(32)

/** The time of a day of a history. */
export function msOf(day: number): number {
  return START_MS + day * DAY_MS
}

/** One thing that happened to a copy. */
export type Event = {
  day: number
  volume: number
  copy: number
} /** A check without an interval of its own keeps that of its volume. */ & (
  | { what: 'write'; readBack: boolean; place: string | null; everyMonths: number }
  | { what: 'verify'; good: boolean; everyMonths: number }
  | { what: 'lost' | 'found' }
  | { what: 'place'; place: string }
)

/** What happened to the copies of volumes, which are counted from 0, and the files on them. */
export interface History {
  readonly events: readonly Event[]
  readonly files: readonly (readonly Way[])[]
  readonly volumes: number
  readonly wanted: number
  readonly today: number
  readonly flaw: boolean
}

const PLACES = ['home', 'Home', 'office', null]

/**
 * Histories in which about half of the sources are safe in the end.
 * @param given the volumes and files, where they are real
 */
export function randomHistory(
  random: SeededRandom,
  given?: { readonly volumes: number; readonly files: readonly (readonly Way[])[] },
): History {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  const volumes = given?.volumes ?? 1 + random.below(3)
  const copies = 2 + random.below(2)
  const events: Event[] = []
  let day = 0
  for (let copy = 1; copy <= copies; copy++)
    for (let volume = 0; volume < volumes; volume++) {
      const place = random.below(6) === 0 ? pick(PLACES) : copy === 1 ? 'home' : 'office'
      const readBack = random.below(8) > 0
      events.push({ day: day++, volume, copy, what: 'write', readBack, place, everyMonths: 12 })
    }
  const later = random.below(9)
  for (let index = 0; index < later; index++) {
    day += random.below(40)
    const at = { day: day++, volume: random.below(volumes), copy: 1 + random.below(copies) }
    const kind = random.below(7)
    const verified = events.findLast((event) => event.what === 'verify' && event.volume === at.volume)
    const everyMonths = verified?.what === 'verify' ? verified.everyMonths : 12
    if (kind === 0) events.push({ ...at, what: 'lost' })
    else if (kind === 1) events.push({ ...at, what: 'found' })
    else if (kind === 2) events.push({ ...at, what: 'place', place: pick(['home', 'office', ' Office']) })
    else if (kind === 3)
      events.push({ ...at, what: 'write', readBack: random.below(3) > 0, place: pick(PLACES), everyMonths })
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
    files: given?.files ?? files,
    volumes,
    wanted: random.below(4) === 0 ? 3 : 1 + random.below(2),
    today: day + random.below(random.below(3) === 0 ? 500 : 60),
    flaw: random.below(12) === 0,
  }
}

/** The same as the catalog keeps it: runs, checks and notes, the volumes counted from 1. */
export function recordsOf(
  { events }: History,
  planId: string,
  labelOf: (volume: number) => string,
): { runs: RunDocument[]; checks: VolumeCheck[]; notes: CopyNote[] } {
  const checks: VolumeCheck[] = []
  const notes: CopyNote[] = []
  const runs: RunDocument[] = []
  const check = ({ day, volume, copy }: Event, good: boolean, everyMonths: number): VolumeCheck => ({
    id: `c-${day}`,
    setId: SET,
    planId,
    volume: volume + 1,
    copy,
    label: labelOf(volume),
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
    if (event.what === 'write') runs.push(writeRun(event, planId, labelOf(volume)))
    else if (event.what === 'verify') checks.push(check(event, event.good, event.everyMonths))
    else {
      const place = event.what === 'place' ? event.place : null
      const about = { ofSet: planId, volume: volume + 1, copy, label: labelOf(volume) }
      notes.push({ ...about, notedWallMs: msOf(day), kind: event.what, place, medium: null })
    }
  }
  return { runs, checks, notes }
}

function writeRun(
  { day, volume, copy, place, readBack }: Extract<Event, { what: 'write' }>,
  planId: string,
  label: string,
): RunDocument {
  return {
    schema: 'stowage.run/1',
    id: `w-${day}`,
    kind: 'write',
    planId,
    directory: '/plan',
    setId: SET,
    startedWallMs: msOf(day) - 5,
    elapsedMs: 5,
    outcome: 'done',
    target: {
      kind: 'drive',
      path: '/dev/sr0',
      tool: null,
      speed: null,
      onTheFly: false,
      copy,
      ...(place !== null && { place }),
    },
    volumes: [
      {
        index: volume + 1,
        label,
        state: 'done',
        forecastSectors: 1,
        actualSectors: 1,
        files: 1,
        bytes: 2048,
        elapsedMs: 5,
        errors: [],
        written: {
          sha256: SET,
          bytes: 2048,
          endedWallMs: msOf(day),
          writeMs: 5,
          verified: readBack,
          verifyMs: null,
          pipe: null,
        },
      },
    ],
  }
}

/** The same, naively: each copy's events are looked through backwards, and every loss is tried. */
export function isSafe({ events, files, volumes, wanted, today, flaw }: History): boolean {
  if (flaw) return false
  const months = (day: number, count: number): number => {
    const date = new Date(msOf(day))
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
      if (proof?.what !== 'write' && proof?.what !== 'verify') continue
      const isProved = proof.what === 'write' ? proof.readBack : proof.good
      if (!isProved || fate?.what === 'lost') continue
      if (months(proof.day, proof.everyMonths) < msOf(today)) continue
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
    // A file is whole on each of some volumes, or needs several.
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
