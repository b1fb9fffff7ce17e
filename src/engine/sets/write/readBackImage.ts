import { createHash } from 'node:crypto'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { ContentPlace } from '../../files/read'
import { readWhole } from '../../native/sectorReading'
import { compareTrees } from '../volume/compareTrees'
import type { Difference } from '../volume/difference'
import { type Expected, inRockRidge } from '../volume/expectedTree'
import { openImage } from '../volume/image'
import type { SizedVolume } from '../volume/plannedVolume'
import type { Volume } from '../volume/volume'

const SECTOR = 2048
const EMPTY_SHA256 = createHash('sha256').digest('hex')

export interface WrittenCheck {
  readonly differences: readonly Difference[]
  /** True when the medium holds exactly the written bytes: then the fault was there before. */
  readonly isFaithful: boolean
  /** True when the bytes came from the medium and not from the system's cache. */
  readonly uncached: boolean
}

/**
 * Reads the image on a medium back once, by direct reads where it can, and compares it with what
 * was written and with the plan: all bytes by their digest, names, kinds, sizes and targets, and
 * the SHA-256 of every file.
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
  const medium = await openLabelled(path, label)
  const length = sectors * SECTOR
  const placed = 'code' in medium ? [] : await placedFiles(medium, options.signal)
  const files = distinctPlaces(placed, length)
  const found = await readWhole(path, length, files, options).catch((thrown: unknown) => {
    throw inFile(AppError.from(thrown), label, files)
  })
  const differences: Difference[] = []
  if ('code' in medium) differences.push(medium)
  else {
    differences.push(...compareTrees(inRockRidge(expected), await medium.tree(options.signal)))
    const digests = new Map(files.map(({ offset }, at) => [offset, found.ranges[at]]))
    for (const { name, bytes, offset } of placed) {
      const wanted = expected.get(name)
      if (wanted?.kind !== 'file' || wanted.bytes !== bytes) continue
      const digest = bytes === 0 ? EMPTY_SHA256 : digests.get(offset)
      if (digest !== wanted.sha256) differences.push({ path: name, code: 'other-content' })
    }
  }
  const isFaithful = found.sha256 === sha256
  if (!isFaithful && differences.length === 0) differences.push({ code: 'other-bytes' })
  return { differences, isFaithful, uncached: found.uncached }
}

/** The image on a medium, or why it cannot be read or is another one. */
async function openLabelled(path: string, label: string): Promise<Volume | Difference> {
  try {
    const image = await openImage(path)
    return image.label === label ? image : { code: 'written-label', label: image.label }
  } catch (thrown) {
    return { code: 'unreadable-volume', failure: AppError.from(thrown) }
  }
}

type PlacedFile = ContentPlace & { readonly name: string }

async function placedFiles(medium: Volume, signal: AbortSignal): Promise<PlacedFile[]> {
  const files: PlacedFile[] = []
  for (const [name, { kind }] of await medium.tree(signal)) {
    const place = kind === 'file' ? await medium.placeOf(name) : null
    if (place) files.push({ name, ...place })
  }
  return files
}

/** Files by where they are, each place once: files with the same content may share theirs. */
function distinctPlaces(files: readonly PlacedFile[], length: number): PlacedFile[] {
  const byOffset = new Map<number, PlacedFile>()
  for (const file of files) if (file.bytes > 0 && !byOffset.has(file.offset)) byOffset.set(file.offset, file)
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
function inFile(failure: AppError, label: string, files: readonly PlacedFile[]): AppError {
  const byte = Number(/ at byte (\d+):/.exec(failure.message)?.[1] ?? Number.NaN)
  const file = files.find(({ offset, bytes }) => byte >= offset && byte < offset + bytes)
  if (!file) return failure
  const message = said`cannot read back ${pathForDisplay(file.name)} on ${label}: ${failure.message.replace(/^.*?: /, '')}`
  return new AppError(failure.code, message, { path: file.name })
}
