import { requireTool } from '../../tools/externalTool'
import { sevenZip } from '../../tools/sevenZip'
import { toolMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import { groupArchives, groupsOf, MERGED_SWITCHES, packMerged, titleArchives } from './mergedArchives'
import type { OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { sevenZipCommand } from './sevenZipArchive'
import { linksLeftOut } from './sevenZipWhole'
import { unknownVariant } from './sizeNames'

/** Solid archives of files that belong together, by title or by the data they share. */
export const sevenZipMerged: OptionBuilder = {
  family: 'seven-zip-merged',
  tool: sevenZip,
  refuses: (variant) => (/^7z-(titles|groups)$/.test(variant) ? null : unknownVariant(variant)),
  async build(request) {
    const tool = await requireTool(sevenZip)
    const archives =
      request.variant === '7z-groups' ? groupArchives(await groupsOf(request)) : titleArchives(request)
    const meter = toolMeter()
    await fromSteadySource(request, async () => {
      await makeFolder(request.path)
      await packMerged(request, archives, request.path, { tool, meter })
    }).finally(() => meter.end())
    request.onProgress(sourceBytes(request.files))
    const links = request.symlinks?.length ?? 0
    return {
      tool: '7-Zip',
      version: tool.version,
      command: `${sevenZipCommand(MERGED_SWITCHES, '@names')}, ${archives.length} archives`,
      bytes: await builtBytes(request.path),
      ...meter.end(),
      repeatable: true,
      notes: links > 0 ? [linksLeftOut(links)] : [],
    }
  },
}
