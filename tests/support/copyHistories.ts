import { CHECK_SCHEMA, type CheckDocument } from '../../src/domain/sets/checkDocument'
import type { CopyNote } from '../../src/domain/sets/copies/copy'
import type { FileSystemIdentity } from '../../src/domain/sets/copies/fileSystemIdentity'
import type { Way } from '../../src/domain/sets/copies/safety'
import type { RunDocument } from '../../src/domain/sets/runDocument'
import { eventOfNote, type NewEvent } from '../../src/domain/sets/volumeEvent'
import type { SeededRandom } from '../../src/primitives/seededRandom'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-01-01T12:00:00Z')
export const SET = 'aa'.repeat(32)
const EDITED_SET = 'bb'.repeat(32)

/** The time of a day of a history. */
export function msOf(day: number): number {
  return START_MS + day * DAY_MS
}

/** Disks by name; `source` is that of the source. */
export const DISKS = ['red', 'blue', 'source'] as const
export type Disk = (typeof DISKS)[number]

/** Places as persons write them; those in one row are one. */
const PLACES = [
  ['home', 'Home', ' HOME '],
  ["parents' house", 'Parents\u2019  house'],
  ['Hauptstra\u00dfe 1', 'HAUPTSTRASSE 1'],
  ['\u0130stanbul', 'istanbul', 'Istanbul'],
] as const

/**
 * One thing that happened to a copy, in the order in which it happened; `day` is what the clock said
 * then.
 */
export type Event = {
  readonly day: number
  readonly volume: number
  readonly copy: number
} & (
  | {
      /** Onto a disk, or a disc where that is null. A check without an interval keeps that of its volume. */
      readonly what: 'write'
      readonly disk: Disk | null
      readonly readBack: boolean
      readonly place: string | null
      readonly everyMonths: number
    }
  | { readonly what: 'verify'; readonly good: boolean; readonly everyMonths: number }
  /** A verification whose set is not on record, as older versions made them. */
  | { readonly what: 'verifyOld'; readonly everyMonths: number }
  /** The lists on it were changed, and a verification saw that. */
  | { readonly what: 'edited'; readonly everyMonths: number }
  | { readonly what: 'lost' | 'found' }
  | { readonly what: 'place'; readonly place: string }
  /** Stowage replaced it by something else. */
  | { readonly what: 'gone' }
  /** Somebody removed, cut or replaced it, and nobody knows. */
  | { readonly what: 'removed' | 'cut' | 'replaced' }
)

/** What happened to the copies of volumes, which are counted from 0, and the files on them. */
export interface History {
  readonly events: readonly Event[]
  readonly files: readonly (readonly Way[])[]
  readonly volumes: number
  readonly wanted: number
  readonly today: number
  /** The source is not as surveyed. */
  readonly flaw: boolean
  /** Disks that are not connected when it is asked. */
  readonly away: readonly Disk[]
  /** Only copies that were looked at count. */
  readonly lookedAt: boolean
}

/**
 * Histories in which a fair share of the sources is safe in the end.
 * @param given the volumes and files, where they are real
 */
