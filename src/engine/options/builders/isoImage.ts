import { joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { writeNewFile } from '../../files/write'
import { requireTool } from '../../tools/externalTool'
import { type ToolMeter, toolMeter } from '../../tools/toolMeter'
import { writeImage, xorriso, xorrisoStartOptions } from '../../tools/xorriso'
import { xorrisoList } from '../../tools/xorrisoList'
import { entriesOf, sourceBytes } from './buildSource'
import { builtAt } from './builtPlace'
import { KILL_AFTER_MS } from './killAfter'
import { measuredBuild } from './measuredBuild'
import type { BuildRequest, OptionBuilder } from './optionBuilder'

/**
 * The same for every image, so that a second one is equal to the first: 1 January 2000. Files keep
 * their own times.
 */
const IMAGE_DATE_MS = Date.UTC(2000, 0, 1)
const SECTOR = 2048

/** An ISO 9660 image with Rock Ridge names. */
export const isoImage: OptionBuilder<'iso'> = {
  tool: xorriso,
  async build(request) {
    const meter = toolMeter()
    const { made, figures } = await measuredBuild(request, meter, () =>
      writeIso(request, request.path, meter),
    )
    return {
      tool: 'xorriso',
      version: made.version,
      command: 'xorriso -outdev stdio:image -options_from_file list -commit',
      ...figures,
      repeatable: true,
    }
  },
}

/**
 * Writes a source as an image.
 * @throws AppError `tool-missing`, `no-space`, `vanished`, `cancelled`, `tool-failed`
 */
export async function writeIso(
  request: BuildRequest,
  path: string,
  meter: ToolMeter,
): Promise<{ version: string }> {
  const tool = await requireTool(xorriso)
  const { scratch, signal, files } = request
  const list = 'image.list'
  const listing = { label: 'STOWAGE', dateWallMs: IMAGE_DATE_MS, payload: null }
  const entries = entriesOf(request).filter((entry) => entry.path !== '')
  await writeNewFile(joinPath(scratch, list), xorrisoList(listing, entries), { flush: false })
  const total = sourceBytes(files)
  await builtAt(path, '.iso', (output) =>
    withToolDirectory(scratch, (directory) =>
      writeImage(
        {
          tool,
          startOptions: xorrisoStartOptions(IMAGE_DATE_MS),
          directory,
          list,
          signal,
          onStart: (pid) => meter.watch(pid),
          killAfterMs: KILL_AFTER_MS,
        },
        output,
        (sectors) => request.onProgress(Math.min(sectors * SECTOR, total)),
      ),
    ),
  )
  return { version: tool.version }
}
