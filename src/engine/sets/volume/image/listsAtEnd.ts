import { createHash } from 'node:crypto'
import { ownFolderName } from '../../../../domain/sets/naming/volumePaths'
import { IMAGE_HEAD } from '../lists/imageTsv'
import { RECOVERY_HEAD, readRecoveryTsv } from '../lists/recoveryTsv'
import { readableIndex } from '../lists/setIndex'
import { readSetSums } from '../lists/setSums'
import { IMAGE_NAME, INDEX_NAME, SKIPPED_NAME, SUMS_NAME } from '../planned/ownNames'
import { type ReadAt, SECTOR, sectorsAt } from './imageTree'

const INDEX_HEAD = '# Index of all volumes.'
const SKIPPED_HEAD = '# Files that INDEX.tsv lists on this volume'
/** The last anchor, and the empty sectors that fill the image up before it. */
const MOST_EMPTY = 33
const MOST_SUMS_SECTORS = 2 ** 17
/** The most that is searched for the index before the checksums. */
const MOST_SEARCHED_SECTORS = 2 ** 17
/** The most that is searched for the list of recovery files, which only the checksums follow. */
const MOST_BEHIND_SECTORS = 2 ** 15
const PIECE_SECTORS = 512

/** Where a file is in an image. */
export interface FileRange {
  readonly offset: number
  readonly bytes: number
}

/**
 * Finds Stowage's own files without any folder: they are the last content of its images, in the
 * order of their names. The checksums are at the very end, the index is before them. Their digests
 * prove where each of the others ends. An index that they do not prove counts where the file behind
 * it is proved; without checksums it ends at its first NUL, and nothing proves it. An image with
 * recovery data has the lists twice, before its recovery files and behind them: then each list is
 * taken from where it is proved, and the recovery files are among those found.
 * @param sectors of the image
 */
export async function listsAtEnd(
  readAt: ReadAt,
  sectors: number,
): Promise<{ readonly files: ReadonlyMap<string, FileRange>; readonly areProved: boolean }> {
  const last = await listsBefore(readAt, sectors)
  const recovery = await recoveryFiles(readAt, sectors)
  if (recovery.size === 0) return last
  const start = Math.min(...[...recovery.values()].map(({ offset }) => offset / SECTOR))
  const first = await listsBefore(readAt, start + 1)
  const files = new Map([...first.files, ...last.files])
  const index = first.files.get(last.unproved ?? '')
  if (last.unproved !== null && index && first.unproved === null) files.set(last.unproved, index)
  const [known = ''] = files.keys()
  const own = known.includes('/') ? known.slice(0, known.indexOf('/')) : ownFolderName([])
  for (const [name, range] of recovery) files.set(`${own}/${name}`, range)
  return { files, areProved: last.areProved || first.areProved }
}

/** The places of the recovery files by the last list of them; none in images without any. */
async function recoveryFiles(readAt: ReadAt, sectors: number): Promise<ReadonlyMap<string, FileRange>> {
  const start = await startBefore(readAt, sectors, RECOVERY_HEAD, MOST_BEHIND_SECTORS)
  const text = start === null ? null : await textAt(readAt, start, sectors, null)
  if (text === null) return new Map()
  const { offset, bytes } = text.range
  const lines = await sectorsAt(readAt, offset / SECTOR, Math.ceil(bytes / SECTOR))
  return readRecoveryTsv(lines.toString('latin1', 0, bytes))
}

interface FoundLists {
  readonly files: ReadonlyMap<string, FileRange>
  readonly areProved: boolean
  /** The index, where no digest proves it. */
  readonly unproved: string | null
}

/** The lists before the last sector of an image, or before a sector behind them. */
async function listsBefore(readAt: ReadAt, sectors: number): Promise<FoundLists> {
  const files = new Map<string, FileRange>()
  const sums = await sumsAtEnd(readAt, sectors)
  const end = sums === null ? sectors : sums.offset / SECTOR
  const start = await startBefore(readAt, end, INDEX_HEAD)
  if (sums === null) {
    const text = start === null ? null : await textAt(readAt, start, end, null)
    const index = `${ownFolderName([])}/${INDEX_NAME}`
    if (text) files.set(index, text.range)
    return { files, areProved: false, unproved: text ? index : null }
  }
  files.set(`${sums.own}/${SUMS_NAME}`, sums)
  const list = await imageListBefore(readAt, start ?? end, sums)
  if (list) files.set(`${sums.own}/${IMAGE_NAME}`, list)
  let isProved = true
  let unproved: FileRange | null = null
  let next = start
  for (const [name, digest] of sums.digests) {
    const text = next === null ? null : await textAt(readAt, next, end, digest)
    if (text === null || (!text.isProved && name !== INDEX_NAME)) break
    if (text.isProved) {
      files.set(`${sums.own}/${name}`, text.range)
      if (unproved) {
        files.set(`${sums.own}/${INDEX_NAME}`, unproved)
        isProved = false
      }
    }
    unproved = text.isProved ? null : text.range
    next = Math.ceil((text.range.offset + text.range.bytes) / SECTOR)
  }
  const index = files.get(`${sums.own}/${INDEX_NAME}`)
  const skipped = index && (await skippedList(readAt, sectors, index, sums))
  if (skipped) files.set(`${sums.own}/${SKIPPED_NAME}`, skipped)
  return { files, areProved: true, unproved: isProved ? null : `${sums.own}/${INDEX_NAME}` }
}

/**
 * The list of files that were left out: behind the checksums, or where one of these files was to
 * be, whose sectors the index names. Null where there is none, or it is not as the checksums say.
 */
