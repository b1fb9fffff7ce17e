import { writeNewFile } from '../../files/write'
import { ownMeter } from '../../tools/toolMeter'
import { compressedTar } from './compressStream'
import { measuredBuild } from './measuredBuild'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { tarStream } from './tarStream'

const LEVEL = 19

/**
 * A tar archive compressed as one stream by zstd with a long window; by Node's own zstd, so that it
 * can be made everywhere.
 */
export const tarZst: OptionBuilder<'tar-zst'> = {
  tool: null,
  async build(request) {
    const { order, windowBytes } = request.recipe
    const windowLog = Math.log2(windowBytes)
    const { figures } = await measuredBuild(request, ownMeter(), async () => {
      const files = order === 'content' ? await request.contentOrder() : request.files
      const tar = tarStream({ ...request, files })
      const writing = { flush: false, signal: request.signal }
      await writeNewFile(request.path, compressedTar(tar, LEVEL, windowLog), writing)
    })
    return {
      ...OWN_TOOL,
      command: `tar | zstd -${LEVEL} --long=${windowLog} --single-thread`,
      ...figures,
      repeatable: true,
    }
  },
}
