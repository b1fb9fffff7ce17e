import { readdir } from 'node:fs/promises'
import { fileFailure, fsPath } from '../../files/fileSystem'
import { requireTool } from '../../tools/externalTool'
import { sevenZip } from '../../tools/sevenZip'
import { toolMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes, withSourceFolder } from './buildSource'
import { builtAt, builtBytes } from './builtPlace'
import type { BuildRequest, Built } from './optionBuilder'
import { packNames, packStream, sevenZipCommand } from './sevenZipArchive'
import { tarStream } from './tarStream'

export type ArchiveOrder = 'path' | 'type' | 'content'

/**
 * Packs a whole source into one archive. In content order it is a tar file in an archive, because 7-Zip sorts names by itself.
 * @param switches of the method; those of the order are added
 */
export async function packWhole(
  request: BuildRequest,
  switches: readonly string[],
  order: ArchiveOrder,
): Promise<Built> {
  const tool = await requireTool(sevenZip)
  const { signal, scratch } = request
  const total = sourceBytes(request.files)
  const all = [...switches, ...(order === 'type' ? ['-mqs=on'] : [])]
  const meter = toolMeter()
  await fromSteadySource(request, async () => {
    const work = {
      tool,
      scratch,
      meter,
      signal,
      onShare: (share: number) => request.onProgress(Math.round(total * share)),
    }
    await builtAt(request.path, '.7z', async (archive) => {
      if (order === 'content') {
        const tar = { ...request, files: await request.contentOrder() }
        await packStream({ ...work, folder: scratch }, archive, all, 'all.tar', tarStream(tar))
      } else {
        const names = [...request.files.map(({ path }) => path), ...(await emptyFolders(request))]
        await withSourceFolder(request, (folder, ofLinks) =>
          packNames({ ...work, folder, ofLinks }, archive, all, names),
        )
      }
    })
  }).finally(() => meter.end())
  request.onProgress(total)
  const links = request.symlinks?.length ?? 0
  return {
    tool: '7-Zip',
    version: tool.version,
    command: sevenZipCommand(all, order === 'content' ? '-siall.tar' : '@names'),
    bytes: await builtBytes(request.path),
    ...meter.end(),
    repeatable: true,
    notes: links > 0 && order !== 'content' ? [linksLeftOut(links)] : [],
  }
}

/** 7-Zip keeps links only with attributes, changes their targets, and when unpacking leaves out those it holds to be dangerous. */
export function linksLeftOut(links: number): string {
  return links === 1 ? '1 symbolic link is left out' : `${links} symbolic links are left out`
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