export function randomHistory(
  random: SeededRandom,
  given?: { readonly volumes: number; readonly files: readonly (readonly Way[])[] },
): History {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  const spelled = (row: number): string => pick(PLACES[row] ?? PLACES[0])
  const volumes = given?.volumes ?? 1 + random.below(3)
  const copies = 2 + random.below(2)
  const events: Event[] = []
  let day = 0
  // A clock that is wrong for a while.
  const clock = (): number => (random.below(10 * volumes) === 0 ? pick([day - 400, day + 9000, day]) : day)
  for (let copy = 1; copy <= copies; copy++)
    for (let volume = 0; volume < volumes; volume++) {
      day += 1
      const disk =
        random.below(6 * volumes) === 0
          ? pick([...DISKS, null])
          : copy === 1
            ? 'red'
            : pick(['blue', null] as const)
      const place =
        random.below(6 * volumes) === 0 ? pick([null, spelled(0)]) : spelled(copy === 1 ? 0 : pick([1, 2, 3]))
      const readBack = random.below(8 * volumes) > 0
      events.push({ day: clock(), volume, copy, what: 'write', disk, readBack, place, everyMonths: 12 })
    }
  const later = random.below(8)
  for (let index = 0; index < later; index++) {
    day += 1 + random.below(40)
    const volume = random.below(volumes)
    const at = { day: clock(), volume, copy: 1 + random.below(copies) }
    const everyMonths = intervalOf(events, volume)
    const kind = random.below(16)
    if (kind === 0) events.push({ ...at, what: 'lost' })
    else if (kind === 1) events.push({ ...at, what: 'found' })
    else if (kind === 2) events.push({ ...at, what: 'place', place: spelled(random.below(4)) })
    else if (kind <= 4)
      events.push({
        ...at,
        what: 'write',
        disk: pick([...DISKS, null]),
        readBack: random.below(3) > 0,
        place: pick([null, spelled(0), spelled(1)]),
        everyMonths,
      })
    else if (kind === 5) events.push({ ...at, what: 'verifyOld', everyMonths })
    else if (kind === 6) events.push({ ...at, what: 'edited', everyMonths })
    else if (kind === 7) events.push({ ...at, what: 'gone' })
    else if (kind <= 9) events.push({ ...at, what: pick(['removed', 'cut', 'replaced'] as const) })
    else events.push({ ...at, what: 'verify', good: random.below(5) > 0, everyMonths: pick([1, 6, 12, 24]) })
  }
  const files = Array.from({ length: 1 + random.below(4) }, (): Way[] => {
    const one = random.below(volumes)
    const other = (one + 1) % volumes
    if (volumes > 1 && random.below(4) === 0) return [[Math.min(one, other), Math.max(one, other)]]
    return volumes > 1 && random.below(4) === 0 ? [[one], [other]] : [[one]]
  })
  return {
    events: events.filter((event, at) => isPossible(event, events.slice(0, at))),
    files: given?.files ?? files,
    volumes,
    wanted: random.below(4) === 0 ? 3 : 1 + random.below(2),
    today: day + random.below(random.below(3) === 0 ? 500 : 60),
    flaw: random.below(14) === 0,
    away: DISKS.filter((disk) => disk !== 'source' && random.below(5) === 0),
    lookedAt: random.below(6) === 0,
  }
}

function intervalOf(events: readonly Event[], volume: number): number {
  const last = events.findLast((event) => event.volume === volume && 'everyMonths' in event)
  return last && 'everyMonths' in last ? last.everyMonths : 12
}

/** What is not there any more can be neither read nor cut; nobody finds a thing wrong that is gone. */
function isPossible(event: Event, before: readonly Event[]): boolean {
  const { thing } = worldOf(before, event.volume, event.copy)
  if (event.what === 'verify' || event.what === 'verifyOld') return thing === 'whole'
  if (event.what === 'edited' || event.what === 'gone') return thing === 'whole'
  if (event.what === 'removed' || event.what === 'cut' || event.what === 'replaced') return thing === 'whole'
  return true
}

/** What really is at the place of a copy. */
export interface Thing {
  readonly thing: 'none' | 'whole' | 'removed' | 'cut' | 'replaced' | 'edited'
  readonly disk: Disk | null
}

export function worldOf(events: readonly Event[], volume: number, copy: number): Thing {
  let found: Thing = { thing: 'none', disk: null }
  for (const event of events) {
    if (event.volume !== volume || event.copy !== copy) continue
    if (event.what === 'write') found = { thing: 'whole', disk: event.disk }
    else if (event.what === 'gone') found = { ...found, thing: 'replaced' }
    // A disc is in no drive: what happens to it is seen by nobody.
    else if (
      event.what === 'edited' ||
      event.what === 'removed' ||
      event.what === 'cut' ||
      event.what === 'replaced'
    )
      found = { ...found, thing: event.what }
  }
  return found
}

/** A disk as the catalog notes it. */
export function fileSystemOf(disk: Disk, mountPoint = `/media/${disk}`): FileSystemIdentity {
  return { id: `uuid:${disk}`, disk: `disk:${disk}`, mountPoint }
}

