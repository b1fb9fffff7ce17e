import { ownMeter } from '../../tools/toolMeter'
import { writeBlocks } from './blockStore'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { makeFolder } from './plainFolder'
import { sizeOfName, unknownVariant } from './sizeNames'

/** The bytes of a block by a name such as `4k`: a power of two from 512 to 1 MiB; null for any other. */
export function blockSizeOf(name: string): number | null {
  const bytes = sizeOfName(name) ?? 0
  return bytes >= 512 && bytes <= 1024 * 1024 && Number.isInteger(Math.log2(bytes)) ? bytes : null
}

const sizeOf = (variant: string): number | null =>
  variant.startsWith('blocks-') ? blockSizeOf(variant.slice('blocks-'.length)) : null

/** Every block of the source once, without compression, and an index from which the files can be put together again. */
export const blocks: OptionBuilder = {
  family: 'blocks',
  tool: null,
  refuses: (variant) => (sizeOf(variant) === null ? unknownVariant(variant) : null),
  async build(request) {
    const size = sizeOf(request.variant) ?? 512
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
