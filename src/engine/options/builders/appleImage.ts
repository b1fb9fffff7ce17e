import { rm } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { fsPath, joinPath } from '../../files/fileSystem'
import { convertContainer, openContainer } from '../../native/containers'
import { ownMeter } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import { writeIso } from './isoImage'
import type { OptionBuilder } from './optionBuilder'
import { OWN_TOOL } from './ownTool'
import { plainCopyNote } from './plainCopyNote'

/**
 * Apple's compressed read-only image, with an ISO 9660 file system inside (as
 * `hdiutil makehybrid -iso` followed by `hdiutil convert -format UDZO` makes). It has no UDF, which
 * macOS would prefer and which holds no symbolic links. The other kinds hold HFS+ or APFS, which
 * only macOS can write.
 */
export const appleImage: OptionBuilder<'apple-image'> = {
  tool: null,
  refuses: ({ kind }) =>
    kind === 'udzo'
      ? null
      : said`this image holds a file system that only macOS writes; make a plan of it and run build-on-mac.sh on a Mac`,
  carriesOut: { encryption: ['aes-128', 'aes-256'] },
  async build(request) {
    const { path, scratch, signal, files, password = null } = request
    const keyBits = request.encryption === 'aes-128' ? 128 : 256
    const total = sourceBytes(files)
    const image = joinPath(scratch, 'disc.iso')
    const meter = ownMeter()
    let linkNotes: string[]
    try {
      const made = await fromSteadySource(request, () =>
        // Writing the image and compressing it each read all bytes once.
        writeIso(
          { ...request, onProgress: (done) => request.onProgress(done && Math.floor(done / 2)) },
          image,
          { hasUdf: false },
        ),
      )
      linkNotes = made.notes
      await convertContainer(
        image,
        path,
        { kind: 'UDIF', ...(password === null ? {} : { encryption: { keyBits, password } }) },
        {
          signal,
          onProgress: (done, of) =>
            request.onProgress(of === 0 ? null : Math.floor((total * (1 + done / of)) / 2)),
        },
      )
    } catch (thrown) {
      throw signal.aborted ? new AppError('cancelled', said`cancelled`) : thrown
    } finally {
      meter.end()
    }
    await rm(fsPath(image), { force: true })
    // That it opens with the password is seen now, not when the source is gone.
    if (password !== null) await openContainer(path, { password }).then((disk) => disk.close())
    request.onProgress(total)
    return {
      ...OWN_TOOL,
      command: `an ISO 9660 image, then UDZO${password === null ? '' : ` with AES-${keyBits}`}`,
      bytes: await builtBytes(path),
      ...meter.end(),
      // Every image of this kind has a random identity.
      repeatable: false,
      notes: password === null ? linkNotes : [...linkNotes, plainCopyNote()],
    }
  },
}
