import { faultIn, type ImageEntry, type ImageTree, type OnFault, type ReadAt, SECTOR } from './imageTree'
import { brokenTree, type TreePart } from './treeFault'
import { checkTag, TAG, udfFieldText, udfText } from './udfFields'

/** Sectors of the recognition sequence. */
const RECOGNITION = [16, 32] as const
const FIRST_ANCHOR = 256
const MAX_SEQUENCE_SECTORS = 256
const MAX_DEPTH = 1024
const MAX_ENTRIES = 20_000_000
const MAX_FOLDER_BYTES = 1 << 30
const FILE_ENTRY_BYTES = 176
const ALLOCATION_EXTENT_BYTES = 24
const IDENTIFIER_BYTES = 38
const FOLDER_TYPE = 4
const FILE_TYPE = 5
const IS_FOLDER = 2
const IS_DELETED = 4
const IS_PARENT = 8

/**
 * Reads the UDF 1.02 tree of an image: names, kinds, sizes and places of files. Every descriptor
 * counts only with its checksum and CRC. Whatever the bytes are, it ends: places outside of the
 * partition, loops, depth and counts are refused.
 * @param sectors of the image
 * @throws AppError `verification-failed` when it has no such tree, or a damaged one and nothing
 *   takes its faults
 */
export async function readUdfTree(readAt: ReadAt, sectors: number, onFault?: OnFault): Promise<ImageTree> {
  const volume = await firstThatReads(
    [FIRST_ANCHOR, sectors - 1].map((sector) => () => volumeAt(readAt, sector)),
  )
  const reader = new UdfReader(readAt, volume, onFault)
  return { label: volume.label, sectors: volume.start + volume.blocks + 1, entries: await reader.entries() }
}

/** True for an image that says it has UDF (ECMA-167 2/8.3, UDF 1.02's NSR02). */
export async function isUdf(readAt: ReadAt): Promise<boolean> {
  const [first, last] = RECOGNITION
  const bytes = await readAt(first * SECTOR, (last - first) * SECTOR).catch((thrown: unknown) => {
    faultIn(thrown)
    return new Uint8Array()
  })
  return Buffer.from(bytes).includes('NSR02')
}

/**
 * True where all that leads to the tree of one of Stowage's own images is as it was written, also
 * what reading does without: the recognition sequence, by which systems tell that there is UDF,
 * both anchors, both sequences of descriptors, and what closes the volume and its file set.
 * @param sectors of the image
 */
export async function isUdfFramed(readAt: ReadAt, sectors: number): Promise<boolean> {
  try {
    const [first, last] = RECOGNITION
    const recognition = Buffer.from(await readAt(first * SECTOR, (last - first) * SECTOR))
    const at = ['BEA01', 'NSR02', 'TEA01'].map((name) => recognition.indexOf(name))
    if (at.some((place, index) => place < 0 || place !== (at[0] ?? 0) + index * SECTOR)) return false
    for (const place of [FIRST_ANCHOR, sectors - 1]) {
      const anchor = await descriptorAt(readAt, place, { tag: TAG.anchor, place }, 'anchor')
      for (const pointer of [16, 24]) {
        const sequence = extentAt(anchor, pointer)
        const { start, fileSet, integrity } = await volumeSequence(readAt, sequence.sector, sequence.bytes)
        await requireSequence(readAt, sequence.sector, sequence.sector)
        await requireSequence(readAt, integrity, integrity)
        await requireSequence(readAt, start + fileSet, fileSet)
      }
    }
    return true
  } catch (thrown) {
    faultIn(thrown)
    return false
  }
}

/**
 * Descriptors one after the other, up to the one that ends them.
 * @param place of the first, as its tag names it
 * @throws AppError `verification-failed`
 */
async function requireSequence(readAt: ReadAt, sector: number, place: number): Promise<void> {
  for (let at = 0; at < MAX_SEQUENCE_SECTORS; at++) {
    const bytes = await readAt((sector + at) * SECTOR, SECTOR)
    const tag = bytes.length === SECTOR ? tagOf(bytes) : 0
    if (tag === 0) break
    checkTag(bytes, { tag, place: place + at }, 'volume')
    if (tag === TAG.terminating) return
  }
  throw brokenTree({ code: 'endless-sequence' })
}

function extentAt(view: DataView, offset: number): { readonly sector: number; readonly bytes: number } {
  return { bytes: view.getUint32(offset, true), sector: view.getUint32(offset + 4, true) }
}

/** The partition of a volume, and its file set. */
interface UdfVolume {
  readonly label: string
  /** The sector of block 0. */
  readonly start: number
  readonly blocks: number
  readonly fileSet: number
  /** The first sector of what says that the volume was closed. */
  readonly integrity: number
}

