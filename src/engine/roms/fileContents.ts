import type { DigestKind, Digests } from '../../domain/roms/dat'
import {
  detectHeader,
  type HeaderDetector,
  possibleBytes,
  testedRanges,
} from '../../domain/roms/headerDetectors'
import type { Content, WantedFiles } from '../../domain/roms/wantedFiles'
import { rangeOf, shortRange } from '../files/read'
import { CHD_HEAD_BYTES, chdDigest } from './chdDigest'
import { ContentDigests } from './contentDigests'
import type { ListedFile } from './listFiles'
import type { ZipMember } from './zipArchive'

/** The contents of a found file, and how they are known. */
export interface KnownContents {
  readonly contents: readonly Content[]
  readonly known: 'content' | 'header' | null
}

export interface Reading {
  readonly signal: AbortSignal
  /** Bytes that were read since the last call. */
  onBytes(bytes: number): void
}

const NOTHING: KnownContents = { contents: [], known: null }
const NO_DIGESTS: Digests = { crc: null, md5: null, sha1: null, sha256: null }

/**
 * The contents of a file by which it could be in a DAT: the whole of it, and that behind each
 * copier header. Files of sizes that no DAT has are not read but for their heads.
 * @throws AppError as reading fails
 */
export async function fileContents(
  { path, bytes }: ListedFile,
  wanted: WantedFiles,
  detectors: readonly HeaderDetector[],
  reading: Reading,
): Promise<KnownContents> {
  if (bytes === 0) return { contents: [{ ...NO_DIGESTS, bytes }], known: 'content' }
  const { signal } = reading
  if (path.toLowerCase().endsWith('.chd')) {
    const head = await shortRange({ file: path, offset: 0, bytes: Math.min(bytes, CHD_HEAD_BYTES) }, signal)
    const sha1 = chdDigest(head)
    if (sha1 !== null) return { contents: [{ ...NO_DIGESTS, sha1, bytes: null }], known: 'header' }
  }
  const contents: Content[] = []
  const read = async (offset: number, length: number, digests: ContentDigests): Promise<void> => {
    for await (const piece of rangeOf({ file: path, offset, bytes: length }, signal)) {
      digests.update(piece)
      reading.onBytes(piece.length)
    }
    contents.push({ ...digests.digests(), bytes: length })
  }
  const kinds = wanted.kindsFor(bytes)
  if (kinds.size > 0) await read(0, bytes, new ContentDigests(kinds))
  for (const detector of detectors) {
    if (!canHold(detector, bytes, wanted)) continue
    const parts = new Map<string, Uint8Array>()
    for (const { offset, length } of testedRanges(detector, bytes))
      parts.set(`${offset} ${length}`, await shortRange({ file: path, offset, bytes: length }, signal))
    const inner = detectHeader(
      detector,
      bytes,
      ({ offset, length }) => parts.get(`${offset} ${length}`) ?? null,
    )
    const innerKinds: ReadonlySet<DigestKind> = inner ? wanted.kindsFor(inner.bytes) : new Set()
    if (inner && innerKinds.size > 0)
      await read(inner.offset, inner.bytes, new ContentDigests(innerKinds, inner.operation))
  }
  return contents.length === 0 ? NOTHING : { contents, known: 'content' }
}

/** False where no size behind a header is one that a DAT has. */
function canHold(detector: HeaderDetector, bytes: number, wanted: WantedFiles): boolean {
  return possibleBytes(detector, bytes).some((inner) => inner >= 0 && wanted.kindsFor(inner).size > 0)
}

/** Longer members are not unpacked for the sake of a header: copiers' dumps are far shorter. */
const MOST_UNPACKED = 64 * 1024 * 1024

/**
 * The contents of a member of a zip: by size and CRC-32 of its directory where DATs have a CRC-32
 * of all files of this size, else by unpacking it; so too that behind each copier header.
 * @throws AppError as unpacking fails
 */
export async function memberContents(
  member: ZipMember,
  wanted: WantedFiles,
  detectors: readonly HeaderDetector[],
  { onBytes }: Reading,
): Promise<KnownContents> {
  const { bytes, crc } = member
  const stated: Content = { ...NO_DIGESTS, bytes, crc }
  if (bytes === 0) return { contents: [stated], known: 'header' }
  const contents: Content[] = [stated]
  let known: KnownContents['known'] = 'header'
  const kinds = wanted.kindsFor(bytes)
  if (kinds.size > 0 && !wanted.hasCrcOfAll(bytes)) {
    const digests = new ContentDigests(new Set([...kinds, 'crc']))
    for await (const piece of member.content()) {
      digests.update(piece)
      onBytes(piece.length)
    }
    contents[0] = { ...digests.digests(), bytes }
    known = 'content'
  }
  const headed = detectors.filter((detector) => bytes <= MOST_UNPACKED && canHold(detector, bytes, wanted))
  if (headed.length === 0 || wanted.hasContent(contents[0] as Content)) return { contents, known }
  const pieces: Uint8Array[] = []
  for await (const piece of member.content()) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  onBytes(whole.length)
  for (const detector of headed) {
    const inner = detectHeader(detector, bytes, ({ offset, length }) =>
      whole.subarray(offset, offset + length),
    )
    if (!inner) continue
    const digests = new ContentDigests(wanted.kindsFor(inner.bytes), inner.operation)
    digests.update(whole.subarray(inner.offset, inner.offset + inner.bytes))
    contents.push({ ...digests.digests(), bytes: inner.bytes })
  }
  return { contents, known: contents.length > 1 ? 'content' : known }
}
