import { createCipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { type SampleContent, type SampleItem, sampleTree } from './sampleTree'

/** By this first line of its READ ME a folder is known to be a sample source, whatever a person has since done to the rest. */
const MARK = 'Sample source of Stowage'
/** Written at once; bounds the memory that a large file takes. */
const PIECE_BYTES = 1024 * 1024

/**
 * Makes the bundled sample source in `directory` (a path in the lossless text form): about 72 MB, the same bytes, names and
 * times on every run. A sample that is already there is left as it is. It is made beside its place and renamed into it, so
 * that an interrupted run leaves nothing at `directory`; of several at once, one wins and the others find its result.
 * @throws AppError `exists` when something else is at `directory`; `no-space`, `permission-denied` or `io` when it cannot be written.
 */
export async function makeSampleSource(directory: string): Promise<void> {
  if (await isSample(directory)) return
  const beside = `${directory}.making-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(toFs(parentOf(directory)), { recursive: true })
    await mkdir(toFs(beside))
    for (const item of sampleTree(process.platform)) await makeItem(beside, item)
    await rename(toFs(beside), toFs(directory))
  } catch (error) {
    // What cannot be removed (a disk that is gone) must not hide why the sample could not be made.
    await rm(toFs(beside), { recursive: true, force: true }).catch(() => undefined)
    if (await isSample(directory)) return
    throw writeFailure(directory, error)
  }
}

async function makeItem(root: string, item: SampleItem): Promise<void> {
  const path = `${root}/${item.path}`
  if (item.kind === 'folder') {
    await mkdir(toFs(path), { recursive: true })
    return
  }
  await mkdir(toFs(parentOf(path)), { recursive: true })
  const file = await open(toFs(path), 'wx')
  try {
    await writeContent(file, item.content)
  } finally {
    await file.close()
  }
  await utimes(toFs(path), item.modifiedSeconds, item.modifiedSeconds)
}

async function writeContent(file: FileHandle, content: SampleContent): Promise<void> {
  if ('text' in content) {
    await file.writeFile(content.text)
    return
  }
  for (const part of content.parts) {
    const next = part.isZero ? (length: number) => Buffer.alloc(length) : incompressible(part.seed)
    for (let left = part.bytes; left > 0; left -= PIECE_BYTES)
      await file.writeFile(next(Math.min(left, PIECE_BYTES)))
  }
}

/** Bytes without any pattern, told by their seed: the AES-256 counter keystream under the key that holds the seed. */
function incompressible(seed: number): (length: number) => Buffer {
  const key = Buffer.alloc(32)
  key.writeUInt32LE(seed)
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (length) => cipher.update(Buffer.alloc(length))
}

async function isSample(directory: string): Promise<boolean> {
  try {
    return (await readFile(toFs(`${directory}/READ ME.txt`), 'utf8')).startsWith(MARK)
  } catch {
    return false
  }
}

function writeFailure(directory: string, error: unknown): AppError {
  const cause = error instanceof Error && 'code' in error ? error.code : undefined
  const shown = pathForDisplay(directory)
  const options = { path: directory, cause: error }
  switch (cause) {
    case 'ENOTEMPTY':
    case 'EEXIST':
    case 'ENOTDIR':
      return new AppError(
        'exists',
        `cannot make the sample source in ${shown}: something else is there`,
        options,
      )
    case 'ENOSPC':
      return new AppError(
        'no-space',
        `cannot make the sample source in ${shown}: no space left on its disk`,
        options,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError(
        'permission-denied',
        `cannot make the sample source in ${shown}: permission denied`,
        options,
      )
    default:
      return error instanceof Error && cause !== undefined
        ? new AppError('io', `cannot make the sample source in ${shown}: ${error.message}`, options)
        : AppError.from(error)
  }
}

function parentOf(path: string): string {
  const at = path.search(/[/\\][^/\\]*$/)
  return at === -1 ? '.' : path.slice(0, Math.max(at, 1))
}

function toFs(path: string): Buffer {
  return Buffer.from(pathToBytes(path))
}