/** The volume that an anchor leads to (3/10.2), by its first descriptors or their copy. */
async function volumeAt(readAt: ReadAt, sector: number): Promise<UdfVolume> {
  const anchor = await descriptorAt(readAt, sector, { tag: TAG.anchor, place: sector }, 'anchor')
  return firstThatReads(
    [16, 24].map(
      (at) => () => volumeSequence(readAt, anchor.getUint32(at + 4, true), anchor.getUint32(at, true)),
    ),
  )
}

/** Partition and logical volume among the descriptors of a volume (3/10.5 and 3/10.6). */
async function volumeSequence(readAt: ReadAt, sector: number, bytes: number): Promise<UdfVolume> {
  const count = Math.min(Math.floor(bytes / SECTOR), MAX_SEQUENCE_SECTORS)
  let partition: DataView | null = null
  let logical: DataView | null = null
  for (let place = sector; place < sector + count; place++) {
    const descriptor = await readAt(place * SECTOR, SECTOR)
    const tag = descriptor.length === SECTOR ? tagOf(descriptor) : TAG.terminating
    if (tag === TAG.terminating) break
    if (tag !== TAG.partition && tag !== TAG.logicalVolume) continue
    const view = checkTag(descriptor, { tag, place }, 'volume')
    if (tag === TAG.partition) partition = view
    else logical = view
  }
  if (partition === null || logical === null) throw brokenTree({ code: 'no-udf' })
  if (logical.getUint32(212, true) !== SECTOR) throw brokenTree({ code: 'other-block-size' })
  return {
    label: udfFieldText(new Uint8Array(logical.buffer, logical.byteOffset + 84, 128)),
    start: partition.getUint32(188, true),
    blocks: partition.getUint32(192, true),
    fileSet: logical.getUint32(252, true),
    integrity: extentAt(logical, 432).sector,
  }
}

function tagOf(bytes: Uint8Array): number {
  return (bytes[0] as number) | ((bytes[1] as number) << 8)
}

async function descriptorAt(
  readAt: ReadAt,
  sector: number,
  wanted: { readonly tag: number; readonly place: number },
  part: TreePart,
): Promise<DataView> {
  return checkTag(await readAt(sector * SECTOR, SECTOR), wanted, part)
}

/** @throws AppError the fault of the first way, where none can be read */
async function firstThatReads<T>(ways: readonly (() => Promise<T>)[]): Promise<T> {
  const faults: unknown[] = []
  for (const way of ways) {
    try {
      return await way()
    } catch (thrown) {
      faults.push(faultIn(thrown))
    }
  }
  throw faults[0]
}

/** A file entry (4/14.9). */
interface FileEntry {
  readonly isFolder: boolean
  readonly bytes: number
  /** The block of its content, which is in one piece; null for what has none. */
  readonly block: number | null
}

/** A name in a folder. */
interface Identifier {
  readonly name: string
  readonly isFolder: boolean
  readonly block: number
}

class UdfReader {
  readonly #readAt: ReadAt
  readonly #volume: UdfVolume
  readonly #onFault: OnFault | undefined
  readonly #entries: ImageEntry[] = []
  /** The blocks of the folders that were read. */
  readonly #entered = new Set<number>()

  constructor(readAt: ReadAt, volume: UdfVolume, onFault: OnFault | undefined) {
    this.#readAt = readAt
    this.#volume = volume
    this.#onFault = onFault
  }