export interface Records {
  readonly planId: string
  readonly setId: string
  labelOf(volume: number): string
  /** Where a copy of a volume is written to on a disk. */
  folderOf(disk: Disk, copy: number): string
  fileSystemOf(disk: Disk): FileSystemIdentity
  /** SHA-256 of the checksums on a volume. */
  digestOf(volume: number): string
  /** Its length where it is an image. */
  bytesOf(volume: number): number
}

/** The catalog's record of one event: a run, a check or an event of its own. */
export function recordOf(
  event: Event,
  number: number,
  records: Records,
  disk: Disk | null,
): { run?: RunDocument; check?: CheckDocument; everyMonths?: number; events?: NewEvent[] } {
  const { day, volume, copy } = event
  const { planId, setId, labelOf } = records
  const about = { volume: volume + 1, copy, label: labelOf(volume) }
  switch (event.what) {
    case 'write':
      return { run: writeRun(event, number, records) }
    case 'verify':
      return { check: checkOf(event, number, records, disk, event.good), everyMonths: event.everyMonths }
    case 'edited':
      return { check: checkOf(event, number, records, disk, false), everyMonths: event.everyMonths }
    case 'verifyOld': {
      const facts = {
        by: 'volume',
        reading: null,
        files: 1,
        damaged: 0,
        everyMonths: event.everyMonths,
      } as const
      return {
        events: [
          { ...about, kind: 'good', of: `old-${number}`, planId, setId: null, wallMs: msOf(day), facts },
        ],
      }
    }
    case 'gone':
      return { events: [{ ...about, kind: 'gone', of: null, planId, setId, wallMs: msOf(day), facts: {} }] }
    case 'lost':
    case 'found':
    case 'place': {
      const place = event.what === 'place' ? event.place : null
      const note: CopyNote = {
        ofSet: planId,
        ...about,
        notedWallMs: msOf(day),
        kind: event.what,
        place,
        medium: null,
      }
      return { events: [eventOfNote(note)] }
    }
    default:
      return {}
  }
}

function checkOf(
  { day, volume, copy, what }: Event,
  number: number,
  { planId, setId, labelOf, folderOf, fileSystemOf: identity }: Records,
  disk: Disk | null,
  isGood: boolean,
): CheckDocument {
  const isEdited = what === 'edited'
  return {
    schema: CHECK_SCHEMA,
    id: `c-${number}`,
    startedWallMs: msOf(day),
    elapsedMs: 0,
    outcome: isGood ? 'done' : 'failed',
    volumes: [
      {
        path: disk === null ? '/dev/sr0' : `${folderOf(disk, copy)}/${labelOf(volume)}`,
        setId: isEdited ? EDITED_SET : setId,
        planId,
        index: volume + 1,
        copy,
        label: labelOf(volume),
        ...(isEdited ? { against: 'none' } : isGood ? { against: 'set' } : {}),
        ...(disk !== null && { fileSystem: identity(disk) }),
        state: isGood ? 'good' : 'damaged',
        reading: null,
        files: 1,
        bytes: 1,
        contents: 0,
        elapsedMs: 0,
        damaged: [],
        error: null,
        checkByWallMs: null,
        notes: [],
      },
    ],
    notGiven: [],
  }
}

