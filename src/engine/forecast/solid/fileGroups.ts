import { createHash } from 'node:crypto'
import type { Grouped } from '../../../contract/dto/survey'
import { titleMember, titlePlace } from '../../../domain/forecast/titles'
import { type Pause, slowly } from '../../jobs/slowly'
import type { NativeAnchors } from '../../native/addon'
import type { SolidFile } from './solidFiles'
import type { Ask } from './solidRates'

/**
 * No more is put into one group, unless it is equal: what a dictionary of 64 MiB holds all of, and
 * one file is unpacked from in a minute.
 */
const MOST_GROUP_BYTES = 64 * 1024 * 1024
/** Files that share less of the smaller one are not put together for it. */
const LEAST_SHARE = 1 / 8

/** The number of the group of each file of a list; groups are numbered by their first files. */
export interface Grouping {
  readonly groups: Uint32Array
  readonly count: number
}

/** The part of a file that says which group it is in: files with an equal one are in one group. */
type KeyOf = (file: SolidFile) => string | number

/** Files of one folder whose names begin with the same title. */
export const BY_TITLE: KeyOf = ({ path }) => titlePlace(path)

/**
 * Files of one parent with its clones, or of one ROM set; those that no DAT knows are each a group
 * of their own.
 * @param known the group of the entries that a DAT knows, by their ids
 */
export function byDat(known: ReadonlyMap<number, number>): KeyOf {
  return ({ id, path }) => known.get(id) ?? path
}

/** Files in groups by what is known of each of them. */
export async function keyedGrouping(
  files: readonly SolidFile[],
  keyOf: KeyOf,
  pause: Pause,
): Promise<Grouping> {
  const numbers = new Map<string | number, number>()
  const groups = new Uint32Array(files.length)
  await slowly(files, pause, (file, place) => {
    const key = keyOf(file)
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    groups[place] = known
  })
  return { groups, count: numbers.size }
}

/**
 * Files that share data, wherever they lie, in groups of at most 64 MiB; equal files are always
 * together. The same for every survey of the same files.
 */
export async function contentGrouping(
  files: readonly SolidFile[],
  anchors: NativeAnchors,
  ask: Ask,
  pause: Pause,
): Promise<Grouping> {
  // Of equal files the first represents all.
  const places = new Map<number, number>()
  const first = new Uint32Array(files.length)
  const numbers: number[] = []
  const bytes: number[] = []
  await slowly(files, pause, (file, place) => {
    const known = places.get(file.content)
    if (known === undefined) {
      places.set(file.content, numbers.length)
      first[place] = numbers.length
      numbers.push(file.number)
      bytes.push(file.bytes)
    } else {
      first[place] = known
      bytes[known] = (bytes[known] as number) + file.bytes
    }
  })
  const found = await ask(
    anchors.contentGroups(Uint32Array.from(numbers), Float64Array.from(bytes), MOST_GROUP_BYTES, LEAST_SHARE),
  )
  let count = 0
  const groups = new Uint32Array(files.length)
  await slowly(first, pause, (stands, place) => {
    const group = found[stands] as number
    groups[place] = group
    count = Math.max(count, group + 1)
  })
  return { groups, count }
}

/** Files as they go into archives: one archive after the other. */
export interface FileArchives {
  readonly files: readonly SolidFile[]
  /** The archive of each file. */
  readonly archives: Uint32Array
  readonly count: number
  /** Where each archive's files begin, and behind the last. */
  readonly begins: Uint32Array
  /** The bytes of each archive, and the characters of the names in it. */
  readonly bytes: Float64Array
  readonly nameCharacters: Float64Array
  /** For each archive 1 if an earlier one is the same, byte for byte. */
  readonly repeated: Uint8Array
  /**
   * For each archive that repeats none, the number of its first files that an earlier one begins
   * with too: their packed data is the same.
   */
  readonly sharedFirst: Uint32Array
}

/** @param files in the order of their paths, which is kept inside of an archive */
export async function archivesOf(
  files: readonly SolidFile[],
  { groups, count }: Grouping,
  by: Grouped['by'],
  pause: Pause,
): Promise<FileArchives> {
  // Names in archives of ROM sets seldom have folders.
  const memberOf = by === 'titles' || by === 'sets' ? titleMember : (path: string): string => path
  const begins = new Uint32Array(count + 1)
  await slowly(groups, pause, (group) => {
    begins[group + 1] = (begins[group + 1] as number) + 1
  })
  for (let group = 0; group < count; group++)
    begins[group + 1] = (begins[group + 1] as number) + (begins[group] as number)
  const next = begins.slice()
  const sorted = Array.from<SolidFile>({ length: files.length })
  const archives = new Uint32Array(files.length)
  const bytes = new Float64Array(count)
  const nameCharacters = new Float64Array(count)
  await slowly(files, pause, (file, place) => {
    const group = groups[place] as number
    const at = next[group] as number
    next[group] = at + 1
    sorted[at] = file
    archives[at] = group
    bytes[group] = (bytes[group] as number) + file.bytes
    nameCharacters[group] = (nameCharacters[group] as number) + memberOf(file.path).length
  })
  const repeated = await repeatedArchives(sorted, begins, memberOf, pause)
  const sharedFirst = await sharedFirstFiles(sorted, begins, repeated, pause)
  return { files: sorted, archives, count, begins, bytes, nameCharacters, repeated, sharedFirst }
}

async function sharedFirstFiles(
  files: readonly SolidFile[],
  begins: Uint32Array,
  repeated: Uint8Array,
  pause: Pause,
): Promise<Uint32Array> {
  const shared = new Uint32Array(repeated.length)
  /** Beginnings that were met, by number: what follows each, by content. */
  const following: Map<number, number>[] = [new Map()]
  await slowly(shared, pause, (_, archive) => {
    if (repeated[archive] !== 0) return
    const end = begins[archive + 1] as number
    let beginning = 0
    let known = 0
    for (let place = begins[archive] as number; place < end; place++) {
      const { content } = files[place] as SolidFile
      const next = following[beginning] as Map<number, number>
      const met = next.get(content)
      if (met !== undefined) known++
      beginning = met ?? following.push(new Map()) - 1
      if (met === undefined) next.set(content, beginning)
    }
    shared[archive] = known
  })
  return shared
}

/**
 * Archives whose files have the same names and contents, in the same order, are the same bytes:
 * 7-Zip makes them again.
 */
async function repeatedArchives(
  files: readonly SolidFile[],
  begins: Uint32Array,
  memberOf: (path: string) => string,
  pause: Pause,
): Promise<Uint8Array> {
  const repeated = new Uint8Array(begins.length - 1)
  const seen = new Set<number>()
  const again = new Set<number>()
  await slowly(files, pause, ({ content }) => {
    if (seen.has(content)) again.add(content)
    else seen.add(content)
  })
  const known = new Set<string>()
  await slowly(repeated, pause, (_, archive) => {
    const members = files.slice(begins[archive], begins[archive + 1])
    // One content that nothing else has makes it different from all.
    if (members.some(({ content }) => !again.has(content))) return
    const hash = createHash('sha256')
    for (const { path, content } of members) hash.update(`${memberOf(path)}\0${content}\0`, 'latin1')
    const key = hash.digest('base64')
    if (known.has(key)) repeated[archive] = 1
    known.add(key)
  })
  return repeated
}
