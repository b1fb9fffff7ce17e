/**
 * The room `sample` makes the sample source, with which a person can try Stowage.
 * How: its tree is data, and contents come from a seed: each run makes the same bytes.
 * Not here: test data of measurements (`native/src/core/timing`).
 */

import { createCipheriv } from 'node:crypto'
import { mkdir, readFile, rename, utimes } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure } from '../files/fileSystem'
import { type PlaceNotes, withTempPath } from '../files/scratch'
import { ensureFolder, flushFolder, writeNewFile } from '../files/write'
import { newId } from '../jobs/newId'
import { flushTree } from '../tools/flushTree'
import { type SampleContent, type SampleItem, sampleTree } from './sampleTree'

/**
 * By this first line of its READ ME a folder is known to be a sample source, whatever a person has
 * since done to the rest.
 */
const MARK = 'Sample source of Stowage'
/** Written at once; bounds the memory that a large file takes. */
const PIECE_BYTES = 1024 * 1024

/**
 * Makes the bundled sample source in `directory` (a path in the lossless text form): about 72 MB,
 * the same bytes, names and times on every run. A sample that is already there is left as it is. It
 * is made next to its place and renamed into it, so that an interrupted run leaves nothing at
 * `directory`; of several at once, one wins and the others find its result.
 * @throws AppError `exists` when something else is at `directory`; `no-space`,
 *   `permission-denied` or `io` when it cannot be written.
 */
export async function makeSampleSource(notes: PlaceNotes, directory: string): Promise<void> {
  if (await isSample(directory)) return
  try {
    ensureFolder(parentOf(directory))
    await withTempPath(notes, `${directory}.${newId('making')}`, async (beside) => {
      await mkdir(toFs(beside))
      for (const item of sampleTree(process.platform)) await makeItem(beside, item)
      await flushTree(beside)
      await rename(toFs(beside), toFs(directory))
      await flushFolder(parentOf(directory))
    })
  } catch (error) {
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
  await writeNewFile(path, contentOf(item.content), { flush: false })
  await utimes(toFs(path), item.modifiedSeconds, item.modifiedSeconds)
}

function* contentOf(content: SampleContent): Generator<string | Uint8Array> {
  if ('text' in content) {
    yield content.text
    return
  }
  for (const part of content.parts) {
    const next = part.isZero ? (length: number) => Buffer.alloc(length) : incompressible(part.seed)
    for (let left = part.bytes; left > 0; left -= PIECE_BYTES) yield next(Math.min(left, PIECE_BYTES))
  }
}

/**
 * Bytes without any pattern, generated from their seed: the AES-256 counter keystream under the key
 * that holds the seed.
 */
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
  const failure = fileFailure(error, 'write', directory)
  const isTaken = failure.code === 'exists' || failure.code === 'not-a-folder'
  const { code, message } = failure
  const cause = isTaken ? said`it contains other files` : message.slice(message.lastIndexOf(': ') + 2)
  const text = `cannot make the sample source in ${pathForDisplay(directory)}: ${cause}`
  return new AppError(isTaken ? 'exists' : code, text, { path: directory, cause: error })
}

function parentOf(path: string): string {
  const at = path.search(/[/\\][^/\\]*$/)
  return at === -1 ? '.' : path.slice(0, Math.max(at, 1))
}

function toFs(path: string): Buffer {
  return Buffer.from(pathToBytes(path))
}
