import { link, rm, stat } from 'node:fs/promises'
import { printRecipe } from '../../../../domain/options/recipes/recipe'
import { said } from '../../../../primitives/said'
import { attempt, fsPath, joinPath } from '../../../files/fileSystem'
import { requireTool } from '../../../tools/externalTool'
import { sevenZip } from '../../../tools/sevenZip'
import { ownMeter, toolMeter, usedInTurn } from '../../../tools/toolMeter'
import { equalFiles } from '../equalFiles'
import { measuredBuild } from '../measuredBuild'
import type { BuildFile, BuildRequest, OptionBuilder } from '../optionBuilder'
import { makeFolder } from '../plainFolder'
import { sevenZipCommand } from './archive'
import { MERGED_SWITCHES, type MergedArchive, mergedArchives, packMerged } from './mergedArchives'
import { linksLeftOut } from './whole'

/** Archives as `sevenZipMerged` makes them; duplicate ones are stored once, as hard links. */
export const linkedArchives: OptionBuilder<'seven-zip-blocks'> = {
  tool: sevenZip,
  refuses: ({ by, blockBytes }) =>
    blockBytes === null
      ? null
      : said`it shows what deduplication would save and cannot be restored; choose ${printRecipe({ family: 'seven-zip-merged', by })}`,
  async build(request) {
    const tool = await requireTool(sevenZip)
    const archives = await mergedArchives(request, request.recipe.by)
    const [packing, own] = [toolMeter(), ownMeter()]
    const meter = { end: () => usedInTurn(packing.end(), own.end()) }
    const { made: linked, figures } = await measuredBuild(request, meter, async () => {
      await makeFolder(request.path)
      await packMerged(request, archives, request.path, { tool, meter: packing })
      return linkEqual(request, await madeFiles(archives, request.path))
    })
    return {
      tool: '7-Zip and Stowage',
      version: tool.version,
      command: `${sevenZipCommand(archives[0]?.switches ?? MERGED_SWITCHES, '@names')}, ${archives.length} archives, then ${linked} duplicates as hard links`,
      ...figures,
      repeatable: true,
      archives,
      notes: linksLeftOut(request),
    }
  },
}

async function madeFiles(archives: readonly MergedArchive[], folder: string): Promise<BuildFile[]> {
  const made: BuildFile[] = []
  for (const { path } of archives) {
    const source = joinPath(folder, path)
    made.push({ source, path, bytes: (await stat(fsPath(source))).size, digest: null })
  }
  return made
}

/** @returns the number of archives that became links */
async function linkEqual({ signal }: BuildRequest, made: readonly BuildFile[]): Promise<number> {
  const equal = await equalFiles(made, signal)
  for (const [index, first] of equal) {
    const [from, to] = [made[first]?.source ?? '', made[index]?.source ?? '']
    await attempt('write', to, async () => {
      await rm(fsPath(to))
      await link(fsPath(from), fsPath(to))
    })
  }
  return equal.size
}
