import { open, stat } from 'node:fs/promises'
import { vi } from 'vitest'

/**
 * Notes which files are flushed to their device from now on; they are flushed as always.
 * @returns true for a path whose file was flushed after its last byte was written
 */
export async function flushedFiles(): Promise<(path: string) => Promise<boolean>> {
  const handle = await open(import.meta.filename)
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> }
  await handle.close()
  const flushed = new Map<number, number>()
  const original = prototype.sync
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    const { ino, size } = await this.stat()
    flushed.set(ino, size)
    await original.call(this)
  })
  return async (path) => {
    const { ino, size } = await stat(path)
    return flushed.get(ino) === size
  }
}
