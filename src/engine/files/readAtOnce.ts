import { constants, openSync, readSync } from 'node:fs'
import { fsPath } from './fileSystem'

/**
 * Opens a file for reading on the thread that asks, also what has become a pipe meanwhile: that
 * would wait for a writer for ever. Whoever asked closes it. @throws the system's errors
 */
export function openedAtOnce(source: string): number {
  // Windows has no such flag.
  return openSync(fsPath(source), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

/**
 * Reads from the beginning until there is no room or the file ends, on the thread that asks.
 * @returns how much that was
 * @throws the system's errors
 */
export function readAtOnce(file: number, room: Buffer): number {
  let length = 0
  while (length < room.length) {
    const read = readSync(file, room, length, room.length - length, length)
    if (read === 0) break
    length += read
  }
  return length
}
