import { open } from 'node:fs/promises'
import { said } from '../../../primitives/said'
import { attempt, fsPath } from '../../files/fileSystem'
import type { OwnLayout } from '../mastering/ownLayout'
import { type ReadAt, readerOf, SECTOR, sectorsAt } from '../volume/image/imageTree'
import { entryTimes, madeIn, wholeDescriptor } from '../volume/image/udfDates'
import type { ImageFacts } from '../volume/lists/imageTsv'

/** The facts that an image follows from, as far as they are known. */
export interface FoundFacts extends ImageFacts {
  /** Sentences on what is not known: with any, some bytes are not as they were. */
  readonly unknown: readonly string[]
}

/** A layout without the facts that are sought, and what stands in for them. */
export interface FactsWanted {
  /** The layout without any of it: names and places do not depend on it. */
  readonly laidOut: OwnLayout
  /** Stowage's own folder. */
  readonly own: string
  /** The date to take where none can be read. */
  readonly usualSeconds: number
  readonly usualVersion: string
}

/**
 * The facts that an image follows from and no list has, read from what is undamaged of the image.
 * @throws AppError `io`
 */
export async function factsInImage(path: string, wanted: FactsWanted): Promise<FoundFacts> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const readAt = readerOf(file)
  const { laidOut, own } = wanted
  const names = new Map([...laidOut.contents.numbers].map(([name, number]) => [number, name]))
  let made: bigint | null = null
  let isClosed = false
  const created = new Map<string, string>()
  const read = new Set<number>()
  for await (const { sector, bytes } of metadataSectors(readAt, laidOut)) {
    const found = wholeDescriptor(bytes, sector)
    if (found === null) continue
    made ??= madeIn(found)
    if (sector === INTEGRITY) isClosed = true
    if (found.tag !== FILE_ENTRY) continue
    const { number, modifiedNs, createdNs } = entryTimes(found.view)
    const name = names.get(number)
    if (name === undefined) continue
    read.add(number)
    if (createdNs !== null) created.set(name, String(createdNs))
    if (name.startsWith(`${own}/`)) made ??= modifiedNs
  }
  const iso = isoFacts(await sectorsAt(readAt, ISO_DESCRIPTOR, 1))
  const madeSeconds = made === null ? iso.madeSeconds : Number(made / 1_000_000_000n)
  const isEachCreated = areCreationTimesKnown(laidOut, own, { read, isAny: created.size > 0, isClosed })
  return {
    madeSeconds: madeSeconds ?? wanted.usualSeconds,
    version: iso.version ?? wanted.usualVersion,
    created,
    unknown: [
      ...(madeSeconds === null
        ? [said`its date could not be read: the image has that of its newest file`]
        : []),
      ...(iso.version === null
        ? [said`the version of Stowage that made it could not be read: the image names this one`]
        : []),
      ...(isEachCreated
        ? []
        : [
            said`no list has the times when its files were created, and some could not be read: the image does not have these`,
          ]),
    ],
  }
}

const ISO_DESCRIPTOR = 16
const FIRST_UDF = 18
const INTEGRITY = 64
const FILE_ENTRY = 261
const WINDOW_SECTORS = 512

/** The sectors of UDF before the first file of an image, unreadable ones as zeros. */
export async function* metadataSectors(
  readAt: ReadAt,
  { layout }: OwnLayout,
): AsyncGenerator<{ readonly sector: number; readonly bytes: Buffer }> {
  let end = layout.sectors()
  for (const first of layout.firstSectors()) if (first > 0) end = Math.min(end, first)
  for (let from = FIRST_UDF; from < end; from += WINDOW_SECTORS) {
    const window = await sectorsAt(readAt, from, Math.min(WINDOW_SECTORS, end - from))
    for (let at = 0; at + SECTOR <= window.length; at += SECTOR)
      yield { sector: from + at / SECTOR, bytes: window.subarray(at, at + SECTOR) }
  }
}

/**
 * True where the image says of everything on it when it was created, or that this is not known. The
 * time of a further name of a file is in the descriptor alone that closes the volume.
 */
function areCreationTimesKnown(
  { contents }: OwnLayout,
  own: string,
  { read, isAny, isClosed }: { readonly read: ReadonlySet<number>; isAny: boolean; isClosed: boolean },
): boolean {
  const { kinds, contents: firsts } = contents.entries
  const isOfSource = ([name]: readonly [string, number]): boolean =>
    name !== '' && name !== own && !name.startsWith(`${own}/`)
  const source = [...contents.numbers].filter(isOfSource).filter(([, number]) => kinds[number] !== LINK)
  const unread = source.filter(([, number]) => firsts[number] === number && !read.has(number))
  const isFurther = source.some(([, number]) => firsts[number] !== number)
  if (unread.length === 0) return isClosed || !isAny || !isFurther
  return !isAny && unread.length < source.length
}

const LINK = 2
const DATE_AT = 813
const DATE = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d\d$/
const APPLICATIONS_AT = [446, 574] as const
const APPLICATION = /^STOWAGE ([ -~]*)$/

/** The date and the program that an ISO 9660 descriptor names: ECMA-119, 8.4.20 and 8.4.26.1. */
function isoFacts(sector: Buffer): {
  readonly madeSeconds: number | null
  readonly version: string | null
} {
  if (sector.toString('latin1', 1, 6) !== 'CD001') return { madeSeconds: null, version: null }
  const [, ...fields] = DATE.exec(sector.toString('latin1', DATE_AT, DATE_AT + 16)) ?? []
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map(Number)
  const [one = '', other] = APPLICATIONS_AT.map((at) => sector.toString('latin1', at, at + 128).trimEnd())
  const [, version] = APPLICATION.exec(one) ?? []
  return {
    madeSeconds: fields.length === 0 ? null : Date.UTC(year, month - 1, day, hour, minute, second) / 1000,
    version: one === other ? (version ?? null) : null,
  }
}
