import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { type FilePart, protectFiles, type Repair, repairBlocks } from '../native/protection'
import type { DescribedFile, FoundSet } from './par2Reading'

interface BlockOf {
  /** Among the set's blocks. */
  readonly index: number
  /** In the file. */
  readonly offset: number
  readonly bytes: number
}

/** An input block of a set and the bytes of its file in it. */
export interface SetBlock extends BlockOf {
  readonly file: DescribedFile
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
/** Files that are read at once, where all can be read. */
const MOST_AT_ONCE = 512

/**
 * Reads the files of a set in the order of their places, and tells which of its blocks are
 * undamaged.
 * @param placeOf a file's place, as many bytes as are there; null where it is missing
 * @param isRight true for a file whose content is known to be that of the set: it is not read
 * @throws AppError `cancelled`
 */
export async function blockStates(
  set: FoundSet,
  placeOf: (file: DescribedFile) => FilePart | null,
  watch: Watch = {},
  isRight: (file: DescribedFile) => boolean = () => false,
): Promise<BlockStates> {
  const files = set.files.map((file) => {
    const place = placeOf(file)
    return { file, place: place && { ...place, bytes: Math.min(place.bytes, file.bytes) } }
  })
  const toRead = files.filter((one): one is PlacedFile => one.place !== null && !isRight(one.file))
  const checks = await foundChecks(
    set.blockBytes,
    inPlaces(toRead, ({ place }) => place),
    watch,
  )
  const good: BlockStates['good'][number][] = []
  const lost: SetBlock[] = []
  for (const { file, place } of files) {
    const found = checks.get(file)
    for (const block of blocksOf(set.blockBytes, file)) {
      const at = (block.index - file.firstBlock) * CHECK_BYTES
      const isGood = found
        ? file.blocks.subarray(at, at + CHECK_BYTES).equals(found.subarray(at, at + CHECK_BYTES))
        : isRight(file)
      if (place && isGood) good.push({ ...block, file, path: place.path, place: place.offset + block.offset })
      else lost.push({ ...block, file })
    }
  }
  return { good, lost }
}

interface PlacedFile {
  readonly file: DescribedFile
  readonly place: FilePart
}

/** In the order in which they lie on the medium. */
function inPlaces<T>(all: readonly T[], placeOf: (one: T) => Pick<FilePart, 'path' | 'offset'>): T[] {
  return all.toSorted((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)]
    return a.path === b.path ? a.offset - b.offset : a.path < b.path ? -1 : 1
  })
}

/**
 * Calculates the lost blocks, and writes their bytes one after another to a new file.
 * @returns true when each has the digests that the set has of it; false where the recovery blocks
 *   are too few, and then the file is of no use
 * @throws AppError for what cannot be read or written; `verification-failed` for blocks
 *   with other digests than the set's; `cancelled`
 */
export async function repairLost(
  set: FoundSet,
  states: BlockStates,
  repair: Repair,
  watch: Watch = {},
): Promise<boolean> {
  const blocks = {
    blockBytes: set.blockBytes,
    inputs: inPlaces(
      states.good.map(({ index, path, place, bytes }) => ({ index, path, offset: place, bytes })),
      (part) => part,
    ),
    recovery: set.recovery,
    lost: states.lost,
  }
  const checks = await repairBlocks(blocks, repair, watch)
  if (checks === null) return false
  states.lost.forEach(({ index, file }, at) => {
    const start = (index - file.firstBlock) * CHECK_BYTES
    const expected = file.blocks.subarray(start, start + CHECK_BYTES)
    if (!expected.equals(checks.subarray(at * CHECK_BYTES, (at + 1) * CHECK_BYTES)))
      throw new AppError(
        'verification-failed',
        said`a repaired block of ${file.name} has another digest than its set says`,
      )
  })
  return true
}

function blocksOf(blockBytes: number, file: Pick<DescribedFile, 'bytes' | 'firstBlock'>): BlockOf[] {
  const count = Math.ceil(file.bytes / blockBytes)
  return Array.from({ length: count }, (_, at) => {
    const offset = at * blockBytes
    return { index: file.firstBlock + at, offset, bytes: Math.min(blockBytes, file.bytes - offset) }
  })
}

/**
 * The digests of the files' blocks as far as they can be read; those of other blocks are zeros or
 * missing.
 */
async function foundChecks(
  blockBytes: number,
  files: readonly PlacedFile[],
  watch: Watch,
): Promise<Map<DescribedFile, Buffer>> {
  const checks = new Map<DescribedFile, Buffer>()
  let before = 0
  const read = async (parts: readonly FilePart[]): Promise<Buffer | null> => {
    const start = before
    const onBytes = watch.onBytes && ((done: number) => watch.onBytes?.(start + done))
    const none = { blockBytes, exponents: NO_RECOVERY, threads: 1 }
    const firsts = new Float64Array(parts.length)
    const found = await protectFiles(parts, firsts, none, { ...watch, ...(onBytes && { onBytes }) }).catch(
      unlessCancelled,
    )
    return found && Buffer.from(found.blocks)
  }
  for (let from = 0; from < files.length; from += MOST_AT_ONCE) {
    const some = files.slice(from, from + MOST_AT_ONCE)
    const together = await read(some.map(({ place }) => place))
    let at = 0
    for (const { file, place } of some) {
      const blocks = blocksOf(blockBytes, { bytes: place.bytes, firstBlock: 0 })
      const each = async (): Promise<Buffer> => {
        const alone = await read([place])
        if (alone !== null) return alone
        const found: Buffer[] = []
        for (const { offset, bytes } of blocks) {
          const part = { path: place.path, offset: place.offset + offset, bytes }
          found.push((await read([part])) ?? Buffer.alloc(CHECK_BYTES))
        }
        return Buffer.concat(found)
      }
      const end = at + blocks.length * CHECK_BYTES
      checks.set(file, together ? together.subarray(at, end) : await each())
      at = end
      before += place.bytes
    }
  }
  return checks
}

function unlessCancelled(thrown: unknown): null {
  if (thrown instanceof AppError && thrown.code !== 'cancelled') return null
  throw thrown
}
