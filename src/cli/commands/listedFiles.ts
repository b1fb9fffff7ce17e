import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileFailure, fsPath } from '../../engine/files/fileSystem'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../primitives/pathText'

/** The list itself comes from stdin. */
const STDIN = '-'
const [NUL, LINE_FEED, RETURN] = [0, 10, 13]

interface ListOptions {
  readonly 'files-from'?: string | undefined
  readonly 'files0-from'?: string | undefined
}

/**
 * The paths that the file of `--files-from` or `--files0-from` lists, byte for byte; none without
 * these options. Empty lines are left out, and the return before a line feed. A byte order mark is
 * not a part of the list; one of UTF-16 says how it is read.
 * @throws AppError `usage` for both options, or a list without a path; `bad-input` for another
 *   encoding; as the file cannot be read
 */
export async function listedFiles(values: ListOptions): Promise<string[]> {
  const { 'files-from': lines, 'files0-from': nul } = values
  const file = lines ?? nul
  if (file === undefined) return []
  if (lines !== undefined && nul !== undefined)
    throw new AppError('usage', 'give --files-from or --files0-from, not both')
  const bytes = utf8Of(await contentOf(file), file)
  if (nul === undefined && bytes.includes(NUL))
    throw notUtf8(file, 'it has NUL bytes, as in UTF-16 (--files0-from takes paths that end with NUL)')
  const paths = pathsIn(bytes, nul === undefined ? LINE_FEED : NUL)
  if (paths.length === 0) throw new AppError('usage', `${pathForDisplay(file)} lists no file`)
  return paths
}

async function contentOf(file: string): Promise<Buffer> {
  if (file === STDIN) return buffer(process.stdin)
  const path = absolutePath(file)
  try {
    return await readFile(fsPath(path))
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
}

/** The byte order marks of encodings: that of UTF-8 is left out, lists in UTF-16 are made UTF-8. */
const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: null },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

function utf8Of(bytes: Buffer, file: string): Buffer {
  const found = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  const content = bytes.subarray(found?.mark.length ?? 0)
  if (!found?.encoding) return content
  try {
    return Buffer.from(new TextDecoder(found.encoding, { fatal: true, ignoreBOM: true }).decode(content))
  } catch {
    throw notUtf8(file, 'it has the byte order mark of UTF-16, and is none')
  }
}

function notUtf8(file: string, because: string): AppError {
  return new AppError('bad-input', `cannot use ${pathForDisplay(file)}: ${because}`)
}

function pathsIn(bytes: Buffer, end: number): string[] {
  const paths: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(end, from)
    const to = found < 0 ? bytes.length : found
    const isReturn = end === LINE_FEED && bytes[to - 1] === RETURN && to > from
    const path = bytes.subarray(from, isReturn ? to - 1 : to)
    if (path.length > 0) paths.push(pathFromBytes(path))
    from = to + 1
  }
  return paths
}
