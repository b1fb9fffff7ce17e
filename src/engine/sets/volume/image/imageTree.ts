import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../../../primitives/appError'
import type { Found } from '../lists/expectedTree'
import { brokenTree } from './treeFault'

/** The sector of optical discs and of images for them. */
export const SECTOR = 2048

/** One entry of an image under its true name. */
export interface ImageEntry {
  /** Lossless text form, relative to the root of the volume. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'symlink'
  readonly bytes: number
  /** Where the content of a file begins in the image. */
  readonly offset: number
  /** The target of a symbolic link; null for other entries. */
  readonly target: string | null
}

/** One of the trees of an image. */
export interface ImageTree {
  readonly label: string
  /** Sectors of 2,048 bytes that the tree's descriptors say the image has. */
  readonly sectors: number
  /** In the order of the folders' lists, folders before what they hold. */
  readonly entries: readonly ImageEntry[]
}

/** Reads bytes of an image: fewer than asked for when it ends early. */
export type ReadAt = (position: number, bytes: number) => Promise<Uint8Array>

/**
 * Takes a fault of a tree, which is read on without the folder or file that has it. Without one the
 * first fault ends the reading.
 */
export type OnFault = (fault: AppError) => void

export function readerOf(file: FileHandle): ReadAt {
  return async (position, bytes) => {
    // Before the end of an image that is cut short to less than a sector there is nothing.
    if (position < 0) return new Uint8Array()
    const buffer = new Uint8Array(bytes)
    let done = 0
    while (done < bytes) {
      const { bytesRead } = await file.read(buffer, done, bytes - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return buffer.subarray(0, done)
  }
}

/** The bytes that are read at once where few are asked for. */
const AHEAD_BYTES = 1 << 16

/** Reads on behind short reads, which often follow each other: file entries, names, records. */
export function readingAhead(readAt: ReadAt): ReadAt {
  let from = 0
  let held = new Uint8Array()
  return async (position, bytes) => {
    if (bytes > AHEAD_BYTES) return readAt(position, bytes)
    if (position < from || position + bytes > from + held.length) {
      const ahead = await readAt(position, AHEAD_BYTES).catch(() => null)
      // Sectors behind those asked for may be unreadable.
      if (ahead === null) return readAt(position, bytes)
      from = position
      held = Uint8Array.from(ahead)
    }
    return held.subarray(position - from, position - from + bytes)
  }
}

/** Returns the entries of an image as what was found on a volume. */
export function foundTree(entries: readonly ImageEntry[]): Map<string, Found> {
  return new Map(
    entries.map(({ path, kind, bytes, target }): [string, Found] => {
      if (kind === 'symlink') return [path, { kind, target: target ?? '' }]
      return [path, kind === 'folder' ? { kind } : { kind, bytes }]
    }),
  )
}

/**
 * The fault in what reading a tree threw: damaged structures, and sectors that cannot be read.
 * @throws anything else
 */
export function faultIn(thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.code === 'verification-failed') return thrown
  if ((thrown as NodeJS.ErrnoException).code === 'EIO') return brokenTree({ code: 'unreadable-sectors' })
  throw thrown
}

/** Sectors as they are; of those that cannot be read, one by one, zeros. */
export async function sectorsAt(readAt: ReadAt, sector: number, count: number): Promise<Buffer> {
  try {
    return Buffer.from(await readAt(sector * SECTOR, count * SECTOR))
  } catch (thrown) {
    faultIn(thrown)
    if (count === 1) return Buffer.alloc(SECTOR)
    const each: Buffer[] = []
    for (let at = 0; at < count; at++) each.push(await sectorsAt(readAt, sector + at, 1))
    return Buffer.concat(each)
  }
}
