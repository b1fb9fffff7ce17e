import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Compiles the library that lets reads of one file fail; see badSectors.c. @param inside a folder of the test's own */
export function badSectors(inside: string): {
  /** What a command needs in its environment so that it cannot read these bytes of a file. */
  env(
    file: string,
    ranges: readonly (readonly [offset: number, bytes: number])[],
    options?: { readonly noDirect?: boolean },
  ): Record<string, string>
} {
  const library = join(inside, 'badSectors.so')
  const source = join(import.meta.dirname, 'badSectors.c')
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  return {
    env: (file, ranges, { noDirect = false } = {}) => ({
      LD_PRELOAD: library,
      BAD_FILE: realpathSync(file),
      BAD_BYTES: ranges.map(([offset, bytes]) => `${offset}+${bytes}`).join(','),
      ...(noDirect ? { BAD_DIRECT: '1' } : {}),
    }),
  }
}
