import { basename } from 'node:path'
import { withToolDirectory } from '../../files/scratch'
import { folderOf } from '../../files/write'
import { requireTool } from '../../tools/externalTool'
import { printImageSectors, streamImage, writeImage, xorriso, xorrisoStartOptions } from '../../tools/xorriso'
import { changedContents } from './changedContents'
import { checkCommands } from './checkCommands'
import type { ImageMaker } from './imageMaker'

const SECTOR = 2048

/**
 * Images by xorriso of this machine, from the command list of each volume.
 * @throws AppError `tool-missing`, `cancelled`
 */
export async function xorrisoMaker(searching?: AbortSignal): Promise<ImageMaker> {
  const tool = await requireTool(xorriso, searching)
  return {
    tool: xorriso.name,
    version: tool.version,
    options: xorrisoStartOptions,
    sectors(plan, { places }, directory, signal) {
      const startOptions = xorrisoStartOptions(plan.mastering.volumeDateWallMs)
      return printImageSectors({
        tool,
        startOptions,
        directory,
        list: places.list,
        ...(signal && { signal }),
      })
    },
    protect: () => Promise.resolve(null),
    async write(folder, volume, partial, { signal, onBytes }) {
      const { places, entries } = volume
      const planned = volume.sectors * SECTOR
      await checkCommands(folder, volume)
      await withToolDirectory(folder.directory, (directory) =>
        writeImage(
          { tool, startOptions: folder.plan.mastering.options, directory, list: places.list, signal },
          `${folderOf(places.image)}/${basename(partial)}`,
          (sectors) => onBytes(Math.floor(Math.min(sectors * SECTOR, planned) / 2)),
        ),
      )
      // Writing and reading back are half of the work each.
      return changedContents(partial, entries, {
        signal,
        onBytes: (done, files) => onBytes(Math.floor((planned + Math.min(done, planned)) / 2), files),
      })
    },
    async stream(folder, volume, file, { signal, onStart }) {
      await checkCommands(folder, volume)
      const startOptions = folder.plan.mastering.options
      const list = volume.places.list
      await withToolDirectory(folder.directory, (directory) =>
        streamImage({ tool, startOptions, directory, list, signal, onStart }, file),
      )
    },
  }
}
