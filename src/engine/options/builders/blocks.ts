import { ownMeter } from '../../tools/toolMeter'
import { writeBlocks } from './blockStore'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { makeFolder } from './plainFolder'

/** Every block of the source once, without compression, and an index from which the files can be put together again. */
export const blocks: OptionBuilder<'blocks'> = {
  tool: null,
  async build(request) {
    const size = request.recipe.blockBytes
    const meter = ownMeter()
    const count = await fromSteadySource(request, async () => {
      await makeFolder(request.path)
      return writeBlocks(request.path, request.files, size, request)
    }).finally(() => meter.end())
    request.onProgress(sourceBytes(request.files))
    return {
      ...OWN_TOOL,
      command: `${count.blocks} blocks of ${size} bytes, ${count.uniqueBlocks} of them (${count.uniqueBytes} bytes) unique`,
      bytes: await builtBytes(request.path),
      ...meter.end(),
      repeatable: true,
    }
  },
}
