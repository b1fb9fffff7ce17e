import { storesAsIs, typesAsIs } from '../../../domain/options/recipes/asIs'
import { compressedTar } from '../../codecs/compressStream'
import { writeNewFile } from '../../files/write'
import { ownMeter } from '../../tools/toolMeter'
import { asIsWords } from './asIsWords'
import { measuredBuild } from './measuredBuild'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { tarInTwo, tarStream } from './tarStream'

const LEVEL = 19

/**
 * A tar archive compressed as one stream by zstd with a long window; by Node's own zstd, so that it
 * can be made everywhere. Files that are stored as they are come last, in raw blocks of the same
 * frame, which every zstd reads; its checksum is then left out.
 */
export const tarZst: OptionBuilder<'tar-zst'> = {
  tool: null,
  async build(request) {
    const { order, windowBytes } = request.recipe
    const windowLog = Math.log2(windowBytes)
    const { figures } = await measuredBuild(request, ownMeter(), async () => {
      const files = order === 'content' ? await request.contentOrder() : request.files
      const writing = { flush: false, signal: request.signal }
      const types = typesAsIs(request.recipe)
      if (types.length === 0) {
        const tar = tarStream({ ...request, files })
        return writeNewFile(request.path, compressedTar(tar, LEVEL, windowLog), writing)
      }
      const { first, last } = tarInTwo({ ...request, files }, storesAsIs(request.recipe))
      await writeNewFile(request.path, compressedTar(first, LEVEL, windowLog, last), writing)
    })
    return {
      ...OWN_TOOL,
      command: `tar | zstd -${LEVEL} --long=${windowLog} --single-thread${asIsWords(request.recipe)}`,
      ...figures,
      repeatable: true,
    }
  },
}
