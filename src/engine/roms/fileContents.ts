import type { DigestKind, Digests } from '../../domain/roms/dat'
import {
  detectHeader,
  type HeaderDetector,
  possibleBytes,
  testedRanges,
} from '../../domain/roms/headerDetectors'
import type { Content, WantedFiles } from '../../domain/roms/wantedFiles'
import { rangeOf, shortRange } from '../files/read'
import type { ArchiveMember } from './archives/archiveMember'
import { CHD_HEAD_BYTES, chdDigest } from './chdDigest'
import { ContentDigests } from './contentDigests'
import type { ListedFile } from './listFiles'

/** The contents of a found file, and how they are known. */
export interface KnownContents {
  readonly contents: readonly Content[]
  readonly known: 'content' | 'header' | null
}

export interface Reading {
  readonly signal: AbortSignal
  /** Bytes whose checksums were computed since the last call. */
  onBytes(bytes: number): void
}

/** The contents of what is not read. */
export const UNREAD: KnownContents = { contents: [], known: null }
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
  return contents.length === 0 ? UNREAD : { contents, known: 'content' }
}

/** False where no size behind a header is one that a DAT has. */
function canHold(detector: HeaderDetector, bytes: number, wanted: WantedFiles): boolean {
  return possibleBytes(detector, bytes).some((inner) => inner >= 0 && wanted.kindsFor(inner).size > 0)
}

/** Longer members are not unpacked for the sake of a header: copiers' dumps are far shorter. */
const MOST_UNPACKED = 64 * 1024 * 1024

/**
 * The contents of a member of an archive: by the size and CRC-32 that the archive states where DATs
 * have a CRC-32 of all files of this size, else by its content, which is handed over in pieces; so
 * too that behind each copier header.
 */
export class MemberContents {
  readonly #wanted: WantedFiles
  readonly #detectors: readonly HeaderDetector[]
  readonly #stated: Content
  /** The checksums of the whole content; null where it is not needed. */
  readonly #digests: ContentDigests | null
  readonly #isComputed: boolean
  readonly #pieces: Uint8Array[] = []
  #taken = 0
  #whole: Content | null = null

  constructor(
    { bytes, crc }: Pick<ArchiveMember, 'bytes' | 'crc'>,
    wanted: WantedFiles,
    detectors: readonly HeaderDetector[],
  ) {
    this.#wanted = wanted
    this.#stated = { ...NO_DIGESTS, bytes, crc }
    const kinds = wanted.kindsFor(bytes)
    this.#isComputed = bytes > 0 && kinds.size > 0 && (crc === null || !wanted.hasCrcOfAll(bytes))
    const isKnown = bytes === 0 || (!this.#isComputed && wanted.hasContent(this.#stated))
    this.#detectors = isKnown
      ? []
      : detectors.filter((detector) => bytes <= MOST_UNPACKED && canHold(detector, bytes, wanted))
    const isNeeded = this.#isComputed || this.#detectors.length > 0
    this.#digests = isNeeded ? new ContentDigests(new Set([...(this.#isComputed ? kinds : []), 'crc'])) : null
  }

  /** True where the content has to be handed over. */
  get isNeeded(): boolean {
    return this.#digests !== null
  }

  /** False for a content that was handed over and is not the one that the archive states. */
  get isAsStated(): boolean {
    const { bytes, crc } = this.#stated
    return this.#taken === bytes && (crc === null || this.#content().crc === crc)
  }

  update(piece: Uint8Array): void {
    this.#taken += piece.length
    this.#digests?.update(piece)
    if (this.#detectors.length > 0) this.#pieces.push(Uint8Array.from(piece))
  }

  /** The contents, once the whole has been handed over if it is needed. */
  known(): KnownContents {
    const content = this.#isComputed ? this.#content() : this.#stated
    const isStated = content.crc !== null || content.bytes === 0
    const contents: Content[] = isStated ? [content] : []
    const isKnown = this.#wanted.hasContent(content)
    const whole = isKnown ? null : Buffer.concat(this.#pieces)
    for (const detector of isKnown ? [] : this.#detectors) {
      const inner =
        whole &&
        detectHeader(detector, whole.length, ({ offset, length }) => whole.subarray(offset, offset + length))
      if (!inner) continue
      const digests = new ContentDigests(this.#wanted.kindsFor(inner.bytes), inner.operation)
      digests.update(whole.subarray(inner.offset, inner.offset + inner.bytes))
      contents.push({ ...digests.digests(), bytes: inner.bytes })
    }
    this.#pieces.length = 0
    if (contents.length === 0) return UNREAD
    const isHeader = !this.#isComputed && contents.length === 1 && isStated
    return { contents, known: isHeader ? 'header' : 'content' }
  }

  #content(): Content {
    if (this.#digests === null) return this.#stated
    this.#whole ??= { ...this.#digests.digests(), bytes: this.#taken }
    return this.#whole
  }
}
