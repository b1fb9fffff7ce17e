import { dirname } from 'node:path'
import { COMPLETE_NAME, type FingerprintPart } from '../../domain/fingerprints/completeNote'
import { joinPath } from '../files/fileSystem'
import { ensureFolder, flushFolder, writeNewFile } from '../files/write'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { type PartColumn, type PartFooter, type PartRows, writePart } from './parquetPart'

interface TablesWriter {
  /** @throws AppError `no-space`, `io`, `cancelled`; what the batches throw passes unchanged */
  part(
    name: string,
    columns: readonly PartColumn[],
    footer: object,
    batches: AsyncIterable<PartRows>,
  ): Promise<void>
  /** Writes the note of all parts, last, and brings everything to the device. @returns the note */
  complete<Note extends object>(note: (parts: readonly FingerprintPart[]) => Note): Promise<Note>
}

/**
 * Writes tables into a new folder: parts one after another, then the note without which they are
 * not finished.
 * @param footerKey names what the parts say of themselves
 */
export function tablesWriter(
  making: string,
  footerKey: PartFooter['key'],
  {
    signal,
    onProgress,
  }: {
    readonly signal: AbortSignal
    /** Takes the bytes of all parts so far. */
    onProgress(bytes: number): void
  },
): TablesWriter {
  const parts: FingerprintPart[] = []
  let bytes = 0
  return {
    async part(name, columns, value, batches) {
      throwIfAborted(signal)
      const path = joinPath(making, name)
      ensureFolder(dirname(path))
      const footer = { key: footerKey, value }
      const part = await writePart(path, columns, footer, untilAborted(batches, signal))
      parts.push({ name, ...part })
      bytes += part.bytes
      onProgress(bytes)
    },
    async complete(note) {
      for (const { name } of parts) await flushFolder(dirname(joinPath(making, name)))
      throwIfAborted(signal)
      const whole = note(parts)
      await writeNewFile(joinPath(making, COMPLETE_NAME), [`${JSON.stringify(whole, null, 2)}\n`])
      await flushFolder(making)
      return whole
    },
  }
}

/** @throws AppError `cancelled` before the next batch, once the signal aborts */
async function* untilAborted<T>(batches: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  for await (const batch of batches) {
    throwIfAborted(signal)
    yield batch
  }
}
