import type { HeaderDetector } from '../../domain/roms/headerDetectors'
import type { WantedFiles } from '../../domain/roms/wantedFiles'
import type { Skipped } from '../../domain/survey/surveyDocument'
import { AppError } from '../../primitives/appError'
import type { JobContext } from '../jobs/jobContext'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { type ArchiveKind, archiveKind, isUnopenedKind } from './archives/archiveKind'
import { MemberRows } from './archives/memberRows'
import { SevenZipArchives } from './archives/sevenZipArchive'
import { readTar } from './archives/tarArchive'
import { readZip } from './archives/zipArchive'
import { fileContents, type KnownContents, type Reading, UNREAD } from './fileContents'
import type { Found } from './found'
import type { ListedFile } from './listFiles'

export interface FindProgress {
  readonly filesDone: number
  /** Bytes read of those that `bytesToRead` counts. */
  readonly readBytes: number
  readonly current: string | null
}

/** The bytes of a file that are read, but for members of archives that are found by a directory. */
export function bytesToRead({ path, bytes }: ListedFile, wanted: WantedFiles): number {
  const own = wanted.kindsFor(bytes).size > 0 ? bytes : 0
  return archiveKind(nameOf(path))?.format === 'tar' ? own + bytes : own
}

/**
 * Finds out the contents of files and of the members of archives. What cannot be read is added to
 * `skipped`.
 * @returns also the bytes whose checksums were computed
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
  let readBytes = 0
  const found: Found[] = []
  const pause = pausing(() => throwIfAborted(signal), clock)
  const skip = (path: string, thrown: unknown): void => {
    const { code, message } = AppError.from(thrown)
    if (code === 'cancelled' || code === 'internal') throw thrown
    skipped.push({ path, code, message })
  }
  const sevenZips = files.flatMap(({ path }) => (archiveKind(nameOf(path))?.format === '7z' ? path : []))
  const sevenZip = new SevenZipArchives(sevenZips, signal)
  for (const [filesDone, file] of files.entries()) {
    await pause()
    const { path, bytes } = file
    const parts = path.split('/').filter((part) => part !== '')
    const read = (more: number): void => {
      readBytes += more
      onProgress({ filesDone, readBytes, current: path })
    }
    const reading: Reading = {
      signal,
      onBytes(more) {
        hashedBytes += more
        read(more)
      },
    }
    const add = (known: KnownContents, isUnopened: boolean): void => {
      found.push({ ...known, path, member: null, parts, isMember: false, bytes, isUnopened })
    }
    const kind = archiveKind(nameOf(path))
    try {
      const own = await fileContents(file, wanted, detectors, reading)
      const isWanted = own.contents.some((content) => wanted.hasContent(content))
      if (isWanted || !kind) add(own, !isWanted && isUnopenedKind(path))
      else {
        const rows = new MemberRows({
          path,
          folders: [...parts.slice(0, -1), kind.stem],
          wanted,
          detectors,
          skip,
          onBytes(more) {
            hashedBytes += more
            onProgress({ filesDone, readBytes, current: path })
          },
        })
        await readArchive(file, kind, rows, { signal, sevenZip, onRead: read })
        for (const row of rows.rows()) found.push(row)
      }
    } catch (thrown) {
      skip(path, thrown)
      if (kind) add(UNREAD, true)
    }
    onProgress({ filesDone: filesDone + 1, readBytes, current: null })
  }
  return { found, hashedBytes }
}

interface ArchiveReading {
  readonly signal: AbortSignal
  readonly sevenZip: SevenZipArchives
  /** Bytes of a tar that were read since the last call. */
  readonly onRead: (bytes: number) => void
}

/** Hands over the members of an archive. @throws as the reader of its format does */
function readArchive(
  { path, bytes }: ListedFile,
  { format, compression }: ArchiveKind,
  rows: MemberRows,
  { signal, sevenZip, onRead }: ArchiveReading,
): Promise<void> {
  switch (format) {
    case 'zip':
      return readZip(path, signal, rows)
    case '7z':
      return sevenZip.read(path, rows)
    case 'tar':
      return readTar({ path, bytes, compression }, sevenZip, signal, rows, onRead)
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
