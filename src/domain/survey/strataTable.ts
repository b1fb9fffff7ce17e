import { type StratumTotal, stratumKey } from '../statistics/strata'
import { classOfFile } from './fileClass'
import { extensionOf } from './typeTable'

/** Counts files by stratum; made for millions of calls. */
interface StrataTable {
  /** `path` is a name or a path as bytes. Hard links and symbolic links are not to be added. */
  add(path: Uint8Array, bytes: number): void
  totals(): StratumTotal[]
}

const SLASH = 0x2f

/** A table of nothing yet. */
export function strataTable(): StrataTable {
  const counts = new Map<string, { files: number; bytes: number; nameBytes: number }>()
  return {
    add(path, bytes) {
      const key = stratumOfFile(path, bytes)
      const count = counts.get(key) ?? { files: 0, bytes: 0, nameBytes: 0 }
      counts.set(key, count)
      count.files++
      count.bytes += bytes
      count.nameBytes += path.length - path.lastIndexOf(SLASH) - 1
    },
    totals: () => [...counts].map(([key, { files, bytes, nameBytes }]) => ({ key, files, bytes, nameBytes })),
  }
}

/** The stratum that a file is counted in. */
export function stratumOfFile(path: Uint8Array, fileBytes: number): string {
  return stratumKey(classOfFile(extensionOf(path), fileBytes), fileBytes)
}
