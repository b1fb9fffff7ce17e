import { type FileHandle, open } from 'node:fs/promises'
import { pathFromBytes } from '../../primitives/pathText'
import { fsPath } from '../files/fileSystem'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { type FilePart, md5Ranges } from '../native/protection'
import { HEAD_BYTES, headFrom, md5, type PacketHead, par2Identity, TYPES } from './par2Packets'

/** No packet but that of a recovery block is longer: it describes all blocks of a set. */
const MOST_BODY_BYTES = 16 << 20
const WINDOW_BYTES = 1 << 20
const MAGIC_BYTES = 8
/** The limits of PAR2. */
const MOST_BLOCKS = 32_768
const MOST_EXPONENT = 65_535
/** Where a file's description has its name. */
const NAME_AT = 56
/** The sector of optical discs; others have shorter ones. */
const SECTOR_BYTES = 2048

/** A file as a set describes it. */
export interface DescribedFile {
  readonly name: string
  readonly bytes: number
  readonly md5: Buffer
  /** The index of its first block among the set's. */
  readonly firstBlock: number
  /** For each block MD5 and CRC-32, 20 bytes. */
  readonly blocks: Buffer
}

/** A set of which everything that describes it was found undamaged. */
export interface FoundSet {
  readonly identity: string
  readonly blockBytes: number
  /** In the order of the set's blocks. */
  readonly files: readonly DescribedFile[]
  /** Undamaged recovery blocks, one for each exponent. */
  readonly recovery: readonly (FilePart & { readonly exponent: number })[]
}

interface Packets {
  main: Buffer | null
  readonly files: Map<string, Buffer>
  readonly blocks: Map<string, Buffer>
  readonly recovery: Map<number, FilePart & { readonly exponent: number }>
}

/** The sets that were found, and the ranges in which there is more than whole packets. */
export interface FoundPar2 {
  readonly sets: readonly FoundSet[]
  /** The ranges given of which something is damaged or cannot be read. */
  readonly damaged: readonly FilePart[]
}

/**
 * Reads PAR2 files that may be damaged: every packet is checked against its digest, and after a
 * damaged one the next is looked for. Files that cannot be read count as damaged from there on.
 * @param parts whole PAR2 files, or ranges of an image that may have other content, too
 * @throws AppError `cancelled`
 */
export async function readPar2(
  parts: readonly FilePart[],
  watch: { readonly signal?: AbortSignal; readonly onBytes?: (done: number) => void } = {},
): Promise<FoundPar2> {
  const { signal, onBytes } = watch
  const sets = new Map<string, Packets>()
  const damaged: FilePart[] = []
  let before = 0
  for (const range of parts) {
    const file = await open(fsPath(range.path), 'r').catch(() => null)
    let whole = 0
    try {
      for await (const found of file === null ? [] : packetsOf(file, range)) {
        if (await keep(sets, found, signal)) whole += found.head.bytes
        throwIfAborted(signal)
        onBytes?.(before + found.part.offset + found.part.bytes - range.offset)
      }
    } finally {
      await file?.close()
    }
    if (whole !== range.bytes) damaged.push(range)
    before += range.bytes
    onBytes?.(before)
  }
  return { sets: [...sets].flatMap(([identity, packets]) => described(identity, packets) ?? []), damaged }
}

interface FoundPacket {
  readonly head: PacketHead
  /** Null for a recovery block, whose bytes stay where they are. */
  readonly body: Buffer | null
  readonly part: FilePart
}

async function* packetsOf(file: FileHandle, { path, offset, bytes }: FilePart): AsyncGenerator<FoundPacket> {
  const end = offset + bytes
  for (let at = offset; at + HEAD_BYTES <= end; ) {
    const start = await bytesAt(file, at, HEAD_BYTES)
    const head = start && headFrom(start)
    const isRecovery = head?.type === TYPES.recovery
    if (!head || at + head.bytes > end || !(isRecovery || head.bytes <= MOST_BODY_BYTES)) {
      at = await nextMagic(file, at + 1, end)
      continue
    }
    const part = { path, offset: at + HEAD_BYTES, bytes: head.bytes - HEAD_BYTES }
    const body = isRecovery ? null : await bytesAt(file, part.offset, part.bytes)
    if (!isRecovery && !(body && md5(head.identity, typeBytes(head), body).equals(head.digest))) {
      at = await nextMagic(file, at + 1, end)
      continue
    }
    yield { head, body, part }
    at += head.bytes
  }
}

const typeBytes = (head: PacketHead): Buffer => Buffer.from(head.type, 'latin1')