function writeRun(
  { day, volume, copy, place, readBack, disk }: Extract<Event, { what: 'write' }>,
  number: number,
  { planId, setId, labelOf, folderOf, fileSystemOf: identity, digestOf, bytesOf }: Records,
): RunDocument {
  const how = { tool: null, speed: null, onTheFly: false, copy, ...(place !== null && { place }) }
  return {
    schema: 'stowage.run/1',
    id: `w-${number}`,
    kind: 'write',
    planId,
    directory: '/plan',
    setId,
    ...(disk !== null && { fileSystem: identity(disk) }),
    startedWallMs: msOf(day) - 5,
    elapsedMs: 5,
    outcome: 'done',
    target:
      disk === null
        ? { kind: 'drive', path: '/nowhere/sr0', ...how }
        : { kind: 'folder', path: folderOf(disk, copy), ...how },
    volumes: [
      {
        index: volume + 1,
        label: labelOf(volume),
        state: 'done',
        forecastSectors: 1,
        actualSectors: 1,
        files: 1,
        bytes: bytesOf(volume),
        elapsedMs: 5,
        errors: [],
        written: {
          sha256: digestOf(volume),
          bytes: bytesOf(volume),
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

/**
 * The verdict, naively: each copy's events are looked through backwards, all sets of disks are lost
 * one after another, and all places.
 */
export function isSafe({ events, files, volumes, wanted, today, flaw, away, lookedAt }: History): boolean {
  if (flaw) return false
  const copies: { volume: number; place: string | null; site: string }[] = []
  for (let volume = 0; volume < volumes; volume++)
    for (let copy = 1; copy <= 9; copy++) {
      const own = events.filter((event) => event.volume === volume && event.copy === copy)
      const written = own.findLastIndex(({ what }) => what === 'write')
      const since = own.slice(written)
      const [write] = since
      if (write?.what !== 'write' || isLost(since) || !isProved(since, today)) continue
      const { thing, disk } = worldOf(events, volume, copy)
      const isReachable = disk !== null && !away.includes(disk)
      if (isReachable ? thing !== 'whole' : lookedAt) continue
      const placed = since.findLast(({ what }) => what === 'write' || what === 'place')
      const place = placed && 'place' in placed ? placed.place : null
      copies.push({
        volume,
        place: place === null ? null : rowOf(place),
        site: disk ?? `disc ${volume} ${copy}`,
      })
    }
  const area = areasOf(copies)
  const isThere = (ways: readonly Way[], from: (copy: (typeof copies)[number]) => boolean): boolean =>
    ways.some((way) => way.every((volume) => copies.some((copy) => copy.volume === volume && from(copy))))
  const sites = [...new Set(copies.map(({ site }) => site))]
  return files.every((ways) => {
    const isKept = everySubset(sites, Math.max(2, wanted) - 1).every((lost) =>
      isThere(ways, ({ site }) => !lost.includes(site)),
    )
    const own = copies.filter(({ volume }) => ways.flat().includes(volume))
    const areas = [...new Set(own.flatMap((copy) => area(copy) ?? []))]
    const isElsewhere = areas.every((lost) =>
      isThere(ways, (copy) => area(copy) !== null && area(copy) !== lost),
    )
    return isKept && areas.length > 0 && isElsewhere
  })
}

function isLost(since: readonly Event[]): boolean {
  const fate = since.findLast(({ what }) => !['place', 'removed', 'cut', 'replaced'].includes(what))
  return fate?.what === 'lost' || fate?.what === 'gone'
}

function isProved(since: readonly Event[], today: number): boolean {
  const proof = since.findLast((event) => ['verify', 'verifyOld', 'edited', 'write'].includes(event.what))
  if (proof?.what !== 'write' && proof?.what !== 'verify') return false
  if (proof.what === 'write' ? !proof.readBack : !proof.good) return false
  const date = new Date(msOf(proof.day))
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + proof.everyMonths, 1, 12))
  const lastDay = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  month.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  // A date that is yet to come is that of a wrong clock.
  return proof.day <= today && month.getTime() >= msOf(today)
}

function rowOf(place: string): string {
  const row = PLACES.find((names) => (names as readonly string[]).includes(place))
  return row?.[0] ?? place
}

/** Places that are one, as copies on one disk are at one place: joined until nothing changes. */
function areasOf(
  copies: readonly { readonly place: string | null; readonly site: string }[],
): (copy: (typeof copies)[number]) => string | null {
  const groups = copies.map(
    ({ place, site }) => new Set([`site ${site}`, ...(place === null ? [] : [place])]),
  )
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const one of groups)
      for (const other of groups) {
        if ([...one].every((name) => !other.has(name))) continue
        for (const name of other)
          if (!one.has(name)) {
            one.add(name)
            isChanged = true
          }
      }
  }
  return (copy) => {
    const own = groups[copies.indexOf(copy)] ?? new Set()
    const places = [...own].filter((name) => !name.startsWith('site '))
    return places.toSorted()[0] ?? null
  }
}

function everySubset<T>(items: readonly T[], most: number): T[][] {
  if (most === 0 || items.length === 0) return [[]]
  const [first, ...rest] = items as [T, ...T[]]
  return [...everySubset(rest, most), ...everySubset(rest, most - 1).map((subset) => [first].concat(subset))]
}
