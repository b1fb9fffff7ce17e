import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { WorkSteps } from '../../jobs/workSteps'
import { runTool, toolFailure } from '../../tools/runTool'
import { unsquashfs } from '../../tools/squashfsTools'
import { COPY_SHARE, commonFolder, followGrowth, noteUnpacked, wholeFile } from './byProgram'
import { unpackSevenZip } from './sevenZipArchive'
import type { Unpack } from './unpacker'

const MEMBERS = 'members'
const SWITCHES: readonly string[] = '-quiet -no-progress -no-xattrs -no-wildcards'.split(' ')

/**
 * Unpacks the folder that all wanted members are in with unsquashfs, or where that is not there
 * with 7-Zip.
 */
export const unpackSquashfs: Unpack<'squashfs'> = async (container, members, work) => {
  const tool = await unsquashfs.find(work.signal)
  if (!tool) return unpackSevenZip(container, members, work)
  const { signal } = work
  const scratch = work.scratch()
  const steps = new WorkSteps(work.onShare)
  const image = await wholeFile(container, 'image', work, steps.until(COPY_SHARE))
  const folder = commonFolder(members)
  const onShare = steps.until(1)
  const result = await withToolDirectory(scratch, (cwd) =>
    followGrowth(
      joinPath(scratch, MEMBERS),
      (written) => onShare(written / work.bytes),
      () =>
        runTool(tool.path, [...SWITCHES, '-dest', MEMBERS, image, ...(folder === '' ? [] : [folder])], {
          cwd,
          signal,
          onOutput: () => undefined,
        }),
    ),
  )
  await noteUnpacked(joinPath(scratch, MEMBERS), members, work).catch((thrown: unknown) => {
    if (result.exitCode === 0) throw thrown
  })
  if (result.exitCode === 0) return
  if (result.errorLines.some((line) => /No space left on device|Disk quota exceeded/.test(line)))
    throw new AppError('no-space', said`cannot unpack the image: no space left on the device`)
  throw toolFailure('unsquashfs', 'unpack the image', {
    ...result,
    errorLines: result.errorLines.slice(0, 1),
  })
}