/** Null where they cannot be read. */
async function bytesAt(file: FileHandle, at: number, bytes: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, at).catch(() => ({ bytesRead: 0 }))
  return bytesRead === bytes ? buffer : null
}

/** Where the next packet may begin, from `from` on; the end if nowhere. */
async function nextMagic(file: FileHandle, from: number, end: number): Promise<number> {
  for (let at = from; at + HEAD_BYTES <= end; at += WINDOW_BYTES - MAGIC_BYTES) {
    const window = await windowAt(file, at, Math.min(WINDOW_BYTES, end - at))
    const found = window.indexOf('PAR2\0PKT', 0, 'latin1')
    if (found >= 0) return at + found
  }
  return end
}

/** Zeros in place of sectors that cannot be read. */
async function windowAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const whole = await bytesAt(file, at, bytes)
  if (whole !== null || bytes <= SECTOR_BYTES) return whole ?? Buffer.alloc(bytes)
  const pieces: Buffer[] = []
  for (let from = at; from < at + bytes; from += SECTOR_BYTES) {
    const length = Math.min(SECTOR_BYTES, at + bytes - from)
    pieces.push((await bytesAt(file, from, length)) ?? Buffer.alloc(length))
  }
  return Buffer.concat(pieces)
}

/** @returns false for a recovery block that is damaged */
async function keep(
  sets: Map<string, Packets>,
  { head, body, part }: FoundPacket,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const identity = head.identity.toString('hex')
  const packets = sets.get(identity) ?? {
    main: null,
    files: new Map(),
    blocks: new Map(),
    recovery: new Map(),
  }
  sets.set(identity, packets)
  if (body === null) {
    const recovery = await recoveryPart(head, part, signal)
    if (recovery !== null && !packets.recovery.has(recovery.exponent))
      packets.recovery.set(recovery.exponent, recovery)
    return recovery !== null
  }
  if (head.type === TYPES.main) packets.main = body
  else if (head.type === TYPES.file) packets.files.set(body.toString('hex', 0, 16), body)
  else if (head.type === TYPES.blocks) packets.blocks.set(body.toString('hex', 0, 16), body)
  return true
}

/** Null where it is damaged. */
async function recoveryPart(
  head: PacketHead,
  part: FilePart,
  signal: AbortSignal | undefined,
): Promise<(FilePart & { readonly exponent: number }) | null> {
  const file = await open(fsPath(part.path), 'r')
  const exponent = await bytesAt(file, part.offset, 4).finally(() => file.close())
  // The digest begins within the head, at the set's identity.
  const whole = { ...part, offset: part.offset - 32, bytes: part.bytes + 32 }
  const digest = await md5Ranges([whole], signal && { signal }).catch(() => null)
  if (exponent === null || digest === null || !head.digest.equals(digest)) return null
  return {
    path: part.path,
    offset: part.offset + 4,
    bytes: part.bytes - 4,
    exponent: exponent.readUInt32LE(),
  }
}

/** Null unless all that describes it is there. */
function described(identity: string, packets: Packets): FoundSet | null {
  const { main } = packets
  if (main === null || main.length < 12) return null
  const blockBytes = Number(main.readBigUInt64LE(0))
  const count = main.readUInt32LE(8)
  if (main.length < 12 + 16 * count || blockBytes === 0 || blockBytes % 4 !== 0) return null
  const files: DescribedFile[] = []
  let firstBlock = 0
  for (let at = 0; at < count; at++) {
    const file = packets.files.get(main.toString('hex', 12 + 16 * at, 28 + 16 * at))
    if (file === undefined || file.length <= NAME_AT) return null
    const bytes = Number(file.readBigUInt64LE(48))
    const blocks = packets.blocks.get(file.toString('hex', 0, 16))?.subarray(16) ?? Buffer.alloc(0)
    const needed = Math.ceil(bytes / blockBytes)
    const name = pathFromBytes(file.subarray(NAME_AT)).replace(/\0+$/, '')
    const isItself = par2Identity({ name, bytes, md5OfStart: file.subarray(32, 48) }).equals(
      file.subarray(0, 16),
    )
    if (blocks.length !== 20 * needed || !isItself) return null
    files.push({ name, bytes, md5: file.subarray(16, 32), firstBlock, blocks })
    firstBlock += needed
  }
  if (firstBlock > MOST_BLOCKS) return null
  const recovery = [...packets.recovery.values()].filter(
    ({ bytes, exponent }) => bytes === blockBytes && exponent <= MOST_EXPONENT,
  )
  return { identity, blockBytes, files, recovery }
}
