import { CHUNKERS, cutRuleOf } from '../../domain/survey/chunkers'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { cutsInRunsNumber } from './chunkerNumbers'
import type { BlockLevel, ChunkLevel, DrawLevel, FileLevel } from './levels'
import { loadAddon, type RawUnion } from './loadAddon'

/** In a file map: the file is gone. */
export const GONE_FILE = 0xffffffff

export interface SketchInput {
  /** Absolute, in lossless text. */
  readonly path: string
  /**
   * The new number of each file, GONE_FILE for one that is to be taken out, as is every one beyond
   * the end of the map. Null: all are kept, under new numbers beyond all others (see
   * `NativeUnion.offsets`). No two files may get one number.
   */
  readonly fileMap: Uint32Array | null
}

export interface NativeUnion {
  readonly blockLevels: BlockLevel[]
  readonly chunkLevels: ChunkLevel[]
  readonly files: FileLevel
  /**
   * A content that more than eight files of an input had can no longer be taken out of it. If more
   * than eight were taken out, each level's unique bytes (block sizes, chunkers, whole files, in
   * this order) are too high by at most this / theta.
   */
  readonly unattributedBytes: readonly number[]
  /** For each input without a map: what was added to its numbers. */
  readonly offsets: Uint32Array
}

/**
 * The union of sketches that `NativeSurvey.saveSketch` or this function wrote, off this thread. The
 * counts of blocks, chunks and bytes are exact. What is unique is estimated from what the sketches
 * kept: as one survey of all these files together would, and exact if every sketch has all of a
 * level's contents and they fit the largest one's memory.
 * @param options.out where the union is written as a sketch (a temporary file is renamed); it may
 *   be one of the inputs
 * @throws AppError `bad-input` for a sketch that is damaged, foreign, or was made with other
 *   block sizes or chunkers than the first; `io` if `out` cannot be written. Each names the file
 *   and the cause.
 */
export async function mergeSketches(
  inputs: readonly SketchInput[],
  options: { readonly out?: string } = {},
): Promise<NativeUnion> {
  const union = await loadAddon().mergeSketches(
    inputs.map((input) => pathToBytes(input.path)),
    inputs.map((input) => input.fileMap),
    options.out === undefined ? null : pathToBytes(options.out),
  )
  if (union.failure !== null) {
    const { input, cause } = union.failure
    const read = inputs[input]
    if (read)
      throw new AppError('bad-input', said`cannot read the sketch ${pathForDisplay(read.path)}: ${cause}`)
    if (options.out === undefined || input > inputs.length)
      throw new AppError('bad-input', said`cannot merge the sketches: ${cause}`)
    throw new AppError('io', said`cannot write the sketch ${pathForDisplay(options.out)}: ${cause}`)
  }
  return {
    blockLevels: union.blockLevels,
    chunkLevels: drawsTogether(union),
    files: union.files,
    unattributedBytes: union.unattributedBytes,
    offsets: union.offsets,
  }
}

type Profile = RawUnion['profiles'][number]

/** The draws of one chunker are consecutive and have the same name. */
function drawsTogether({ profiles, chunkLevels }: RawUnion): ChunkLevel[] {
  const together: (ChunkLevel & { otherDraws: DrawLevel[] })[] = []
  for (const [index, profile] of profiles.entries()) {
    const chunker = chunkerName(profile)
    const level = chunkLevels[index] as DrawLevel
    const last = together.at(-1)
    if (last?.chunker === chunker) last.otherDraws.push(level)
    else together.push({ chunker, ...level, otherDraws: [] })
  }
  return together
}

/** A sketch has the limits of a chunker, not its name. */
function chunkerName(profile: Profile): string {
  const found = CHUNKERS.find((chunker) => {
    const rule = cutRuleOf(chunker)
    return (
      rule.minBytes === profile.minBytes &&
      rule.normalBytes === profile.normalBytes &&
      rule.maxBytes === profile.maxBytes &&
      limitOf(rule.oddsBefore) === profile.limitBefore &&
      limitOf(rule.oddsAfter) === profile.limitAfter &&
      cutsInRunsNumber(chunker) === profile.runs &&
      (chunker.window === 'long') === profile.longWindow
    )
  })
  if (!found)
    throw new AppError('bad-input', said`cannot name the chunkers of a sketch: they are not in the registry`)
  return found.name
}

/** The addon's own rounding of "one in so many". */
function limitOf(odds: number): bigint {
  return BigInt(Math.trunc((1 / odds) * 2 ** 64))
}
