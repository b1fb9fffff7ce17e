import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildRequest, Built } from '../../src/engine/options/builders/optionBuilder'
import { builderOf } from '../../src/engine/options/builders/registry'
import { AppError } from '../../src/primitives/appError'
import { seededRandom } from '../../src/primitives/seededRandom'
import { requestFor } from './buildSource'

/** A folder with a source to build from, gone after `dispose`. */
export interface BuildPlace {
  readonly folder: string
  readonly source: string
  /** Builds a variant from the source, or from other roots. */
  build(variant: string, more?: Partial<BuildRequest>, roots?: readonly string[]): Promise<BuiltThere>
  dispose(): void
}

export interface BuiltThere {
  readonly built: Built
  readonly path: string
  readonly scratch: string
}

export function buildPlace(): BuildPlace {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-build-'))
  const source = join(folder, 'source')
  mkdirSync(source)
  return {
    folder,
    source,
    async build(variant, more = {}, roots = [source]) {
      const request = requestFor(roots, folder, variant, more)
      return { built: await builtFrom(request), path: request.path, scratch: request.scratch }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Builds a request with the builder of its recipe. */
export function builtFrom(request: BuildRequest): Promise<Built> {
  const builder = builderOf(request.recipe)
  if (typeof builder === 'string') throw new Error(`no builder for ${request.recipe.family}: ${builder}`)
  return builder.build(request)
}

/** Text that compresses, the same for the same seed. */
export function wordsOf(seed: number, bytes: number): string {
  const random = seededRandom(seed)
  const vocabulary = Array.from({ length: 2000 }, () => random.below(2 ** 40).toString(36))
  let text = ''
  while (text.length < bytes) text += `${vocabulary[Math.floor(2000 * random.unit() ** 2)]} `
  return text.slice(0, bytes)
}

/** Titles with versions in two folders, some of them equal, and clones that stand apart. */
export function makeTitles(source: string): void {
  for (const folder of ['good', 'other']) {
    mkdirSync(join(source, folder))
    for (let title = 0; title < 3; title++) {
      const own = folder === 'good' || title < 2 ? title : title + 100
      const text = wordsOf(own, 30_000)
      writeFileSync(join(source, folder, `Title ${title} (E).rom`), text)
      writeFileSync(
        join(source, folder, `Title ${title} (U) [!].rom`),
        `${text.slice(0, 20_000)}changed${text.slice(20_000)}`,
      )
    }
  }
}

/** All files below a folder by name, as bytes. */
export function bytesBelow(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    names.map((entry) => {
      const at = join(entry.parentPath, entry.name)
      return [at.slice(path.length), readFileSync(at, 'latin1')]
    }),
  )
}

/** A variant of each shape that is built in a test's time. */
export const BUILT = [
  'plain',
  'plain-hardlinks',
  'iso',
  'udzo',
  'files-gzip-9',
  'files-zstd-19',
  'files-lz4',
  '7z-files',
  '7z-solid-4m-type',
  '7z-solid-4m-content',
  '7z-t7z',
  '7z-titles',
  '7z-titles+files',
  'tar-zst-19-4m-path',
  'squashfs-gzip-1m',
]

/** Bytes that do not compress, the same for the same seed. */
export function writeNoise(folder: string, name: string, bytes: number, seed = 1): void {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  writeFileSync(join(folder, name), content)
}

export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (thrown instanceof AppError) return thrown
  throw thrown instanceof Error ? thrown : new Error('it did not fail')
}
