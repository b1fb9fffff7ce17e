import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { attempt, fileFailure, fsPath } from '../../files/fileSystem'
import { readWhole } from '../../native/sectorReading'
import type { SizedVolume } from '../plannedVolume'
import { compareTrees, type Expected, mismatch, volumeMismatch } from '../verify/expectedTree'
import { type IsoEntry, readerOf, readIsoTree } from '../verify/isoTree'
import { foundTree, inRockRidge } from '../verify/verifyImage'

const SECTOR = 2048
const EMPTY_SHA256 = createHash('sha256').digest('hex')

export interface WrittenCheck {
  readonly failures: readonly AppError[]
  /** Whether the medium holds the very bytes that were written: then what fails was wrong before. */
  readonly isFaithful: boolean
  /** Whether the bytes came from the medium and not from the system's cache. */
  readonly uncached: boolean
}

/**
 * Reads the image on a medium back once, by direct reads where it can, and compares it with what was written and with
 * the plan: all bytes by their digest, names, kinds, sizes and targets, and the SHA-256 of every file.
 * @param path a device or file, which may be longer than the image
 * @param sha256 of what was written
 * @throws AppError `verification-failed`, `io` naming the file that could not be read, `cancelled`
 */
export async function readBackImage(
  path: string,
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  sha256: string,
  options: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<WrittenCheck> {
  const { label, sectors } = volume
  const tree = await treeOf(path, label)
  const length = sectors * SECTOR
  const files = tree instanceof AppError ? [] : distinctFiles(tree, length)
  const found = await readWhole(path, length, files, options).catch((thrown: unknown) => {
    throw inFile(AppError.from(thrown), label, files)
  })
  const failures: AppError[] = []
  if (tree instanceof AppError) failures.push(tree)
  else {
    failures.push(...compareTrees(inRockRidge(expected), foundTree(tree), label))
    const digests = new Map(files.map(({ offset }, at) => [offset, found.ranges[at]]))
    for (const { kind, path: name, bytes, offset } of tree) {
      const wanted = expected.get(name)
      if (kind !== 'file' || wanted?.kind !== 'file' || wanted.bytes !== bytes) continue
      const digest = bytes === 0 ? EMPTY_SHA256 : digests.get(offset)
      if (digest !== wanted.sha256) failures.push(mismatch(label, name, 'its content differs (SHA-256)'))
    }
  }
  const isFaithful = found.sha256 === sha256
  if (!isFaithful && failures.length === 0)
    failures.push(volumeMismatch(label, 'the medium does not hold the bytes that were written'))
  return { failures, isFaithful, uncached: found.uncached }
}

/** The names on a medium, or why they cannot be read. */
async function treeOf(path: string, label: string): Promise<readonly IsoEntry[] | AppError> {
  const file = await attempt('read', path, open(fsPath(path)))
  try {
    const tree = await readIsoTree(readerOf(file))
    return tree.label === label ? tree.entries : volumeMismatch(label, `it is labelled "${tree.label}"`)
  } catch (thrown) {
    const failure = fileFailure(thrown, 'read', path)
    return failure.code === 'verification-failed' ? volumeMismatch(label, failure.message) : failure
  } finally {
    await file.close()
  }
}

/** Files by where they are, each place once: files with the same content may share theirs. */
function distinctFiles(entries: readonly IsoEntry[], length: number): IsoEntry[] {
  const byOffset = new Map<number, IsoEntry>()
  for (const entry of entries) {
    if (entry.kind === 'file' && entry.bytes > 0 && !byOffset.has(entry.offset))
      byOffset.set(entry.offset, entry)
  }
  let end = 0
  return [...byOffset.values()]
    .toSorted((one, other) => one.offset - other.offset)
    .filter(({ offset, bytes }) => {
      // Damaged directories may name places that overlap or lie behind the image: such a file has no digest, which is a failure.
      const isApart = offset >= end && offset + bytes <= length
      if (isApart) end = offset + bytes
      return isApart
    })
}

/** A read failure with the file that it is in. */
function inFile(failure: AppError, label: string, files: readonly IsoEntry[]): AppError {
  const byte = Number(/ at byte (\d+):/.exec(failure.message)?.[1] ?? Number.NaN)
  const file = files.find(({ offset, bytes }) => byte >= offset && byte < offset + bytes)
  if (!file) return failure
  const message = `cannot read back ${pathForDisplay(file.path)} on ${label}: ${failure.message.replace(/^.*?: /, '')}`
  return new AppError(failure.code, message, { path: file.path })
}
