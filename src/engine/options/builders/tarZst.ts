import { writeNewFile } from '../../files/newFile'
import { ownMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import { compressedTar } from './compressStream'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { sizeOfName, unknownVariant } from './sizeNames'
import { tarStream } from './tarStream'

const LEVEL = 19

function parse(variant: string): { windowLog: number; order: 'path' | 'content' } | null {
  const found = /^tar-zst-19-([^-]+)-(path|content)$/.exec(variant)
  const windowLog = Math.log2((found && sizeOfName(found[1] as string)) ?? 0)
  if (!Number.isInteger(windowLog) || windowLog < 10 || windowLog > 31) return null
  return { windowLog, order: found?.[2] as 'path' | 'content' }
}

/** A tar archive compressed as one stream by zstd with a long window; by Node's own zstd, so that it can be made everywhere. */
export const tarZst: OptionBuilder = {
  family: 'tar-zst',
  tool: null,
  refuses: (variant) => (parse(variant) ? null : unknownVariant(variant)),
  async build(request) {
    const { windowLog, order } = parse(request.variant) ?? { windowLog: 27, order: 'path' }
    const meter = ownMeter()
    await fromSteadySource(request, async () => {
      const files = order === 'content' ? await request.contentOrder() : request.files
      const tar = tarStream({ ...request, files })
      const writing = { flush: false, signal: request.signal }
      await writeNewFile(request.path, compressedTar(tar, LEVEL, windowLog), writing)
    }).finally(() => meter.end())
    request.onProgress(sourceBytes(request.files))
    return {
      ...OWN_TOOL,
      command: `tar | zstd -${LEVEL} --long=${windowLog} --single-thread`,
      bytes: await builtBytes(request.path),
      ...meter.end(),
      repeatable: true,
    }
  },
}
