import { mkdir } from 'node:fs/promises'
import type { RecipeOf } from '../../../../domain/options/recipes/recipe'
import { attempt, fsPath, joinPath } from '../../../files/fileSystem'
import { folderOf } from '../../../files/write'
import { throwIfAborted } from '../../../jobs/throwIfAborted'
import { ownMeter } from '../../../tools/toolMeter'
import { measuredBuild } from '../measuredBuild'
import type { BuildFile, BuildRequest, OptionBuilder } from '../optionBuilder'
import { OWN_TOOL } from '../ownTool'
import { makeFolder } from '../plainFolder'
import { groupsOf, type MergedArchive, titleArchives, zipArchives } from '../sevenZip/mergedArchives'
import { linksLeftOut } from '../sevenZip/whole'
import { requireZipNames, writeTorrentZip } from './torrentZipFile'

const ARCHIVES: Readonly<
  Record<RecipeOf<'torrentzip'>['by'], (request: BuildRequest) => Promise<MergedArchive[]>>
> = {
  titles: async (request) => titleArchives(request, '.zip'),
  dat: async (request) => zipArchives(await groupsOf(request, 'dat'), request),
  sets: async (request) => zipArchives(await groupsOf(request, 'sets'), request),
}

/**
 * A zip for each title, each parent with its clones or each ROM set, as TorrentZip has them. Names
 * inside begin at the deepest folder that all files of an archive are in, so that they do not
 * depend on the place of the collection.
 */
export const torrentZips: OptionBuilder<'torrentzip'> = {
  tool: null,
  async build(request) {
    const archives = await ARCHIVES[request.recipe.by](request)
    requireZipNames(archives.flatMap(({ files }) => files.map(({ name }) => name)))
    const { figures } = await measuredBuild(request, ownMeter(), async () => {
      await makeFolder(request.path)
      await writeAll(request, archives)
    })
    return {
      ...OWN_TOOL,
      command: `deflate -9 (zlib 1.1.3), ${archives.length} TorrentZips`,
      ...figures,
      repeatable: true,
      archives,
      notes: linksLeftOut(request),
    }
  },
}

async function writeAll(request: BuildRequest, archives: readonly MergedArchive[]): Promise<void> {
  const { signal } = request
  const sources = new Map(request.files.map((file) => [file.path, file]))
  let done = 0
  for (const { path, files } of archives) {
    throwIfAborted(signal)
    const target = joinPath(request.path, path)
    const above = folderOf(target)
    await attempt('make the folder', above, mkdir(fsPath(above), { recursive: true }))
    const members = files.map((one) => ({ name: one.name, file: sources.get(one.path) as BuildFile }))
    await writeTorrentZip(target, members, {
      signal,
      onBytes: (bytes) => request.onProgress((done += bytes)),
    })
  }
}
