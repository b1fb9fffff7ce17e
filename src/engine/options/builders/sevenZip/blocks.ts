import { link, rm, stat } from 'node:fs/promises'
import { attempt, fsPath, joinPath } from '../../../files/fileSystem'
import { requireTool } from '../../../tools/externalTool'
import { sevenZip } from '../../../tools/sevenZip'
import { ownMeter, toolMeter, usedInTurn } from '../../../tools/toolMeter'
import { writeBlocks } from '../blockStore'
import { equalFiles } from '../equalFiles'
import { measuredBuild } from '../measuredBuild'
import type { BuildFile, BuildRequest, OptionBuilder } from '../optionBuilder'
import { makeFolder } from '../plainFolder'
import { sevenZipCommand } from './archive'
import { MERGED_SWITCHES, type MergedArchive, packMerged, titleArchives } from './mergedArchives'
import { linksLeftOut } from './whole'

/** Archives of titles of which what is equal is stored once: whole archives (as hard links), or their blocks in a store. */
export const sevenZipBlocks: OptionBuilder<'seven-zip-blocks'> = {
  tool: sevenZip,
  async build(request) {
    const tool = await requireTool(sevenZip)
    const { blockBytes } = request.recipe
    const archives = titleArchives(request)
    const [packing, own] = [toolMeter(), ownMeter()]
    const meter = { end: () => usedInTurn(packing.end(), own.end()) }
    const { made: what, figures } = await measuredBuild(request, meter, async () => {
      const folder = blockBytes === null ? request.path : joinPath(request.scratch, 'archives')
      await makeFolder(request.path)
      if (folder !== request.path) await makeFolder(folder)
      await packMerged(request, archives, folder, { tool, meter: packing })
      const made = await madeFiles(archives, folder)
      return blockBytes === null ? linkEqual(request, made) : storeBlocks(request, made, blockBytes, folder)
    })
    return {
      tool: '7-Zip and Stowage',
      version: tool.version,
      command: `${sevenZipCommand(MERGED_SWITCHES, '@names')}, ${archives.length} archives, then ${what}`,
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

async function linkEqual({ signal }: BuildRequest, made: readonly BuildFile[]): Promise<string> {
  const equal = await equalFiles(made, signal)
  for (const [index, first] of equal) {
    const [from, to] = [made[first]?.source ?? '', made[index]?.source ?? '']
    await attempt('write', to, async () => {
      await rm(fsPath(to))
      await link(fsPath(from), fsPath(to))
    })
  }
  return `${equal.size} duplicates as hard links`
}

async function storeBlocks(
  request: BuildRequest,
  made: readonly BuildFile[],
  blockBytes: number,
  archives: string,
): Promise<string> {
  const { signal } = request
  const count = await writeBlocks(request.path, made, blockBytes, { signal, onProgress: () => undefined })
  await rm(fsPath(archives), { recursive: true })
  return `${count.blocks} blocks of ${blockBytes} bytes, ${count.uniqueBlocks} of them unique`
}
