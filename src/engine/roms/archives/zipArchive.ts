import { closeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fromFdPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, attemptAtOnce, cannot, fsPath } from '../../files/fileSystem'
import { openedAtOnce } from '../../files/read'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { type ArchiveMember, type MemberSinks, MOST_MEMBERS } from './archiveMember'

/** A file in a zip. */
export interface ZipMember extends ArchiveMember {
  /**
   * The unpacked content, of which no more than `bytes` comes.
   * @throws AppError `bad-input` for a method that is not known, and for damage
   */
  content(): AsyncIterable<Uint8Array>
}

/** True for a file that begins as zips do, also an empty one. @throws AppError as reading fails */
export async function isZip(path: string): Promise<boolean> {
  return attempt('read', path, async () => {
    await using file = await open(fsPath(path))
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const start = buffer.toString('latin1', 0, bytesRead)
    return start === 'PK\u0003\u0004' || start === 'PK\u0005\u0006'
  })
}

/**
 * Calls `use` for each file of a zip, in the order of its directory; folders are passed over.
 * @throws AppError `bad-input` for what is no zip or is damaged, `io`, `cancelled`, and as `use`
 *   throws
 */
export async function eachZipMember(
  path: string,
  signal: AbortSignal,
  use: (member: ZipMember) => Promise<void> | void,
): Promise<void> {
  const file = attemptAtOnce('read', path, () => openedAtOnce(path))
  try {
    const zip = await damaging(path, () => fromFdPromise(file, { lazyEntries: true, decodeStrings: true }))
    if (zip.entryCount > MOST_MEMBERS)
      throw cannot('bad-input', 'read', path, said`the zip has more than ${MOST_MEMBERS} files`)
    const entries = zip.eachEntry()[Symbol.asyncIterator]()
    for (;;) {
      throwIfAborted(signal)
      const next = await damaging(path, () => entries.next())
      if (next.done === true) return
      const entry = next.value
      if (entry.fileName.endsWith('/')) continue
      await use({
        name: entry.fileName,
        bytes: entry.uncompressedSize,
        crc: entry.crc32.toString(16).padStart(8, '0'),
        hidden: entry.isEncrypted() ? 'encrypted' : null,
        content: () => contentOf(path, zip, entry),
      })
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Hands over the members of a zip.
 * @throws as `eachZipMember`
 */
export function readZip(path: string, signal: AbortSignal, sinks: MemberSinks): Promise<void> {
  return eachZipMember(path, signal, async (member) => {
    const sink = sinks.begin(member)
    if (!sink) return
    try {
      for await (const piece of member.content()) sink.update(piece)
      sink.end()
    } catch (thrown) {
      sink.fail(thrown)
    }
  })
}

async function* contentOf(
  path: string,
  zip: ZipFile,
  entry: Parameters<ZipFile['openReadStreamPromise']>[0],
): AsyncGenerator<Uint8Array, void, void> {
  const stream: Readable = await damaging(path, () => zip.openReadStreamPromise(entry))
  const pieces = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await damaging(path, () => pieces.next())
      if (next.done === true) return
      yield next.value as Uint8Array
    }
  } finally {
    stream.destroy()
  }
}

async function damaging<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    const because = thrown instanceof Error ? thrown.message : String(thrown)
    throw cannot('bad-input', 'read', path, said`the zip is damaged (${because})`, thrown)
  }
}
