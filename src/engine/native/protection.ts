import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'
import type { RawProtection, RawUnread } from './rawProtection'

/** A part of a file at an absolute path in lossless text. */
export interface FilePart {
  readonly path: string
  readonly offset: number
  readonly bytes: number
}

interface Watch {
  readonly signal?: AbortSignal
  readonly onBytes?: (done: number) => void
}

/**
 * MD5 of parts of files, 16 bytes for each in order.
 * @throws AppError naming the first file that cannot be read; `cancelled`
 */
export async function md5Ranges(parts: readonly FilePart[], watch: Watch = {}): Promise<Uint8Array> {
  const { signal, onBytes } = watch
  const raw = loadAddon().md5Ranges(...columnsOf(parts))
  const found = await finishedWork(raw, signal, onBytes && (() => onBytes(raw.bytesDone())))
  throwIfUnfinished(parts, found.cancelled, found.failure)
  return found.md5
}

/**
 * Reads files once, in order, for their digests and the recovery blocks of PAR2.
 * @param firstBlocks for each file the index of its first block among the set's
 * @param set `blockBytes` is even, best a multiple of 64; a recovery block for each exponent
 * @throws AppError naming the first file that cannot be read; `cancelled`
 */
export async function protectFiles(
  files: readonly FilePart[],
  firstBlocks: Float64Array,
  set: { readonly blockBytes: number; readonly exponents: Uint16Array; readonly threads: number },
  watch: Watch = {},
): Promise<Omit<RawProtection, 'cancelled' | 'failure'>> {
  const { blockBytes, exponents, threads } = set
  const { signal, onBytes } = watch
  const raw = loadAddon().protectFiles(...columnsOf(files), firstBlocks, blockBytes, exponents, threads)
  const found = await finishedWork(raw, signal, onBytes && (() => onBytes(raw.bytesDone())))
  throwIfUnfinished(files, found.cancelled, found.failure)
  return found
}

function columnsOf(parts: readonly FilePart[]): [Uint8Array[], Float64Array, Float64Array] {
  return [
    parts.map(({ path }) => pathToBytes(path)),
    Float64Array.from(parts, ({ offset }) => offset),
    lengthsOf(parts),
  ]
}

const lengthsOf = (parts: readonly { readonly bytes: number }[]): Float64Array =>
  Float64Array.from(parts, ({ bytes }) => bytes)

function throwIfUnfinished(parts: readonly FilePart[], cancelled: boolean, failure: RawUnread | null): void {
  if (cancelled) throw new AppError('cancelled', said`making recovery data was cancelled`)
  if (failure === null) return
  const { path } = parts[failure.index] as FilePart
  throw new AppError(failure.code, said`cannot read ${pathForDisplay(path)}: ${failure.cause}`, { path })
}

/** Blocks of a set for a repair: those that are there, and those to be calculated. */
export interface BlocksToRepair {
  readonly blockBytes: number
  /** With their indices; each at most a block, zeros after it. */
  readonly inputs: readonly (FilePart & { readonly index: number })[]
  readonly recovery: readonly (FilePart & { readonly exponent: number })[]
  /** With the bytes of the block that belong to its file. */
  readonly lost: readonly { readonly index: number; readonly bytes: number }[]
}

/** How lost blocks are calculated. */
export interface Repair {
  /** A new file for their bytes, one block after another. */
  readonly output: string
  /** For the sums; too little for whole blocks, and a part of each is calculated at a time. */
  readonly memoryBytes: number
  readonly threads: number
}

/**
 * Calculates lost blocks and writes their bytes to a new file. What was calculated is only as good
 * as what was read: compare the digests, 20 bytes for each block (MD5, CRC-32), with those of the
 * set.
 * @returns null where the recovery blocks are too few
 * @throws AppError naming what cannot be read, or for the output; `cancelled`
 */
export async function repairBlocks(
  blocks: BlocksToRepair,
  { output, memoryBytes, threads }: Repair,
  watch: Watch = {},
): Promise<Uint8Array | null> {
  const { signal, onBytes } = watch
  const parts = [...blocks.inputs, ...blocks.recovery]
  const numbers = [
    ...blocks.inputs.map(({ index }) => index),
    ...blocks.recovery.map(({ exponent }) => exponent),
  ]
  const columns = {
    blockBytes: blocks.blockBytes,
    numbers: Float64Array.from(numbers),
    inputs: blocks.inputs.length,
    lost: Float64Array.from(blocks.lost, ({ index }) => index),
    lostBytes: lengthsOf(blocks.lost),
  }
  const raw = loadAddon().repairBlocks(
    ...columnsOf(parts),
    columns,
    pathToBytes(output),
    memoryBytes,
    threads,
  )
  const found = await finishedWork(raw, signal, onBytes && (() => onBytes(raw.bytesDone())))
  throwIfUnfinished(parts, found.cancelled, found.failure)
  if (found.error !== null)
    throw new AppError(found.error.code, said`cannot write ${pathForDisplay(output)}: ${found.error.cause}`)
  return found.solvable ? found.blocks : null
}
