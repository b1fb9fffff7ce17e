import type { FileHandle } from 'node:fs/promises'
import type { PartRows } from '../fingerprints/parquetPart'

/**
 * The sketch of a survey, as native/src/core/sketches/sketchFile.h describes it. It was read and
 * found whole before by `mergeSketches`.
 */
export interface SketchTables {
  readonly blocksFrom512: boolean
  /** Draws of chunk boundaries. */
  readonly profiles: number
  /** Block sizes, draws, and whole files last. */
  readonly levels: readonly { readonly shift: number; readonly marks: number; readonly at: number }[]
  /** Where the records of files are. */
  readonly records: { readonly at: number; readonly bytes: number; readonly files: number }
}

const FIXED_BYTES = 72
const PROFILE_BYTES = 64
const LEVEL_BYTES = 32
const HASH_BYTES = 16
const MARK_BYTES = 32

/** Reads where the tables of a sketch are. */
export async function sketchTables(handle: FileHandle): Promise<SketchTables> {
  const fixed = await bytesAt(handle, 0, FIXED_BYTES)
  const profiles = fixed.readUInt32LE(16)
  const count = fixed.readUInt32LE(20)
  const facts = await bytesAt(handle, FIXED_BYTES + profiles * PROFILE_BYTES, count * LEVEL_BYTES)
  let at = FIXED_BYTES + profiles * PROFILE_BYTES + count * LEVEL_BYTES + HASH_BYTES
  const levels = Array.from({ length: count }, (_, index) => {
    const shift = Number(facts.readBigUInt64LE(index * LEVEL_BYTES))
    const marks = Number(facts.readBigUInt64LE(index * LEVEL_BYTES + 8))
    const level = { shift, marks, at }
    at += marks * MARK_BYTES
    return level
  })
  return {
    blocksFrom512: (fixed.readUInt32LE(12) & 1) === 1,
    profiles,
    levels,
    records: {
      at,
      bytes: Number(fixed.readBigUInt64LE(48)),
      files: Number(fixed.readBigUInt64LE(32)),
    },
  }
}

async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await handle.read(bytes, 0, length, at)
  return bytes
}

/** The rows of a level, sorted by hash and file as its marks are. */
export async function* markRows(
  handle: FileHandle,
  { at, marks }: SketchTables['levels'][number],
): AsyncIterable<PartRows> {
  const bytes = await bytesAt(handle, at, marks * MARK_BYTES)
  const rows = {
    hash: new BigInt64Array(marks),
    bytes: new BigInt64Array(marks),
    file: new Int32Array(marks),
    count: new Int32Array(marks),
  }
  for (let row = 0; row < marks; row++) {
    const from = row * MARK_BYTES
    rows.hash[row] = BigInt.asIntN(64, bytes.readBigUInt64LE(from + 8) ^ (1n << 63n))
    rows.bytes[row] = bytes.readBigInt64LE(from + 16)
    rows.file[row] = bytes.readInt32LE(from + 24)
    rows.count[row] = Math.min(bytes.readUInt32LE(from + 28), 2 ** 31 - 1)
  }
  if (marks > 0) yield [rows.hash, rows.bytes, rows.file, rows.count]
}

/** The facts of one file. */
interface FileRecord {
  readonly file: number
  readonly bytes: number
  /** False for a file that was not read to its end. */
  readonly isWhole: boolean
  readonly zeros: readonly { readonly level: number; readonly blocks: bigint; readonly bytes: bigint }[]
}

/** The records of all files, by their numbers. */
export async function fileRecords(
  handle: FileHandle,
  { records, profiles }: SketchTables,
): Promise<FileRecord[]> {
  const bytes = await bytesAt(handle, records.at, records.bytes)
  let at = 0
  const next = (): bigint => {
    let number = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0
      number |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return number
    }
  }
  return Array.from({ length: records.files }, () => {
    const [file, size, flags] = [Number(next()), Number(next()), Number(next())]
    if ((flags & 2) !== 0) for (let profile = 0; profile < profiles; profile++) next()
    const zeros = Array.from({ length: (flags & 4) === 0 ? 0 : Number(next()) }, () => ({
      level: Number(next()),
      blocks: next(),
      bytes: next(),
    }))
    return { file, bytes: size, isWhole: (flags & 1) === 1, zeros }
  })
}
