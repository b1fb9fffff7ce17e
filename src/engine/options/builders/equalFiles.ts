import { createHash } from 'node:crypto'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { BuildFile } from './optionBuilder'
import { beginningOf, contentThrough } from './sourceContent'

const BUFFER_BYTES = 1024 * 1024
/**
 * Files of one size that differ mostly differ here, and pictures of one camera are often of one
 * size.
 */
const BEGINNING_BYTES = 16 * 1024

/**
 * For each file that has the content of an earlier one: which one. By their digests where all of a
 * size have one, else by the SHA-256 of what they hold now; only files of one size are read, and
 * whole only those that begin alike. Empty files are all different.
 * @throws AppError `changed`, `vanished`, `cancelled`
 */
export async function equalFiles(
  files: readonly Compared[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const sizes = Map.groupBy(files.keys(), (index) => files[index]?.bytes ?? 0)
  const equal = new Map<number, number>()
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  for (const [bytes, indices] of sizes) {
    if (bytes === 0 || indices.length === 1) continue
    const of = (index: number): Compared => files[index] as Compared
    let same: number[][]
    if (indices.every((index) => of(index).digest != null)) {
      same = await split(indices, (index) => of(index).digest as string)
    } else {
      const whole = (index: number) => digestOf(buffer, of(index).source, bytes, signal)
      const beginning = (index: number) => beginningDigest(buffer, of(index).source, signal)
      const alike = bytes > BEGINNING_BYTES ? await split(indices, beginning) : [indices]
      same = []
      for (const some of alike) same.push(...(await split(some, whole)))
    }
    for (const [first, ...others] of same) for (const other of others) equal.set(other, first as number)
  }
  return equal
}

type Compared = Pick<BuildFile, 'source' | 'bytes' | 'digest'>

/** Those that have the same key, in their order, where there are several. */
async function split(
  indices: readonly number[],
  keyOf: (index: number) => string | Promise<string>,
): Promise<number[][]> {
  const keys = new Map<number, string>()
  for (const index of indices) keys.set(index, await keyOf(index))
  return [...Map.groupBy(indices, (index) => keys.get(index)).values()].filter(({ length }) => length > 1)
}

async function digestOf(buffer: Buffer, source: string, bytes: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of contentThrough(buffer, source, bytes, signal)) hash.update(piece)
  return hash.digest('hex')
}

async function beginningDigest(buffer: Buffer, source: string, signal: AbortSignal): Promise<string> {
  throwIfAborted(signal)
  const content = await beginningOf(source, buffer.subarray(0, BEGINNING_BYTES))
  return createHash('sha256').update(content).digest('hex')
}
