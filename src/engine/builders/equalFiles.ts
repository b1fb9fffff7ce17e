import { createHash } from 'node:crypto'
import type { BuildFile } from './optionBuilder'
import { contentThrough } from './sourceContent'

const BUFFER_BYTES = 1024 * 1024

/**
 * For each file that has the content of an earlier one: which one. By their digests where all of a size have one, else by the SHA-256
 * of what they hold now; only files of one size are read. Empty files are all different.
 * @throws AppError `changed`, `vanished`, `cancelled`
 */
export async function equalFiles(
  files: readonly Pick<BuildFile, 'source' | 'bytes' | 'digest'>[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number[]>()
  for (const [index, { bytes }] of files.entries()) {
    const same = sizes.get(bytes)
    if (same) same.push(index)
    else sizes.set(bytes, [index])
  }
  const equal = new Map<number, number>()
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  for (const [bytes, indices] of sizes) {
    if (bytes === 0 || indices.length === 1) continue
    const isKnown = indices.every((index) => files[index]?.digest != null)
    const firsts = new Map<string, number>()
    for (const index of indices) {
      const { source, digest } = files[index] as BuildFile
      const content = isKnown ? (digest as string) : await digestOf(buffer, source, bytes, signal)
      const first = firsts.get(content)
      if (first === undefined) firsts.set(content, index)
      else equal.set(index, first)
    }
  }
  return equal
}

async function digestOf(buffer: Buffer, source: string, bytes: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of contentThrough(buffer, source, bytes, signal)) hash.update(piece)
  return hash.digest('hex')
}
