import { ownMeter } from '../../tools/toolMeter'
import { writeBlocks } from './blockStore'
import { measuredBuild } from './measuredBuild'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { makeFolder } from './plainFolder'

/** Every block of the source once, without compression, and an index from which the files can be put together again. */
export const blocks: OptionBuilder<'blocks'> = {
  tool: null,
  async build(request) {
    const size = request.recipe.blockBytes
    const { made: count, figures } = await measuredBuild(request, ownMeter(), async () => {
      await makeFolder(request.path)
      return writeBlocks(request.path, request.files, size, request)
    })
    return {
      ...OWN_TOOL,
      command: `${count.blocks} blocks of ${size} bytes, ${count.uniqueBlocks} of them (${count.uniqueBytes} bytes) unique`,
      ...figures,
      repeatable: true,
    }
  },
}
