import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { fsPath } from '../files/fileSystem'
import { type FilePart, protectFiles, repairBlocks } from '../native/protection'
import type { DescribedFile, FoundSet } from './par2Reading'

/** An input block of a set and the bytes of its file in it. */
export interface SetBlock {
  readonly index: number
  readonly file: DescribedFile
  /** In the file. */
  readonly offset: number
  readonly bytes: number
}

/** The blocks of a set: those that were read and have their digests, and all others. */
export interface BlockStates {
  readonly good: readonly (SetBlock & { readonly path: string; readonly place: number })[]
  readonly lost: readonly SetBlock[]
}

interface Watch {
  readonly signal?: AbortSignal
  readonly onBytes?: (done: number) => void
}

const CHECK_BYTES = 20
const NO_RECOVERY = new Uint16Array()

/**
 * Reads the files of a set and tells which of its blocks are undamaged.
 * @param placeOf a file's place, as many bytes as are there; null where it is missing
 * @throws AppError `cancelled`
 */
export async function blockStates(
  set: FoundSet,
  placeOf: (file: DescribedFile) => FilePart | null,
  watch: Watch = {},
): Promise<BlockStates> {
  const good: BlockStates['good'][number][] = []
  const lost: SetBlock[] = []
  let before = 0
  for (const file of set.files) {
    const place = placeOf(file)
    const start = before
    const onBytes = watch.onBytes && ((done: number) => watch.onBytes?.(start + done))
    const found = place && (await foundChecks(set, file, place, { ...watch, ...(onBytes && { onBytes }) }))
    for (const block of blocksOf(set, file)) {
      const at = (block.index - file.firstBlock) * CHECK_BYTES
      const expected = file.blocks.subarray(at, at + CHECK_BYTES)
      if (place && found && expected.equals(found.subarray(at, at + CHECK_BYTES)))
        good.push({ ...block, path: place.path, place: place.offset + block.offset })
      else lost.push(block)
    }
    before += file.bytes
  }
  return { good, lost }
}

/**
 * Calculates the lost blocks, and writes their bytes one after another to a new file.
 * @returns true when each has the digests that the set has of it; false where the recovery blocks
 *   are too few, and then the file is of no use
 * @throws AppError for what cannot be read or written; `internal` for blocks with other digests
 *   than the set's; `cancelled`
 */
export async function repairLost(
  set: FoundSet,
  states: BlockStates,
  repair: { readonly output: string; readonly threads: number },
  watch: Watch = {},
): Promise<boolean> {
  const blocks = {
    blockBytes: set.blockBytes,
    inputs: states.good.map(({ index, path, place, bytes }) => ({ index, path, offset: place, bytes })),
    recovery: set.recovery,
    lost: states.lost,
  }
  const output = await open(fsPath(repair.output), 'wx')
  try {
    const checks = await repairBlocks(blocks, { fd: output.fd, path: repair.output }, repair.threads, watch)
    if (checks === null) return false
    states.lost.forEach(({ index, file }, at) => {
      const start = (index - file.firstBlock) * CHECK_BYTES
      const expected = file.blocks.subarray(start, start + CHECK_BYTES)
      if (!expected.equals(checks.subarray(at * CHECK_BYTES, (at + 1) * CHECK_BYTES)))
        throw new AppError(
          'internal',
          said`a repaired block of ${file.name} has another digest than its set says`,
        )
    })
    await output.sync()
    return true
  } finally {
    await output.close()
  }
}

function blocksOf(set: FoundSet, file: DescribedFile): SetBlock[] {
  const count = Math.ceil(file.bytes / set.blockBytes)
  return Array.from({ length: count }, (_, at) => {
    const offset = at * set.blockBytes
    return {
      index: file.firstBlock + at,
      file,
      offset,
      bytes: Math.min(set.blockBytes, file.bytes - offset),
    }
  })
}

/** The digests of a file's blocks as far as they can be read; those of other blocks are zeros. */
async function foundChecks(
  set: FoundSet,
  file: DescribedFile,
  place: FilePart,
  watch: Watch,
): Promise<Buffer> {
  const bytes = Math.min(place.bytes, file.bytes)
  const read = async (part: FilePart): Promise<Buffer | null> => {
    const none = { blockBytes: set.blockBytes, exponents: NO_RECOVERY, threads: 1 }
    const found = await protectFiles([part], Float64Array.of(0), none, watch).catch(unlessCancelled)
    return found && Buffer.from(found.blocks)
  }
  const whole = await read({ ...place, bytes })
  if (whole !== null) return whole
  const checks: Buffer[] = []
  for (const block of blocksOf(set, { ...file, bytes })) {
    const part = { path: place.path, offset: place.offset + block.offset, bytes: block.bytes }
    checks.push((await read(part)) ?? Buffer.alloc(CHECK_BYTES))
  }
  return Buffer.concat(checks)
}

function unlessCancelled(thrown: unknown): null {
  if (thrown instanceof AppError && thrown.code !== 'cancelled') return null
  throw thrown
}
