import { pathFromBytes } from '../../../../primitives/pathText'
import { faultIn, type ImageEntry, type ImageTree, type OnFault, type ReadAt, SECTOR } from './imageTree'
import { joinedTarget, readSystemUse } from './rockRidge'
import { brokenTree } from './treeFault'

const FIRST_DESCRIPTOR = 16
const MAX_DEPTH = 1024
const MAX_ENTRIES = 20_000_000
const MAX_FOLDER_BYTES = 1 << 30

/**
 * Reads the names of an ISO 9660 image with Rock Ridge: kinds, sizes, true names, targets of
 * symbolic links. Written from ECMA-119 (4th edition, 9.1 directory record) and from the SUSP and
 * RRIP drafts, independently of the program that writes the images. Whatever the bytes are, it
 * ends: loops, depth and counts are bounded.
 * @throws AppError `verification-failed` when the image is not such an image, or is damaged and
 *   nothing takes its faults
 */
export async function readIsoTree(readAt: ReadAt, onFault?: OnFault): Promise<IsoTree> {
  const descriptor = await readAt(FIRST_DESCRIPTOR * SECTOR, SECTOR)
  if (descriptor.length < SECTOR || latin1(descriptor, 0, 6) !== '\u0001CD001') {
    throw brokenTree({ code: 'no-iso9660' })
  }
  const reading: Reading = { readAt, onFault, entered: new Set(), entries: [] }
  await faultsOf(reading, () => readFolder(reading, recordAt(descriptor, 156, ''), '', 0))
  return {
    label: latin1(descriptor, 40, 32).trimEnd(),
    sectors: uint32(descriptor, 80),
    application: latin1(descriptor, 574, 128).trimEnd(),
    entries: reading.entries,
  }
}

/**
 * True where what leads to the folders of one of Stowage's own images, and reading does without, is
 * as it was written: the end of the descriptors, both path tables, and the sign of Rock Ridge.
 * @param folders of the tree
 */
export async function isIsoFramed(readAt: ReadAt, folders: number): Promise<boolean> {
  try {
    const descriptors = await readAt(FIRST_DESCRIPTOR * SECTOR, 2 * SECTOR)
    if (latin1(descriptors, SECTOR, 6) !== '\u00ffCD001') return false
    const view = new DataView(descriptors.buffer, descriptors.byteOffset, descriptors.byteLength)
    const bytes = Math.min(view.getUint32(132, true), MAX_FOLDER_BYTES)
    const little = pathTable(await readAt(view.getUint32(140, true) * SECTOR, bytes), true)
    const big = pathTable(await readAt(view.getUint32(148) * SECTOR, bytes), false)
    if (little.length !== folders + 1 || little.join() !== big.join()) return false
    const root = recordAt(descriptors, 156, '')
    const area = Buffer.from(await readAt(root.extent * SECTOR, SECTOR))
    const at = area.indexOf('CE', 34)
    if (at < 0 || at > (area[0] ?? 0)) return true
    const sign = area.readUInt32LE(at + 4) * SECTOR + area.readUInt32LE(at + 12)
    return latin1(await readAt(sign, area.readUInt32LE(at + 20)), 0, 2) === 'ER'
  } catch (thrown) {
    faultIn(thrown)
    return false
  }
}

/** Place, parent and name of each folder (ECMA-119 9.4); none after a damaged record. */
function pathTable(bytes: Uint8Array, isLittle: boolean): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const folders: string[] = []
  for (let at = 0; at + 9 <= bytes.length; ) {
    const length = bytes[at] as number
    if (length === 0 || at + 8 + length > bytes.length) break
    const place = view.getUint32(at + 2, isLittle)
    folders.push(`${place} ${view.getUint16(at + 6, isLittle)} ${latin1(bytes, at + 8, length)}`)
    at += 8 + length + (length % 2)
  }
  return folders
}

interface IsoTree extends ImageTree {
  /** The program that made the image, as it says. */
  readonly application: string
}

interface Reading {
  readonly readAt: ReadAt
  readonly onFault: OnFault | undefined
  /** The extents of the folders that were read. */
  readonly entered: Set<number>
  readonly entries: ImageEntry[]
}

async function faultsOf({ onFault }: Reading, read: () => Promise<void>): Promise<void> {
  if (onFault === undefined) return read()
  try {
    await read()
  } catch (thrown) {
    onFault(faultIn(thrown))
  }
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
  reading: Reading,
  { extent, bytes }: FolderRecord,
  path: string,
  depth: number,
): Promise<void> {
  const { readAt, entered, entries } = reading
  if (depth > MAX_DEPTH || entered.has(extent)) throw brokenTree({ code: 'own-parent', folder: path })
  if (bytes > MAX_FOLDER_BYTES) throw brokenTree({ code: 'too-large', folder: path })
  entered.add(extent)
  const data = await readAt(extent * SECTOR, bytes)
  if (data.length < bytes) throw brokenTree({ code: 'beyond-end', part: { folder: path } })
  let offset = 0
  let first: FolderRecord | null = null
  let earlierBytes = 0
  while (offset < data.length) {
    if (data[offset] === 0) {
      if (offset % SECTOR === 0) throw brokenTree({ code: 'damaged-record', folder: path })
      // Records do not cross sectors: the rest of this one is empty.
      offset = (Math.floor(offset / SECTOR) + 1) * SECTOR
      continue
    }
    const record = recordAt(data, offset, path)
    offset += record.length
    if (record.identifier === '\0' && record.extent !== extent)
      throw brokenTree({ code: 'misplaced', folder: path })
    if (record.identifier === '\0' || record.identifier === '\u0001') continue
    if ((record.flags & FLAG_MORE_EXTENTS) !== 0) {
      if (first !== null && record.extent * SECTOR !== first.extent * SECTOR + earlierBytes) {
        throw brokenTree({ code: 'file-in-pieces', folder: path })
      }
      first ??= record
      earlierBytes += record.bytes
      continue
    }
    if (entries.length >= MAX_ENTRIES) throw brokenTree({ code: 'too-many-entries' })
    const entry = await entryOf(readAt, record, path, (first ?? record).extent * SECTOR, earlierBytes)
    first = null
    earlierBytes = 0
    entries.push(entry)
    if (entry.kind === 'folder') {
      await faultsOf(reading, () => readFolder(reading, record, entry.path, depth + 1))
    }
  }
}

async function entryOf(
  readAt: ReadAt,
  record: FolderRecord,
  folder: string,
  offset: number,
  earlierBytes: number,
): Promise<ImageEntry> {
  const { name, target } = await readSystemUse(record.systemUse, async (block, start, length) => {
    const area = await readAt(block * SECTOR + start, length)
    if (area.length < length) throw brokenTree({ code: 'name-beyond-end', folder })
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
    throw brokenTree({ code: 'damaged-record', folder })
  }
  return {
    length,
    extent: bothEndian(data, offset + 2, folder),
    bytes: bothEndian(data, offset + 10, folder),
    flags: data[offset + 25] as number,
    identifier: latin1(data, offset + 33, identifierLength),
    systemUse: data.subarray(offset + Math.min(systemUseStart, length), offset + length),
  }
}

/** A number that is there in both orders of bytes (ECMA-119 7.3.3). */
function bothEndian(data: Uint8Array, offset: number, folder: string): number {
  const value = uint32(data, offset)
  const other = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset + 4)
  if (value !== other) throw brokenTree({ code: 'damaged-record', folder })
  return value
}

function uint32(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset, true)
}

function latin1(data: Uint8Array, offset: number, length: number): string {
  return Buffer.from(data.subarray(offset, offset + length)).toString('latin1')
}
