import { readdir, rm } from 'node:fs/promises'
import { storesAsIs } from '../../../../domain/options/recipes/asIs'
import type { RecipeOf } from '../../../../domain/options/recipes/recipe'
import { said } from '../../../../primitives/said'
import { fileFailure, fsPath, joinPath } from '../../../files/fileSystem'
import { writeNewFile } from '../../../files/write'
import { requireTool } from '../../../tools/externalTool'
import { sevenZip } from '../../../tools/sevenZip'
import { toolMeter } from '../../../tools/toolMeter'
import { asIsWords } from '../asIsWords'
import { sourceBytes, withSourceFolder } from '../buildSource'
import { builtAt } from '../builtPlace'
import { measuredBuild } from '../measuredBuild'
import type { BuildRequest, Built, OptionBuilder } from '../optionBuilder'
import { plainCopyNote } from '../plainCopyNote'
import { tarStream } from '../tarStream'
import { packNames, packStream, type SevenZipWork, sevenZipCommand } from './archive'
import { torrent7zSwitches } from './torrent7zSwitches'

/** 7z has no other encryption. */
export const SEVEN_ZIP_CARRIES_OUT = { encryption: ['aes-256'] } as const

/** One archive in which every file is compressed by itself. */
export const sevenZipFiles: OptionBuilder<'seven-zip-files'> = {
  tool: sevenZip,
  carriesOut: SEVEN_ZIP_CARRIES_OUT,
  build: (request) => packWhole(request, ['-mx=9', '-ms=off'], 'path'),
}

/**
 * One archive that is compressed as one stream, with a dictionary of a chosen size and the files in
 * a chosen order.
 */
export const sevenZipSolid: OptionBuilder<'seven-zip-solid'> = {
  tool: sevenZip,
  carriesOut: SEVEN_ZIP_CARRIES_OUT,
  build(request) {
    const { dictionaryBytes, order } = request.recipe
    return packWhole(request, ['-mx=9', `-md=${dictionaryBytes}b`, '-ms=on'], order)
  },
}

/**
 * torrent7z's archive as today's 7-Zip makes it. Its bytes come from an encoder of its own and are
 * not had again, so its mark at the end is left out.
 */
export const torrent7z: OptionBuilder<'torrent7z'> = {
  tool: sevenZip,
  carriesOut: SEVEN_ZIP_CARRIES_OUT,
  build(request) {
    return packWhole(request, torrent7zSwitches(request.files.map(({ bytes }) => bytes)), 'type')
  },
}

/** Added to what the archive has, each file by itself. */
const COPY: readonly string[] = ['-m0=Copy', '-ms=off']

/**
 * Packs a whole source into one archive. In content order it is a tar file in an archive, because
 * 7-Zip sorts names by itself.
 * @param switches of the method; those of the order are added
 */
async function packWhole(
  request: BuildRequest,
  switches: readonly string[],
  order: RecipeOf<'seven-zip-solid'>['order'],
): Promise<Built> {
  const tool = await requireTool(sevenZip)
  const { signal, scratch, password = null } = request
  const total = sourceBytes(request.files)
  const all = order === 'type' ? [...new Set([...switches, '-mqs=on'])] : switches
  const meter = toolMeter()
  const { figures } = await measuredBuild(request, meter, async () => {
    const work = {
      tool,
      scratch,
      meter,
      signal,
      password,
      onShare: (share: number) => request.onProgress(Math.round(total * share)),
    }
    await builtAt(request.path, '.7z', async (archive) => {
      if (order === 'content') {
        const tar = { ...request, files: await request.contentOrder() }
        if (password === null)
          await packStream({ ...work, folder: scratch }, archive, all, TAR, tarStream(tar))
        else await packTarFile({ ...work, folder: scratch }, archive, all, tar)
      } else {
        const isAsIs = storesAsIs(request.recipe)
        const [packed = [], asIs = []] = [false, true].map((side) =>
          request.files.filter(({ path }) => isAsIs(path) === side),
        )
        const names = [...packed.map(({ path }) => path), ...(await emptyFolders(request))]
        const share = total > 0 ? sourceBytes(packed) / total : 1
        await withSourceFolder(request, async (folder, ofLinks) => {
          const onShare = (done: number): void => work.onShare(done * share)
          if (names.length > 0 || asIs.length === 0)
            await packNames({ ...work, folder, ofLinks, onShare }, archive, all, names)
          if (asIs.length === 0) return
          const onRest = (done: number): void => work.onShare(share + done * (1 - share))
          await packNames(
            { ...work, folder, ofLinks, onShare: onRest, addsTo: names.length > 0 },
            archive,
            COPY,
            asIs.map(({ path }) => path),
          )
        })
      }
    })
  })
  return {
    tool: '7-Zip',
    version: tool.version,
    command: sevenZipCommand(all, sourceOf(order, password), password) + asIsWords(request.recipe),
    ...figures,
    // Encryption begins with random bytes.
    repeatable: password === null,
    notes: order === 'content' ? (password === null ? [] : [plainCopyNote()]) : linksLeftOut(request),
  }
}

const TAR = 'all.tar'

/** The tar file is written first where standard input is the password's. */
async function packTarFile(
  work: SevenZipWork,
  archive: string,
  switches: readonly string[],
  tar: BuildRequest,
): Promise<void> {
  const file = joinPath(work.scratch, TAR)
  const half = (done: number | null): void => tar.onProgress(done && Math.floor(done / 2))
  await writeNewFile(file, tarStream({ ...tar, onProgress: half }), { flush: false, signal: tar.signal })
  const onShare = (share: number): void => work.onShare?.((1 + share) / 2)
  await packNames({ ...work, onShare }, archive, switches, [TAR])
  await rm(fsPath(file))
}

function sourceOf(order: RecipeOf<'seven-zip-solid'>['order'], password: Uint8Array | null): string {
  if (order !== 'content') return '@names'
  return password === null ? `-si${TAR}` : TAR
}

/**
 * 7-Zip keeps links only with attributes, changes their targets, and when unpacking leaves out
 * those it holds to be dangerous.
 */
export function linksLeftOut({ symlinks = [] }: BuildRequest): string[] {
  const links = symlinks.length
  if (links === 0) return []
  return [links === 1 ? said`1 symbolic link is left out` : said`${links} symbolic links are left out`]
}

/** Folders with nothing in them, by their paths. */
async function emptyFolders({ folders = [], files, symlinks = [] }: BuildRequest): Promise<string[]> {
  const full = new Set(
    [...files, ...folders, ...symlinks].map(({ path }) => path.slice(0, path.lastIndexOf('/'))),
  )
  const empty: string[] = []
  for (const { source, path } of folders) {
    if (path === '' || full.has(path)) continue
    try {
      if ((await readdir(fsPath(source), { encoding: 'buffer' })).length === 0) empty.push(path)
    } catch (thrown) {
      throw fileFailure(thrown, 'read', source)
    }
  }
  return empty
}
