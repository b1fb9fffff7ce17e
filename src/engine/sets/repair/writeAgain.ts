import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { APP_VERSION } from '../../../contract/version'
import { blockBytesIn } from '../../../domain/sets/protection/recoverySets'
import {
  blocksNamed,
  descriptionName,
  type VolumeProtection,
} from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { ContentSource, OwnFile } from '../../discImages/imageEntries'
import { attempt, fsPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { writeAt } from '../../files/write'
import { writeDiscImage } from '../../native/discImage'
import { usualMemory } from '../../protection/usualMemory'
import { type OwnLayout, ownLayout } from '../mastering/ownLayout'
import { protectedContents, sizedProtection } from '../mastering/protectedContents'
import { blankProtection, withRecovery } from '../mastering/recoveryFiles'
import { plannedAgain } from '../mastering/recoveryParts'
import { type ScratchPlace, writeWithRecovery } from '../mastering/recoveryWriting'
import { readerOf, SECTOR } from '../volume/image/imageTree'
import { wholeDescriptor } from '../volume/image/udfDates'
import { type ImageFacts, readImageTsv } from '../volume/lists/imageTsv'
import { readRecoveryTsv } from '../volume/lists/recoveryTsv'
import type { IndexRow } from '../volume/lists/setIndex'
import { contentAt } from '../volume/lists/volume'
import { readmeFacts } from '../volume/open/givenVolumes'
import type { VolumeLists } from '../volume/open/volumeLists'
import { IMAGE_NAME, README_NAME, RECOVERY_NAME } from '../volume/planned/ownNames'
import { plannedVolumes } from '../volume/planned/plannedVolume'
import { type FactsWanted, type FoundFacts, factsInImage, metadataSectors } from './imageFacts'
import { rowEntries } from './rowEntries'

/** An image that is laid out and can be written. */
interface ImageAgain {
  readonly sectors: number
  /** The end of `onBytes`: the image, and the bytes read again for its recovery data. */
  readonly workBytes: number
  /** Sentences on what is not known of it: with any, some bytes are not as they were. */
  readonly unknown: readonly string[]
  /** @throws AppError `verification-failed`, `io`, `no-space`, `cancelled` */
  write(
    to: { readonly output: FileHandle; readonly partial: string; readonly scratch: ScratchPlace },
    watch: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
  ): Promise<void>
}

/** All that an image is made of. */
interface RightContents {
  /** Where the right content of every file on it is, by path. */
  readonly contents: ReadonlyMap<string, ContentPlace>
  /** The facts that it follows from, by its plan; null where that is not known here. */
  readonly planned: ImageFacts | null
}

/**
 * Lays an image of a set out once more, by the lists on it. What no list says is taken from its
 * plan, or read from what is undamaged of the image.
 * @throws AppError `verification-failed` where a list is not as the checksums say
 */
export async function writeAgain(
  volume: VolumeLists,
  number: number,
  { contents, planned }: RightContents,
): Promise<ImageAgain> {
  const { files, own, label } = volume
  const rows = (volume.index?.rows ?? []).filter((row) => row.volume === number)
  const lists = await rightLists(volume, contents)
  const contentOf = (name: string): Buffer => contentNamed(lists, name)
  const listed = readImageTsv(contentOf(IMAGE_NAME))
  const protection = protectionOf(contentOf(RECOVERY_NAME))
  const laidOutWith = (facts: ImageFacts, sets: VolumeProtection | undefined): Promise<OwnLayout> => {
    const entries = rowEntries(rows, contents, facts.created)
    const plan = {
      id: readmeFacts(contentOf(README_NAME).toString('utf8')).planId ?? '',
      discLists: ['image' as const],
      mastering: { version: facts.version, volumeDateWallMs: 1000 * facts.madeSeconds },
      ...(areEqualOnce(rows) && { equalFiles: 'once' as const }),
    }
    const [again] = plannedVolumes([{ index: number, label }], own, () => entries)
    if (!again) throw new AppError('internal', 'no volume')
    const otherSources = sourcesOf(entries, contents)
    return ownLayout(plan, again, withRecovery(lists, sets), { otherSources })
  }
  const known = listed ?? planned
  const facts: FoundFacts = known
    ? { ...known, unknown: [] }
    : await factsInImage(files.path, await wantedFacts(rows, own, (none) => laidOutWith(none, protection)))
  const blank = await laidOutWith(facts, protection)
  // The places of files do not depend on the lengths of recovery files, and those follow from them.
  const sized = protection && sizedProtection(protection, protectedContents(blank))
  const laidOut = sized ? await laidOutWith(facts, sized) : blank
  return {
    sectors: laidOut.layout.sectors(),
    workBytes: laidOut.layout.sectors() * SECTOR + (sized ? plannedAgain(sized, usualMemory()) : 0),
    unknown: facts.unknown,
    async write({ output, partial, scratch }, watch) {
      const { sources } = laidOut.contents.origins()
      const making = { folder: own, memoryBytes: usualMemory() }
      const failure = sized
        ? await writeWithRecovery(
            laidOut,
            { sources },
            { protection: sized, ...making, scratch },
            output.fd,
            watch,
          )
        : await writeDiscImage(laidOut.layout, output.fd, sources, watch)
      if (failure)
        throw new AppError(failure.code, said`cannot write the image of ${label}: ${failure.cause}`)
      if (!known) await keepWhole(files.path, laidOut, { output, partial })
    },
  }
}

/** Puts descriptors back that are undamaged, and may say more than is known. */
async function keepWhole(
  path: string,
  laidOut: OwnLayout,
  { output, partial }: { readonly output: FileHandle; readonly partial: string },
): Promise<void> {
  await using file = await attempt('read', path, open(fsPath(path)))
  for await (const { sector, bytes } of metadataSectors(readerOf(file), laidOut))
    if (wholeDescriptor(bytes, sector) !== null)
      await attempt('write', partial, writeAt(output, bytes, 0, SECTOR, sector * SECTOR, partial))
}

/** The layout without facts, and what stands in for those that cannot be read. */
async function wantedFacts(
  rows: readonly IndexRow[],
  own: string,
  layOut: (facts: ImageFacts) => Promise<OwnLayout>,
): Promise<FactsWanted> {
  const times = rows.flatMap(({ mtimeNs }) => mtimeNs ?? [])
  const newest = times.reduce((most, time) => (time > most ? time : most), 0n)
  const usual = { madeSeconds: Number(newest / 1_000_000_000n), version: APP_VERSION }
  const laidOut = await layOut({ ...usual, created: new Map() })
  return { laidOut, own, usualSeconds: usual.madeSeconds, usualVersion: usual.version }
}

/**
 * Stowage's own lists on a volume, without their second copies.
 * @throws AppError `verification-failed` where one is not as the checksums say
 */
async function rightLists(
  { own, sums }: VolumeLists,
  contents: RightContents['contents'],
): Promise<OwnFile[]> {
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
  return lists
}

function contentNamed(lists: readonly OwnFile[], name: string): Buffer {
  const list = lists.find((each) => each.name === name)
  return list ? Buffer.from(list.source as Uint8Array) : Buffer.alloc(0)
}

/** Where each content is read from, by its digest. */
function sourcesOf(
  entries: ReturnType<typeof rowEntries>,
  contents: RightContents['contents'],
): Map<string, ContentSource> {
  const sources = new Map<string, ContentSource>()
  for (const entry of entries)
    if (entry.kind === 'file' || entry.kind === 'part') {
      const place = contents.get(entry.path)
      if (place) sources.set(entry.sha256, { source: place.file, offset: place.offset })
    }
  return sources
}

/** True where files with the same content lie on the same sectors. */
function areEqualOnce(rows: readonly IndexRow[]): boolean {
  const sectors = rows.flatMap((row) =>
    row.kind === 'file' && row.linkOf === null && row.bytes > 0 ? (row.sector ?? []) : [],
  )
  return new Set(sectors).size < sectors.length
}

/**
 * The recovery data of a volume by its list, without places and the lengths that follow; undefined
 * where it has none.
 */
function protectionOf(list: Buffer): VolumeProtection | undefined {
  const files = readRecoveryTsv(list.toString('latin1'))
  const { sets, ...blank } = blankProtection(1)
  let blockBytes = 0
  let set = 0
  const ofEach: VolumeProtection['sets'] = [...files].flatMap(([name, { bytes }]) => {
    const recoveryBlocks = blocksNamed(name)
    if (recoveryBlocks === null) return []
    set += 1
    const described = files.get(descriptionName(set))?.bytes ?? 0
    blockBytes = blockBytesIn({ recoveryBlocks, described, bytes })
    return sets.map(({ blocks, description, recovery }) => ({
      blocks,
      recoveryBlocks,
      description,
      recovery,
    }))
  })
  return ofEach.length === 0 ? undefined : { ...blank, blockBytes, sets: ofEach }
}
