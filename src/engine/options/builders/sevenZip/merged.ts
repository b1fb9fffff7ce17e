import { requireTool } from '../../../tools/externalTool'
import { sevenZip } from '../../../tools/sevenZip'
import { toolMeter } from '../../../tools/toolMeter'
import { measuredBuild } from '../measuredBuild'
import type { OptionBuilder } from '../optionBuilder'
import { makeFolder } from '../plainFolder'
import { sevenZipCommand } from './archive'
import { MERGED_SWITCHES, mergedArchives, packMerged } from './mergedArchives'
import { linksLeftOut, SEVEN_ZIP_CARRIES_OUT } from './whole'

/** Solid archives of files that belong together, by title, by the data they share or by DATs. */
export const sevenZipMerged: OptionBuilder<'seven-zip-merged'> = {
  tool: sevenZip,
  carriesOut: SEVEN_ZIP_CARRIES_OUT,
  async build(request) {
    const tool = await requireTool(sevenZip)
    const { password = null } = request
    const archives = await mergedArchives(request, request.recipe.by)
    const meter = toolMeter()
    const { figures } = await measuredBuild(request, meter, async () => {
      await makeFolder(request.path)
      await packMerged(request, archives, request.path, { tool, meter })
    })
    return {
      tool: '7-Zip',
      version: tool.version,
      command: `${sevenZipCommand(archives[0]?.switches ?? MERGED_SWITCHES, '@names', password)}, ${archives.length} archives`,
      ...figures,
      repeatable: password === null,
      archives,
      notes: linksLeftOut(request),
    }
  },
}
