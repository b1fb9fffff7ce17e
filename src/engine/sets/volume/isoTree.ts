import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import type { Found } from './expectedTree'
import { joinedTarget, readSystemUse } from './rockRidge'

/** One entry of an image under its true name. */
export interface IsoEntry {
  /** Lossless text form, relative to the root of the volume. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'symlink'
  readonly bytes: number
  /** Where the content of a file begins in the image. */
  readonly offset: number
  /** The target of a symbolic link; null for other entries. */
  readonly target: string | null
}

export interface IsoTree {
  readonly label: string
  /** Sectors of 2,048 bytes that the image says it has. */
  readonly sectors: number
  /** In the order of the directory records, folders before what they hold. */
  readonly entries: readonly IsoEntry[]
}

const SECTOR = 2048
const FIRST_DESCRIPTOR = 16
const MAX_DEPTH = 1024
const MAX_ENTRIES = 20_000_000
const MAX_FOLDER_BYTES = 1 << 30

/** Reads bytes of an image: fewer than asked for when it ends early. */
export type ReadAt = (position: number, bytes: number) => Promise<Uint8Array>

export function readerOf(file: FileHandle): ReadAt {
  return async (position, bytes) => {
    const buffer = new Uint8Array(bytes)
    let done = 0
    while (done < bytes) {
      const { bytesRead } = await file.read(buffer, done, bytes - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return buffer.subarray(0, done)
  }
}

/**
 * Reads the names of an ISO 9660 image with Rock Ridge: kinds, sizes, true names, targets of
 * symbolic links. Written from ECMA-119 (4th edition, 9.1 directory record) and from the SUSP and
 * RRIP drafts, independently of the program that writes the images. Whatever the bytes are, it
 * ends: loops, depth and counts are bounded.
 * @throws AppError `verification-failed` when the image is not such an image or is damaged
 */
export async function readIsoTree(readAt: ReadAt): Promise<IsoTree> {
  const descriptor = await readAt(FIRST_DESCRIPTOR * SECTOR, SECTOR)
  if (descriptor.length < SECTOR || latin1(descriptor, 0, 6) !== '\u0001CD001') {
    throw broken('it has no ISO 9660 descriptor')
  }
  const entries: IsoEntry[] = []
  const root = recordAt(descriptor, 156, '')
  await readFolder(readAt, root.extent, root.bytes, '', 0, new Set(), entries)
  return {
    label: latin1(descriptor, 40, 32).trimEnd(),
    sectors: uint32(descriptor, 80),
    entries,
  }
}

/** Returns the entries of an image as what was found on a volume. */
export function foundTree(entries: readonly IsoEntry[]): Map<string, Found> {
  return new Map(
    entries.map(({ path, kind, bytes, target }): [string, Found] => {
      if (kind === 'symlink') return [path, { kind, target: target ?? '' }]
      return [path, kind === 'folder' ? { kind } : { kind, bytes }]
    }),
  )
}

interface FolderRecord {
  readonly length: number
  readonly extent: number
  readonly bytes: number
  readonly flags: number
  /** `\0` and `\u0001` stand for the folder itself and its parent. */
  readonly identifier: string
  readonly systemUse: Uint8Array
}

const FLAG_FOLDER = 2
const FLAG_MORE_EXTENTS = 128

async function readFolder(
  readAt: ReadAt,
  extent: number,
  bytes: number,
  path: string,
  depth: number,
  entered: Set<number>,
  entries: IsoEntry[],
): Promise<void> {
  if (depth > MAX_DEPTH || entered.has(extent)) throw broken(`folder "${path}" is its own parent`)
  if (bytes > MAX_FOLDER_BYTES) throw broken(`folder "${path}" is too large`)
  entered.add(extent)
  const data = await readAt(extent * SECTOR, bytes)
  if (data.length < bytes) throw broken(`folder "${path}" lies beyond its end`)
  let offset = 0
  let first: FolderRecord | null = null
  let earlierBytes = 0
  while (offset < data.length) {
    if (data[offset] === 0) {
      // Records do not cross sectors: the rest of this one is empty.
      offset = (Math.floor(offset / SECTOR) + 1) * SECTOR
      continue
    }
    const record = recordAt(data, offset, path)
    offset += record.length
    if (record.identifier === '\0' || record.identifier === '\u0001') continue
    if ((record.flags & FLAG_MORE_EXTENTS) !== 0) {
      if (first !== null && record.extent * SECTOR !== first.extent * SECTOR + earlierBytes) {
        throw broken(`a file in folder "${path}" is not in one piece`)
      }
      first ??= record
      earlierBytes += record.bytes
      continue
    }
    if (entries.length >= MAX_ENTRIES) throw broken('it has too many entries')
    const entry = await entryOf(readAt, record, path, (first ?? record).extent * SECTOR, earlierBytes)
    first = null
    earlierBytes = 0
    entries.push(entry)
    if (entry.kind === 'folder') {
      await readFolder(readAt, record.extent, record.bytes, entry.path, depth + 1, entered, entries)
    }
  }
}

async function entryOf(
  readAt: ReadAt,
  record: FolderRecord,
  folder: string,
  offset: number,
  earlierBytes: number,
): Promise<IsoEntry> {
  const { name, target } = await readSystemUse(record.systemUse, async (block, start, length) => {
    const area = await readAt(block * SECTOR + start, length)
    if (area.length < length) throw broken(`a name in folder "${folder}" lies beyond its end`)
    return area
  })
  const own = name === null ? record.identifier : pathFromBytes(name)
  const path = folder === '' ? own : `${folder}/${own}`
  if (target !== null) {
    return { path, kind: 'symlink', bytes: 0, offset, target: pathFromBytes(joinedTarget(target)) }
  }
  const isFolder = (record.flags & FLAG_FOLDER) !== 0
  const bytes = isFolder ? 0 : record.bytes + earlierBytes
  return { path, kind: isFolder ? 'folder' : 'file', bytes, offset, target: null }
}

function recordAt(data: Uint8Array, offset: number, folder: string): FolderRecord {
  const length = data[offset] as number
  const identifierLength = data[offset + 32] ?? 0
  const systemUseStart = 33 + identifierLength + (identifierLength % 2 === 0 ? 1 : 0)
  if (length < 34 || offset + length > data.length || 33 + identifierLength > length) {
    throw broken(`folder "${folder}" has a damaged record`)
  }
  return {
    length,
    extent: uint32(data, offset + 2),
    bytes: uint32(data, offset + 10),
    flags: data[offset + 25] as number,
    identifier: latin1(data, offset + 33, identifierLength),
    systemUse: data.subarray(offset + Math.min(systemUseStart, length), offset + length),
  }
}

function uint32(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset, true)
}

function latin1(data: Uint8Array, offset: number, length: number): string {
  return Buffer.from(data.subarray(offset, offset + length)).toString('latin1')
}

function broken(because: string): AppError {
  return new AppError('verification-failed', `cannot read the image: ${because}`)
}
