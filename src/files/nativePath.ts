import { Buffer } from 'node:buffer'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { isDriveTop, ownPath } from '../primitives/ownPath'
import { pathFromBytes, pathToBytes } from '../primitives/pathText'

/**
 * The form in which Node's file functions take one of our lossless path texts: its exact bytes. On
 * Windows they are taken as WTF-8, UTF-8 that may hold lone surrogates, at any length.
 */
export function nativePath(text: string): Buffer {
  const isLimited = process.platform === 'win32' && !isDriveTop(text)
  return Buffer.from(pathToBytes(isLimited ? path.toNamespacedPath(text) : text))
}

const REPLACEMENT = '\ufffd'

/**
 * Electron gives paths (of dialogs and drops) as strings in which undecodable bytes have become
 * U+FFFD. This finds the true name by looking into the folder: a part with U+FFFD that does not
 * exist as such is taken to be the one entry that reads the same.
 * @returns the lossless path text in Stowage's own form; the name as given where nothing, or more
 *   than one thing, fits
 */
export async function recoverPath(given: string): Promise<string> {
  if (process.platform === 'win32' || !given.includes(REPLACEMENT)) return ownPath(given)
  let known = '/'
  for (const part of given.split('/').filter((piece) => piece !== '')) {
    const found = part.includes(REPLACEMENT) ? await entryThatReads(known, part) : part
    if (found === null) return given
    known = path.posix.join(known, found)
  }
  return known
}

async function entryThatReads(folder: string, part: string): Promise<string | null> {
  const literal = path.posix.join(folder, part)
  if (await exists(literal)) return part
  const names = await readdir(nativePath(folder), { encoding: 'buffer' }).catch(() => [])
  const fitting = names.filter((name) => name.toString('utf8') === part)
  const [only] = fitting
  return only && fitting.length === 1 ? pathFromBytes(only) : null
}

async function exists(text: string): Promise<boolean> {
  return stat(nativePath(text)).then(
    () => true,
    () => false,
  )
}
