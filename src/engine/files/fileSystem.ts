import { pathToBytes } from '../../primitives/pathText'

export { attempt, attemptAtOnce, cannot, fileFailure } from '../../primitives/fileFailure'

/** A path in lossless text form as Node's file functions take it: the very bytes of the name. */
export function fsPath(path: string): Buffer {
  return Buffer.from(pathToBytes(path))
}

/** Joins with `/`, which every system accepts; names are not looked at. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  return [folder.replace(/(?<=.)\/+$/, ''), ...names].filter((part) => part !== '').join('/')
}

/** The bytes of text that may hold escaped name bytes; plain text takes the fast way. */
export function textBytes(text: string): Uint8Array {
  return /[\ud800-\udfff]/u.test(text) ? pathToBytes(text) : Buffer.from(text, 'utf8')
}
