import { open } from 'node:fs/promises'
import { type DrawnUnit, HISTORY_BYTES } from '../../../domain/look/unitDraw'
import type { DeviceKind } from '../../../domain/survey/surveyDocument'
import { pathFromBytes } from '../../../primitives/pathText'
import { fsPath, joinPath } from '../../files/fileSystem'
import type { CodecSample } from '../../forecast/codecs/codecSamplesUnits'
import type { FoundFile } from './sourceDraw'

/** Reads parts of found files. */
export interface SourceReader {
  /** How many requests the device serves best at a time. */
  readonly atOnce: number
  /**
   * Those parts of a file, each of which lies within it; null where the file cannot be read or is
   * not as long as it was.
   */
  read(
    file: Omit<FoundFile, 'inode'>,
    parts: readonly { readonly offset: number; readonly length: number }[],
  ): Promise<Uint8Array[] | null>
}

/** One head serves one request best; many of an SSD's cells answer at once. Assumed. */
const AT_ONCE: Readonly<Record<DeviceKind, number>> = {
  hdd: 2,
  optical: 1,
  usb: 2,
  network: 4,
  ssd: 8,
  nvme: 8,
  memory: 4,
  virtual: 8,
  unknown: 4,
}

/** A reader of files on a device of a kind. */
export function sourceReader(roots: readonly string[], kind: DeviceKind): SourceReader {
  return {
    atOnce: AT_ONCE[kind],
    async read({ rootIndex, path, bytes }, parts) {
      try {
        await using file = await open(fsPath(joinPath(roots[rootIndex] ?? '', pathFromBytes(path))), 'r')
        // What has another length by now is not the file that was drawn.
        if ((await file.stat()).size !== bytes) return null
        const read: Uint8Array[] = []
        for (const { offset, length } of parts) {
          const part = Buffer.allocUnsafeSlow(length)
          const { bytesRead } = await file.read(part, 0, length, offset)
          if (bytesRead < length) return null
          read.push(part)
        }
        return read
      } catch {
        // The look does without it, and says how many there were.
        return null
      }
    },
  }
}

/** A unit with the bytes before it; null where the file cannot be read as it was. */
export async function readUnit(
  { fileBytes, offset, length }: Omit<DrawnUnit<unknown>, 'file' | 'priority'>,
  file: Omit<FoundFile, 'inode'>,
  reader: SourceReader,
): Promise<CodecSample | null> {
  const before = Math.min(offset, HISTORY_BYTES)
  const [bytes] = (await reader.read(file, [{ offset: offset - before, length: before + length }])) ?? []
  if (!bytes) return null
  const { rootIndex, path } = file
  const [history, data] = [bytes.subarray(0, before), bytes.subarray(before)]
  return { rootIndex, path, fileBytes, offset, history, data }
}