  /** Every file and folder below the root. */
  async entries(): Promise<readonly ImageEntry[]> {
    await this.#faults(async () => {
      const { fileSet } = this.#volume
      const view = await this.#descriptor(fileSet, TAG.fileSet, 'file-set')
      const root = view.getUint32(404, true)
      await this.#folder(await this.#fileEntry(root, { folder: '' }), root, '', 0)
    })
    return this.#entries
  }

  async #faults(read: () => Promise<void>): Promise<void> {
    if (this.#onFault === undefined) return read()
    try {
      await read()
    } catch (thrown) {
      this.#onFault(faultIn(thrown))
    }
  }

  /** @throws AppError for blocks outside of the partition or of the image */
  async #blocks(block: number, bytes: number, part: TreePart): Promise<Uint8Array> {
    const { start, blocks } = this.#volume
    if (block + Math.ceil(bytes / SECTOR) > blocks) throw brokenTree({ code: 'outside-partition', part })
    const found = await this.#readAt((start + block) * SECTOR, bytes)
    if (found.length < bytes) throw brokenTree({ code: 'beyond-end', part })
    return found
  }

  async #descriptor(block: number, tag: number, part: TreePart): Promise<DataView> {
    return checkTag(await this.#blocks(block, SECTOR, part), { tag, place: block }, part)
  }

  async #folder(entry: FileEntry, block: number, path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH || this.#entered.has(block)) throw brokenTree({ code: 'own-parent', folder: path })
    if (!entry.isFolder || entry.bytes > MAX_FOLDER_BYTES)
      throw brokenTree({ code: 'no-folder', folder: path })
    this.#entered.add(block)
    if (entry.block === null) return
    const list = await this.#blocks(entry.block, entry.bytes, { folder: path })
    for (const { name, isFolder, block: own } of identifiersIn(list, entry.block, path)) {
      if (this.#entries.length >= MAX_ENTRIES) throw brokenTree({ code: 'too-many-entries' })
      const below = path === '' ? name : `${path}/${name}`
      await this.#faults(async () => {
        const found = await this.#fileEntry(own, { entry: below })
        if (found.isFolder !== isFolder) throw brokenTree({ code: 'other-kind', part: { entry: below } })
        const offset = (this.#volume.start + (found.block ?? 0)) * SECTOR
        const kind = isFolder ? 'folder' : 'file'
        this.#entries.push({ path: below, kind, bytes: isFolder ? 0 : found.bytes, offset, target: null })
        if (isFolder) await this.#folder(found, own, below, depth + 1)
      })
    }
  }

  async #fileEntry(block: number, part: TreePart): Promise<FileEntry> {
    const view = await this.#descriptor(block, TAG.fileEntry, part)
    const type = view.getUint8(27)
    const bytes = Number(view.getBigUint64(56, true))
    const at = FILE_ENTRY_BYTES + view.getUint32(168, true)
    const length = view.getUint32(172, true)
    const isKnown = (type === FOLDER_TYPE || type === FILE_TYPE) && (view.getUint16(34, true) & 7) === 0
    if (!isKnown || !Number.isSafeInteger(bytes) || at + length > SECTOR)
      throw brokenTree({ code: 'other-file-entry', part })
    const first = new DataView(view.buffer, view.byteOffset + at, length)
    return { isFolder: type === FOLDER_TYPE, bytes, block: await this.#extent(first, bytes, part) }
  }

  /**
   * The first block of content: its short allocation descriptors, also those in further extents,
   * must make one piece (4/14.14.1 and 4/14.5).
   */
  async #extent(first: DataView, bytes: number, part: TreePart): Promise<number | null> {
    let start: number | null = null
    let done = 0
    let list = first
    for (let at = 0; at + 8 <= list.byteLength && done < bytes; ) {
      const [lengthAndType, block] = [list.getUint32(at, true), list.getUint32(at + 4, true)]
      const [type, length] = [lengthAndType >>> 30, lengthAndType & 0x3fffffff]
      at += 8
      if (type === 3) {
        // Every further extent adds to the length, so that a circle ends.
        const view = await this.#descriptor(block, TAG.allocationExtent, part)
        const here = Math.min(view.getUint32(20, true), SECTOR - ALLOCATION_EXTENT_BYTES)
        list = new DataView(view.buffer, view.byteOffset + ALLOCATION_EXTENT_BYTES, here)
        at = 0
        if (here < 8 || list.getUint32(0, true) >>> 30 === 3) throw brokenTree({ code: 'no-extents', part })
        continue
      }
      start ??= block
      if (type !== 0 || length === 0 || block !== start + done / SECTOR)
        throw brokenTree({ code: 'in-pieces', part })
      done += length
    }
    const { blocks } = this.#volume
    if (done !== bytes) throw brokenTree({ code: 'other-length', part })
    if (start !== null && start + Math.ceil(bytes / SECTOR) > blocks)
      throw brokenTree({ code: 'outside-partition', part })
    return start
  }
}

/** The names in a folder's list (4/14.4), but for its parent and for those that were deleted. */
function* identifiersIn(list: Uint8Array, block: number, folder: string): Generator<Identifier> {
  for (let at = 0; at < list.length; ) {
    const head = list.subarray(at, at + IDENTIFIER_BYTES)
    if (head.length < IDENTIFIER_BYTES) throw brokenTree({ code: 'cut-name', folder })
    const useBytes = (head[36] as number) | ((head[37] as number) << 8)
    const nameBytes = head[19] as number
    const length = Math.ceil((IDENTIFIER_BYTES + useBytes + nameBytes) / 4) * 4
    const place = block + Math.floor(at / SECTOR)
    const bytes = list.subarray(at, at + length)
    const view = checkTag(bytes, { tag: TAG.fileIdentifier, place }, { folder })
    at += length
    const kind = view.getUint8(18)
    if ((kind & (IS_PARENT | IS_DELETED)) !== 0) continue
    const start = IDENTIFIER_BYTES + useBytes
    const name = udfText(bytes.subarray(start, start + nameBytes))
    if (!name || /[/\0]/.test(name)) throw brokenTree({ code: 'damaged-name', folder })
    yield { name, isFolder: (kind & IS_FOLDER) !== 0, block: view.getUint32(24, true) }
  }
}
