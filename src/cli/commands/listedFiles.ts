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
 * these options. Empty lines are left out, and the return before a line feed.
 * @throws AppError `usage` for both options, or a list without a path; as the file cannot be read
 */
export async function listedFiles(values: ListOptions): Promise<string[]> {
  const { 'files-from': lines, 'files0-from': nul } = values
  const file = lines ?? nul
  if (file === undefined) return []
  if (lines !== undefined && nul !== undefined)
    throw new AppError('usage', 'give --files-from or --files0-from, not both')
  const bytes = await contentOf(file)
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
