import { open } from 'node:fs/promises'
import { fsPath } from '../../src/engine/files/fileSystem'
import { writeNewFile } from '../../src/engine/files/write'
import { finishedWork } from '../../src/engine/native/nativeWork'
import { md5Ranges, protectFiles } from '../../src/engine/native/protection'
import { type Par2File, par2Set, recoveryHeads, START_BYTES } from '../../src/engine/protection/par2Packets'
import { firstBlocks, type SetFile } from '../../src/engine/protection/par2Set'
import { AppError } from '../../src/primitives/appError'
import { pathForDisplay } from '../../src/primitives/pathText'

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
      throw new AppError('changed', `cannot protect ${pathForDisplay(file.path)}: its content has changed`)
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
    if (cancelled) throw new AppError('cancelled', `making recovery data was cancelled`)
    if (error !== null)
      throw new AppError(error.code, `cannot write ${pathForDisplay(set.recovery)}: ${error.cause}`)
    await output.sync()
  } finally {
    await output.close()
  }
}
