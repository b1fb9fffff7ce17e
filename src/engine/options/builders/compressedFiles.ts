import { lstatSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { storesAsIs } from '../../../domain/options/recipes/asIs'
import type { RecipeOf } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { compressed, compressedWhole, type FileCodec } from '../../codecs/compressStream'
import { findGzip } from '../../codecs/gzipSizes'
import { attempt, attemptAtOnce, fsPath, joinPath } from '../../files/fileSystem'
import { inSlices } from '../../files/sourceCheck'
import { writeNewFile, writeNewFileAtOnce } from '../../files/write'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { runTool } from '../../tools/runTool'
import { ownMeter, toolMeter, usedInTurn } from '../../tools/toolMeter'
import { asIsWords } from './asIsWords'
import { sourceBytes } from './buildSource'
import { gzipFiles, gzipTakes } from './gzipLinks'
import { measuredBuild } from './measuredBuild'
import type { BuildFile, BuildRequest, OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { makeFolder } from './plainFolder'
import { contentOf, contentThrough, PIECE_BYTES, wholeContent } from './sourceContent'

const CODECS: Readonly<
  Record<RecipeOf<'compressed-files'>['codec'], { readonly codec: FileCodec; readonly ending: string }>
> = {
  'gzip-6': { codec: { kind: 'gzip', level: 6 }, ending: '.gz' },
  'gzip-9': { codec: { kind: 'gzip', level: 9 }, ending: '.gz' },
  'zstd-3': { codec: { kind: 'zstd', level: 3 }, ending: '.zst' },
  'zstd-19': { codec: { kind: 'zstd', level: 19 }, ending: '.zst' },
  lz4: { codec: { kind: 'lz4' }, ending: '.lz4' },
}

/** The path of each file below the result: with an ending unless it is stored as it is. */
export function compressedPath(recipe: RecipeOf<'compressed-files'>): (path: string) => string {
  const { ending } = CODECS[recipe.codec]
  const isAsIs = storesAsIs(recipe)
  return (path) => (isAsIs(path) ? path : path + ending)
}

/**
 * Files that are compressed at the same time: as many as Node has threads for such work, or the
 * machine cores.
 */
const FILES_AT_ONCE = Math.min(4, availableParallelism())

/**
 * Every file compressed by itself, in the folders of the source. gzip's files are made by the gzip
 * of this machine where there is one, for that is what people have and its sizes differ by some
 * percent from those of Node's deflate.
 */
export const compressedFiles: OptionBuilder<'compressed-files'> = {
  tool: null,
  async build(request) {
    const { codec } = CODECS[request.recipe.codec]
    const pathOf = compressedPath(request.recipe)
    const isAsIs = storesAsIs(request.recipe)
    const [asIs = [], packed = []] = [true, false].map((side) =>
      request.files.filter(({ path }) => isAsIs(path) === side),
    )
    const gzip = codec.kind === 'gzip' ? await findGzip() : null
    const [tools, own] = [toolMeter(), ownMeter()]
    const meter = {
      end: () => (gzip === null ? own.end() : usedInTurn(tools.end(), { ramBytes: 0, cpuSeconds: 0 })),
    }
    const { figures } = await measuredBuild(request, meter, async () => {
      await makeFolders(request)
      const [byTool, rest] = gzip === null ? [[], packed] : await takenByGzip(packed, request.signal)
      if (gzip !== null && codec.kind === 'gzip') {
        const run = {
          program: gzip,
          level: codec.level,
          atOnce: FILES_AT_ONCE,
          meter: tools,
          signal: request.signal,
        }
        request.onProgress(null)
        await gzipFiles(run, byTool, request.path)
      }
      const work = { request, codec, pathOf }
      await compressAll(work, rest, sourceBytes(byTool))
      await copyAll(request, asIs, sourceBytes(packed))
      for (const { target, path } of request.symlinks ?? []) {
        await attempt(
          'write',
          joinPath(request.path, path),
          symlink(fsPath(target), fsPath(joinPath(request.path, path))),
        )
      }
    }).finally(() => [tools.end(), own.end()])
    const level = codec.kind === 'lz4' ? '' : ` -${codec.level}`
    const named = gzip === null ? OWN_TOOL : { tool: 'gzip', version: await gzipVersion(gzip) }
    return {
      ...named,
      command: `${codec.kind}${level}, each file by itself${asIsWords(request.recipe)}`,
      ...figures,
      repeatable: true,
      archives: request.files.map(({ path }) => ({ path: pathOf(path), files: [{ path, name: path }] })),
      notes: request.symlinks?.length ? [said`symbolic links lead to the names without the new ending`] : [],
    }
  },
}

/** The files that gzip compresses, and the others. */
async function takenByGzip(
  files: readonly BuildFile[],
  signal: AbortSignal,
): Promise<[BuildFile[], BuildFile[]]> {
  const [taken, others]: [BuildFile[], BuildFile[]] = [[], []]
  await inSlices(files, signal, (file) => {
    const facts = attemptAtOnce('read', file.source, () => lstatSync(fsPath(file.source)))
    ;(gzipTakes(file.path, facts) ? taken : others).push(file)
  })
  return [taken, others]
}

async function makeFolders({ files, folders = [], symlinks = [], path }: BuildRequest): Promise<void> {
  await makeFolder(path)
  const above = [...files, ...symlinks].map((entry) =>
    entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/'))),
  )
  for (const folder of new Set([...folders.map((entry) => entry.path), ...above])) {
    if (folder === '') continue
    await attempt(
      'make the folder',
      joinPath(path, folder),
      mkdir(fsPath(joinPath(path, folder)), { recursive: true }),
    )
  }
}

/** Short files are waited for more than worked at. */
const SHORT_AT_ONCE = 8

interface Compressing {
  readonly request: BuildRequest
  readonly codec: FileCodec
  /** The path of each file below the result. */
  readonly pathOf: (path: string) => string
}

/** Some files at a time, the short ones first; the first failure stops all. */
async function compressAll(
  { request, codec, pathOf }: Compressing,
  files: readonly BuildFile[],
  bytesBefore: number,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const short = files.filter(({ bytes }) => bytes <= PIECE_BYTES).values()
  const long = files.filter(({ bytes }) => bytes > PIECE_BYTES).values()
  let done = bytesBefore
  const counted = async function* (file: BuildFile, buffer: Buffer): AsyncGenerator<Uint8Array, void, void> {
    const { source, bytes, digest } = file
    for await (const piece of contentThrough(buffer, source, bytes, signal, digest)) {
      yield piece
      request.onProgress((done += piece.length))
    }
  }
  const targetOf = ({ path }: BuildFile): string => joinPath(request.path, pathOf(path))
  /** A stream costs more than a short file's few bytes, and leaves more behind. */
  const compressShort = async (): Promise<void> => {
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES + 1)
    for (const file of short) {
      throwIfAborted(signal)
      const content = await wholeContent(file.source, file.bytes, buffer, file.digest)
      writeNewFileAtOnce(targetOf(file), await compressedWhole(codec, content, file.path))
      request.onProgress((done += file.bytes))
    }
  }
  const compressLong = async (): Promise<void> => {
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (const file of long) {
      throwIfAborted(signal)
      const packed = compressed(codec, counted(file, buffer), file.path, file.bytes)
      await writeNewFile(targetOf(file), packed, { flush: false, signal })
    }
  }
  const atOnce = (count: number, work: () => Promise<void>): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(
      Array.from({ length: count }, () =>
        work().catch((thrown: unknown) => {
          stop.abort()
          throw thrown
        }),
      ),
    )
  const ends = [
    ...(await atOnce(SHORT_AT_ONCE, compressShort)),
    ...(await atOnce(FILES_AT_ONCE, compressLong)),
  ]
  const failed = ends.filter((end) => end.status === 'rejected')
  throwIfAborted(request.signal)
  const real =
    failed.find(({ reason }) => !(reason instanceof AppError && reason.code === 'cancelled')) ?? failed[0]
  if (real) throw real.reason
}

/** The files that are stored as they are, one after the other. */
async function copyAll(
  { path: to, signal, onProgress }: BuildRequest,
  files: readonly BuildFile[],
  bytesBefore: number,
): Promise<void> {
  let done = bytesBefore
  const counted = async function* (file: BuildFile): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of contentOf(file.source, file.bytes, signal, file.digest)) {
      yield piece
      onProgress((done += piece.length))
    }
  }
  for (const file of files) {
    throwIfAborted(signal)
    await writeNewFile(joinPath(to, file.path), counted(file), { flush: false, signal })
  }
}

async function gzipVersion(program: string): Promise<string> {
  const { output } = await runTool(program, ['--version'])
  return /(\d+(?:\.\d+)+)/.exec(output)?.[1] ?? 'unknown'
}
