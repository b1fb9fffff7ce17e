import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { ensureFolder } from './ensureFolder'
import { nativePath } from './nativePath'

let serial = 0

/**
 * Replaces a file so that its place holds either the old content or the whole new one, also after a
 * crash: next to it first, flushed, then renamed. Makes the folder where it is missing. What was
 * there is replaced.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file)
  ensureFolder(folder)
  serial += 1
  // Not derived from the name, which may already be as long as the file system allows.
  const beside = path.join(folder, `.stowage-${process.pid}-${serial}.partial`)
  try {
    const handle = await open(nativePath(beside), 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(nativePath(beside), nativePath(file))
    await flushNames(folder)
  } catch (error) {
    await rm(nativePath(beside), { force: true })
    throw error
  }
}

/**
 * After a loss of power the new name is there too. Some systems cannot flush a folder, and need
 * not.
 */
async function flushNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(nativePath(folder), 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
