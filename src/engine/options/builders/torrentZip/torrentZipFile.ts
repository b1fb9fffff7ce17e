import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { attempt, fsPath } from '../../../files/fileSystem'
import type { BuildFile } from '../optionBuilder'
import { contentThrough, PIECE_BYTES } from '../sourceContent'
import { pinnedDeflate } from './pinnedDeflate'
import { inZipOrder, type ZipName, zipName } from './zipNames'
import { directory, localHeader, localHeaderBytes, ZIP64_FROM, type ZipEntry } from './zipRecords'

/** Refuses the first name that a TorrentZip cannot hold. @throws AppError `name-unsupported` */
export function requireZipNames(names: Iterable<string>): void {
  for (const name of names) requireName(name)
}

/** A file and its name in the archive. */
export interface ZipMemberFile {
  readonly name: string
  readonly file: Pick<BuildFile, 'source' | 'bytes' | 'digest'>
}

/**
 * Writes a TorrentZip: the same names and contents make the same bytes on every machine. The file
 * must not exist; after a failure whoever calls this removes it. Nothing is flushed.
 * @param onBytes bytes of content that were packed since the last call
 * @throws AppError `name-unsupported`, `refused` (see `pinnedDeflate`), `exists`, `no-space`,
 *   `changed`, `vanished`, `cancelled`
 */
export async function writeTorrentZip(
  path: string,
  members: readonly ZipMemberFile[],
  { signal, onBytes }: { readonly signal: AbortSignal; onBytes(bytes: number): void },
): Promise<void> {
  const named = members
    .toSorted((one, other) => inZipOrder(one.name, other.name))
    .map(({ name, file }) => ({ name: requireName(name), shown: name, file }))
  const zip = await attempt('write', path, () => open(fsPath(path), 'wx'))
  try {
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES + 1)
    const entries: ZipEntry[] = []
    let offset = 0
    for (const { name, shown, file } of named) {
      const begin = offset + localHeaderBytes({ name, bytes: file.bytes })
      const stream = await pinnedDeflate()
      let at = begin
      const put = async (piece: Uint8Array): Promise<void> => {
        await attempt('write', path, () => writeAt(zip, piece, at))
        at += piece.length
      }
      for await (const piece of contentThrough(buffer, file.source, file.bytes, signal, file.digest)) {
        await put(await stream.add(piece, false))
        onBytes(piece.length)
      }
      await put(await stream.add(new Uint8Array(0), true))
      const entry = { name, bytes: file.bytes, packedBytes: at - begin, crc32: stream.crc32(), offset }
      if (entry.packedBytes >= ZIP64_FROM && entry.bytes < ZIP64_FROM)
        throw new AppError('cannot-fit', said`cannot pack ${pathForDisplay(shown)}: it grows past 4 GiB`)
      await attempt('write', path, () => writeAt(zip, localHeader(entry), offset))
      entries.push(entry)
      offset = at
    }
    await attempt('write', path, () => writeAt(zip, directory(entries, offset), offset))
  } finally {
    await zip.close()
  }
}

function requireName(name: string): ZipName {
  const fit = zipName(name)
  if (fit) return fit
  throw new AppError('name-unsupported', whyUnfit(name), { path: name })
}

/** Why no TorrentZip holds a name that `zipName` has no bytes for, in words. */
export function whyUnfit(name: string): string {
  return said`cannot pack ${pathForDisplay(name)} into a TorrentZip: names there have no backslash, no control characters and no bytes that are not Unicode`
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
