import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { blocksNamed, type VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { ContentSource, OwnFile } from '../../discImages/imageEntries'
import { attempt, fsPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { writeDiscImage } from '../../native/discImage'
import { usualMemory } from '../../protection/usualMemory'
import { type ImageOutput, writeWithRecovery } from '../mastering/recoveryWriting'
import { type OwnLayout, ownLayout } from '../ownImage/ownLayout'
import { protectedContents, sizedProtection } from '../ownImage/protectedContents'
import { blankProtection, withRecovery } from '../ownImage/recoveryFiles'
import { SECTOR } from '../volume/imageTree'
import { plannedVolumes } from '../volume/plannedVolume'
import { RECOVERY_NAME, readRecoveryTsv } from '../volume/recoveryTsv'
import { contentAt } from '../volume/volume'
import type { VolumeLists } from '../volume/volumeLists'
import { rowEntries } from './rowEntries'

/** An image that is laid out and can be written. */
interface ImageAgain {
  readonly sectors: number
  readonly notes: string[]
  /** @throws AppError `verification-failed`, `io`, `no-space`, `cancelled` */
  write(
    to: ImageOutput,
    watch: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
  ): Promise<void>
}

/** All that an image is made of. */
interface RightContents {
  /** Where the right content of every file on it is, by path. */
  readonly contents: ReadonlyMap<string, ContentPlace>
  /** When its files and folders were made, in nanoseconds since 1970, by path; no index says it. */
  readonly created: ReadonlyMap<string, string>
  /** The length of the blocks of its recovery data; null where none of that can be read. */
  readonly blockBytes: number | null
}

/**
 * Lays an image of a set out once more, by the index on it.
 * @throws AppError `verification-failed` where its recovery data cannot be made again
 */
export async function writeAgain(
  { files, index, own, planId, label, sums }: VolumeLists,
  number: number,
  { contents, created, blockBytes }: RightContents,
): Promise<ImageAgain> {
  const rows = (index?.rows ?? []).filter((row) => row.volume === number)
  const entries = rowEntries(rows, contents, created)
  const date = await volumeDate(files.path)
  const times = rows.flatMap(({ mtimeNs }) => mtimeNs ?? [])
  const newest = times.reduce((most, time) => (time > most ? time : most), 0n)
  const volumeDateWallMs = date ?? Number(newest / 1_000_000n)
  const lists: OwnFile[] = []
  for (const [path, place] of contents) {
    const name = path.slice(own.length + 1)
    if (!path.startsWith(`${own}/`) || name.includes('/')) continue
    const content = await contentAt(place)
    const expected = sums?.get(path)
    if (expected !== undefined && createHash('sha256').update(content).digest('hex') !== expected)
      throw new AppError('verification-failed', said`cannot use ${path}: its content differs (SHA-256)`)
    lists.push({ name, bytes: content.length, source: content })
  }
  const otherSources = new Map<string, ContentSource>()
  for (const entry of entries)
    if (entry.kind === 'file' || entry.kind === 'part') {
      const place = contents.get(entry.path)
      if (place) otherSources.set(entry.sha256, { source: place.file, offset: place.offset })
    }
  const sectors = rows.flatMap((row) =>
    row.kind === 'file' && row.linkOf === null && row.bytes > 0 ? (row.sector ?? []) : [],
  )
  const equalOnce = new Set(sectors).size < sectors.length
  const plan = {
    id: planId ?? '',
    mastering: { volumeDateWallMs },
    ...(equalOnce && { equalFiles: 'once' as const }),
  }
  const [volume] = plannedVolumes([{ index: number, label }], own, () => entries)
  if (!volume) throw new AppError('internal', 'no volume')
  const protection = protectionOf(lists, blockBytes)
  const laidOutWith = (sets: VolumeProtection | undefined): Promise<OwnLayout> =>
    ownLayout(plan, volume, withRecovery(lists, sets), { otherSources })
  const blank = await laidOutWith(protection)
  // The places of files do not depend on the lengths of recovery files, and those follow from them.
  const sized = protection && sizedProtection(protection, protectedContents(blank))
  const laidOut = sized ? await laidOutWith(sized) : blank
  return {
    sectors: laidOut.layout.sectors(),
    notes: date === null ? ['its date could not be read: the image has that of its newest file'] : [],
    async write({ output, scratch }, watch) {
      const { sources } = laidOut.contents.origins()
      const making = { folder: own, memoryBytes: usualMemory() }
      const failure = sized
        ? await writeWithRecovery(
            laidOut,
            { sources },
            { protection: sized, ...making, scratch },
            output,
            watch,
          )
        : await writeDiscImage(laidOut.layout, output, sources, watch)
      if (failure)
        throw new AppError(failure.code, said`cannot write the image of ${label}: ${failure.cause}`)
    },
  }
}

/**
 * The recovery data of a volume by its list, without lengths and places; undefined where it has
 * none.
 * @throws AppError `verification-failed` where the list names sets of which none can be read
 */
function protectionOf(lists: readonly OwnFile[], blockBytes: number | null): VolumeProtection | undefined {
  const list = lists.find(({ name }) => name === RECOVERY_NAME)
  const text = list && Buffer.from(list.source as Uint8Array).toString('latin1')
  const counts = [...readRecoveryTsv(text ?? '').keys()].flatMap((name) => blocksNamed(name) ?? [])
  if (counts.length === 0) return undefined
  if (blockBytes === null)
    throw new AppError('verification-failed', said`no description of its recovery data can be read`)
  const { sets, ...blank } = blankProtection(1)
  const ofEach = counts.flatMap((recoveryBlocks) =>
    sets.map(({ blocks, description, recovery }) => ({ blocks, recoveryBlocks, description, recovery })),
  )
  return { ...blank, blockBytes, sets: ofEach }
}

const DESCRIPTOR = 16 * SECTOR
const DATE_AT = 813
const DATE = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d\d$/

/**
 * When an image was made, by its ISO 9660 descriptor: ECMA-119, 8.4.26.1; null where that cannot be
 * read.
 */
async function volumeDate(path: string): Promise<number | null> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const sector = Buffer.alloc(SECTOR)
  const { bytesRead } = await file.read(sector, 0, SECTOR, DESCRIPTOR).catch(() => ({ bytesRead: 0 }))
  if (bytesRead < SECTOR || sector.toString('latin1', 1, 6) !== 'CD001') return null
  const [, ...fields] = DATE.exec(sector.toString('latin1', DATE_AT, DATE_AT + 16)) ?? []
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map(Number)
  return fields.length === 0 ? null : Date.UTC(year, month - 1, day, hour, minute, second)
}
