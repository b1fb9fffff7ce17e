import type { HeaderDetector } from '../../domain/roms/headerDetectors'
import type { FoundFile } from '../../domain/roms/judgeFiles'
import type { JudgedFile } from '../../domain/roms/romsDocument'
import type { WantedFiles } from '../../domain/roms/wantedFiles'
import type { Skipped } from '../../domain/survey/surveyDocument'
import { AppError } from '../../primitives/appError'
import type { JobContext } from '../jobs/jobContext'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { fileContents, type KnownContents, memberContents, type Reading } from './fileContents'
import type { ListedFile } from './listFiles'
import { eachZipMember } from './zipArchive'

/** A file, or a member of a zip, with its contents. */
export interface Found extends FoundFile, Pick<JudgedFile, 'path' | 'member' | 'known'> {
  /** An archive that is not opened, or what could not be unpacked: nothing can be said of it. */
  readonly isUnopened: boolean
}

export interface FindProgress {
  readonly filesDone: number
  readonly hashedBytes: number
  readonly current: string | null
}

/** Archives that are not opened: nothing can be said of what they hold. */
const OTHER_ARCHIVES = /\.(?:7z|rar|gz|tgz|bz2|xz|zst|lzma|tar)$/i
const UNREAD: KnownContents = { contents: [], known: null }

/**
 * Finds out the contents of files and of the members of zips. What cannot be read is added to
 * `skipped`.
 * @throws AppError `cancelled`
 */
export async function findContents(
  files: readonly ListedFile[],
  wanted: WantedFiles,
  detectors: readonly HeaderDetector[],
  skipped: Skipped[],
  { signal, clock }: JobContext,
  onProgress: (progress: FindProgress) => void,
): Promise<{ found: Found[]; hashedBytes: number }> {
  let hashedBytes = 0
  const found: Found[] = []
  const pause = pausing(() => throwIfAborted(signal), clock)
  const skip = (path: string, thrown: unknown): void => {
    const { code, message } = AppError.from(thrown)
    if (code === 'cancelled' || code === 'internal') throw thrown
    skipped.push({ path, code, message })
  }
  for (const [filesDone, file] of files.entries()) {
    await pause()
    const { path, bytes } = file
    const parts = path.split('/').filter((part) => part !== '')
    const reading: Reading = {
      signal,
      onBytes(read) {
        hashedBytes += read
        onProgress({ filesDone, hashedBytes, current: path })
      },
    }
    const add = (known: KnownContents, isUnopened: boolean): void => {
      found.push({ ...known, path, member: null, parts, isMember: false, bytes, isUnopened })
    }
    const isZip = path.toLowerCase().endsWith('.zip')
    try {
      const own = await fileContents(file, wanted, detectors, reading)
      const isWanted = own.contents.some((content) => wanted.hasContent(content))
      if (isWanted || !isZip) add(own, !isWanted && OTHER_ARCHIVES.test(path))
      else found.push(...(await membersOf(path, parts, wanted, detectors, reading, skip)))
    } catch (thrown) {
      skip(path, thrown)
      if (isZip) add(UNREAD, true)
    }
    onProgress({ filesDone: filesDone + 1, hashedBytes, current: null })
  }
  return { found, hashedBytes }
}

async function membersOf(
  path: string,
  parts: readonly string[],
  wanted: WantedFiles,
  detectors: readonly HeaderDetector[],
  reading: Reading,
  skip: (path: string, thrown: unknown) => void,
): Promise<Found[]> {
  const found: Found[] = []
  const folders = [...parts.slice(0, -1), (parts.at(-1) ?? '').slice(0, -'.zip'.length)]
  await eachZipMember(path, reading.signal, async (member) => {
    const { name, bytes } = member
    let known: KnownContents | null = null
    try {
      known = await memberContents(member, wanted, detectors, reading)
    } catch (thrown) {
      skip(path, thrown)
    }
    const inside = [...folders, ...name.split('/').filter((part) => part !== '')]
    found.push({
      ...(known ?? UNREAD),
      path,
      member: name,
      parts: inside,
      isMember: true,
      bytes,
      isUnopened: known === null,
    })
  })
  return found
}
