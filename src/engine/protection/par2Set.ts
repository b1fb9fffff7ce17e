import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fsPath } from '../files/fileSystem'
import { writeNewFile } from '../files/write'
import { finishedWork } from '../native/nativeWork'
import { type FilePart, md5Ranges, protectFiles } from '../native/protection'
import {
  compareIdentities,
  type Par2File,
  par2Identity,
  par2Set,
  recoveryHeads,
  START_BYTES,
} from './par2Packets'

/** A file of a set: where it is read, and its name in the set. */
export interface SetFile extends FilePart {
  /** Below the folder that the set lies in, with `/`. */
  readonly name: string
}

interface SetToMake {
  /** None empty, in the order in which they are read. */
  readonly files: readonly SetFile[]
  readonly blockBytes: number
  readonly recoveryBlocks: number
  readonly threads: number
  /** The places of its two files: the description, and that with the recovery blocks. */
  readonly index: string
  readonly recovery: string
}

/**
 * Makes a PAR2 set of files that are read once, after their first 16 KiB, on which the order of
 * blocks depends.
 * @throws AppError naming a file that cannot be read or has changed meanwhile, or for the two that
 *   are made, which the caller removes then; `cancelled`
 */
export async function makePar2Set(
  set: SetToMake,
  watch: { readonly signal?: AbortSignal; readonly onBytes?: (done: number) => void } = {},
): Promise<void> {
  const { files, blockBytes } = set
  const starts = await md5Ranges(
    files.map(({ path, offset, bytes }) => ({ path, offset, bytes: Math.min(bytes, START_BYTES) })),
    watch.signal && { signal: watch.signal },
  )
  const startOf = (at: number): Uint8Array => starts.subarray(16 * at, 16 * at + 16)
  const exponents = Uint16Array.from({ length: set.recoveryBlocks }, (_, at) => at)
  const found = await protectFiles(
    files,
    firstBlocks(files, startOf, blockBytes),
    { blockBytes, exponents, threads: set.threads },
    watch,
  )
  let block = 0
  const described = files.map((file, at): Par2File => {
    const digests = found.files.subarray(32 * at, 32 * at + 32)
    const md5OfStart = digests.subarray(16)
    if (!Buffer.from(md5OfStart).equals(startOf(at)))
      throw new AppError(
        'changed',
        said`cannot protect ${pathForDisplay(file.path)}: its content has changed`,
      )
    const end = block + Math.ceil(file.bytes / blockBytes)
    const blocks = found.blocks.subarray(20 * block, 20 * end)
    block = end
    return { name: file.name, bytes: file.bytes, md5: digests.subarray(0, 16), md5OfStart, blocks }
  })
  const { identity, described: packets } = par2Set(blockBytes, described)
  await writeNewFile(set.index, [packets], watch)
  const output = await open(fsPath(set.recovery), 'wx')
  try {
    const heads = recoveryHeads(identity, blockBytes, exponents)
    // Both ends have the description: each is of use where the other cannot be read.
    const writing = found.writeRecovery(output.fd, heads, packets)
    const { cancelled, error } = await finishedWork(writing, watch.signal)
    if (cancelled) throw new AppError('cancelled', said`making recovery data was cancelled`)
    if (error !== null)
      throw new AppError(error.code, said`cannot write ${pathForDisplay(set.recovery)}: ${error.cause}`)
    await output.sync()
  } finally {
    await output.close()
  }
}

/** The index of each file's first block, in the order of the identities. */
export function firstBlocks(
  files: readonly Pick<SetFile, 'name' | 'bytes'>[],
  startOf: (at: number) => Uint8Array,
  blockBytes: number,
): Float64Array {
  const ordered = files
    .map((file, at) => ({ at, identity: par2Identity({ ...file, md5OfStart: startOf(at) }) }))
    .toSorted((one, other) => compareIdentities(one.identity, other.identity))
  const first = new Float64Array(files.length)
  let block = 0
  for (const { at } of ordered) {
    first[at] = block
    block += Math.ceil((files[at] as Pick<SetFile, 'bytes'>).bytes / blockBytes)
  }
  return first
}