async function skippedList(
  readAt: ReadAt,
  sectors: number,
  index: FileRange,
  { own, all, offset, bytes }: FoundSums,
): Promise<FileRange | null> {
  const digest = all.get(`${own}/${SKIPPED_NAME}`)
  if (digest === undefined) return null
  const last = await textAt(readAt, Math.ceil((offset + bytes) / SECTOR), sectors, digest)
  if (last?.isProved) return last.range
  const text = await sectorsAt(readAt, index.offset / SECTOR, Math.ceil(index.bytes / SECTOR))
  const { rows } = readableIndex(text.subarray(0, index.bytes))
  const volume = rows.find(({ path }) => all.has(path))?.volume
  for (const row of rows) {
    if ((row.kind !== 'file' && row.kind !== 'part') || row.sector === null) continue
    if (row.volume !== volume || all.has(row.path)) continue
    // Other lists that have grown may be before it.
    const planned = Math.min(Math.ceil(row.bytes / SECTOR), PIECE_SECTORS)
    const start = await startBefore(readAt, row.sector + planned, SKIPPED_HEAD, planned)
    const list = start === null ? null : await textAt(readAt, start, row.sector + planned, digest)
    if (list?.isProved) return list.range
  }
  return null
}

/** The list before the index; null where it is not as the checksums say. */
async function imageListBefore(
  readAt: ReadAt,
  end: number,
  { imageDigest }: FoundSums,
): Promise<FileRange | null> {
  const start = imageDigest === undefined ? null : await startBefore(readAt, end, IMAGE_HEAD)
  const text = start === null ? null : await textAt(readAt, start, end, imageDigest ?? null)
  return text?.isProved ? text.range : null
}

interface FoundSums extends FileRange {
  /** Stowage's own folder. */
  readonly own: string
  /** The files from the index to the checksums, in their order on the image. */
  readonly digests: readonly (readonly [name: string, digest: string])[]
  /** That of the list before the index, on discs that have one. */
  readonly imageDigest: string | undefined
  /** All digests of the volume, by path. */
  readonly all: ReadonlyMap<string, string>
}

async function sumsAtEnd(readAt: ReadAt, sectors: number): Promise<FoundSums | null> {
  // What is not the last sector of the text has no NUL; in the last one they follow it.
  let last = sectors - 2
  while (sectors - last < MOST_EMPTY && isEmpty(await sectorsAt(readAt, last, 1))) last -= 1
  const pieces = [textIn(await sectorsAt(readAt, last, 1))]
  let first = last
  while (pieces.length < MOST_SUMS_SECTORS && first > 0) {
    const before = await sectorsAt(readAt, first - 1, 1)
    if (before.length < SECTOR || before.includes(0)) break
    pieces.push(before)
    first -= 1
  }
  const text = Buffer.concat(pieces.toReversed())
  // The list of what was left out may be behind the checksums.
  if (text.toString('latin1', 0, SKIPPED_HEAD.length) === SKIPPED_HEAD) return sumsAtEnd(readAt, first + 1)
  // Text before the checksums reaches up to them where its length is a multiple of a sector.
  for (let at = 0; at < text.length; at += SECTOR) {
    if (!/^\\?[0-9a-f]{64} [ *]/.test(text.toString('latin1', at, at + 80))) continue
    const sums = readSetSums(text.subarray(at))
    const ours = [...(sums?.keys() ?? [])].findLast((path) => path.endsWith(`/${INDEX_NAME}`))
    if (sums === null || ours === undefined) continue
    const own = ours.slice(0, -INDEX_NAME.length - 1)
    const digests = [...sums]
      .filter(([path]) => path.startsWith(`${own}/`))
      .map(([path, digest]): [string, string] => [path.slice(own.length + 1), digest])
      .filter(([name]) => name >= INDEX_NAME && name < SUMS_NAME)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
    const imageDigest = sums.get(`${own}/${IMAGE_NAME}`)
    return { offset: first * SECTOR + at, bytes: text.length - at, own, digests, imageDigest, all: sums }
  }
  return null
}

/** The sector of the last list before a sector, by its first line. */
async function startBefore(
  readAt: ReadAt,
  end: number,
  head: string,
  most = MOST_SEARCHED_SECTORS,
): Promise<number | null> {
  const least = Math.max(0, end - most)
  for (let to = end; to > least; to -= PIECE_SECTORS) {
    const from = Math.max(least, to - PIECE_SECTORS)
    const piece = await sectorsAt(readAt, from, to - from)
    for (let sector = to - 1; sector >= from; sector--) {
      const at = (sector - from) * SECTOR
      if (piece.toString('latin1', at, at + head.length) === head) return sector
    }
  }
  return null
}

/**
 * A text that begins at a sector. It ends where it has its digest, which is at its first NUL or at
 * the end of a sector; where it never has, at the first NUL.
 */
async function textAt(
  readAt: ReadAt,
  from: number,
  end: number,
  digest: string | null,
): Promise<{ range: FileRange; isProved: boolean } | null> {
  const hash = createHash('sha256')
  for (let sector = from; sector < end; sector += PIECE_SECTORS) {
    const piece = await sectorsAt(readAt, sector, Math.min(PIECE_SECTORS, end - sector))
    for (let at = 0; at < piece.length; at += SECTOR) {
      const text = textIn(piece.subarray(at, at + SECTOR))
      hash.update(text)
      const isProved = hash.copy().digest('hex') === digest
      const bytes = (sector - from) * SECTOR + at + text.length
      if (isProved || text.length < SECTOR) return { range: { offset: from * SECTOR, bytes }, isProved }
    }
    if (piece.length < SECTOR) break
  }
  return null
}

function textIn(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}
