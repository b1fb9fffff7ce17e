import { availableParallelism } from 'node:os'
import { dealt } from '../../../domain/sets/protection/recoverySets'
import {
  descriptionName,
  recoveryName,
  type VolumeProtection,
} from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { requireSpace } from '../../files/freeSpace'
import { folderOf } from '../../files/write'
import {
  type ImageFailure,
  type RawContentSource,
  type WritingWatch,
  writeProtectedImage,
} from '../../native/discImage'
import { type FilePart, md5Ranges } from '../../native/protection'
import { md5, type Par2File, par2Set, recoveryHeads, START_BYTES } from '../../protection/par2Packets'
import { firstBlocks } from '../../protection/par2Set'
import type { OwnLayout } from './ownLayout'
import { protectedContents, type StoredContent } from './protectedContents'
import { RECOVERY_RANK } from './recoveryFiles'
import { bytesReadAgain, plannedAgain, recoveryParts, recoveryStart } from './recoveryParts'

/** The sources of an image. */
interface Origins {
  readonly sources: readonly RawContentSource[]
}

/** How recovery data is made. */
export interface RecoveryMaking {
  readonly protection: VolumeProtection
  /** Stowage's own on the image. */
  readonly folder: string
  /** For recovery blocks: past it they are made in parts, for which the files are read again. */
  readonly memoryBytes: number
  readonly scratch: ScratchPlace
}

/** Where an image goes. */
export interface ImageOutput {
  /** An open file or pipe. */
  readonly output: number
  readonly scratch: ScratchPlace
}

/**
 * Where a file takes recovery blocks meanwhile, if memory is too little for them. It has no name
 * there and ends with the work, also where that is killed.
 */
export interface ScratchPlace {
  /** Where nothing is. */
  readonly path: string
  /** The bytes that are written to the same disk meanwhile. */
  readonly besides: number
}

/** A content with the digest of its first 16 KiB, as it was before the pass. */
interface StartedContent extends StoredContent {
  readonly name: string
  readonly start: Uint8Array
}

/**
 * Writes an image with recovery data: the starts of all files are read first, then each source
 * once for the image, all digests and the recovery blocks.
 * @param watch takes bytes of the image up to its recovery files, then `plannedAgain` for the bytes
 *   that are read again where memory is too little, then the rest of the image
 * @returns null when it is whole
 * @throws AppError naming a source whose start cannot be read; `cancelled`
 */
export async function writeWithRecovery(
  own: OwnLayout,
  { sources }: Origins,
  { protection, folder, memoryBytes, scratch }: RecoveryMaking,
  output: number,
  watch: WritingWatch,
): Promise<ImageFailure | null> {
  const { blockBytes } = protection
  const { partBytes, scratchBytes } = recoveryParts(protection, memoryBytes)
  if (scratchBytes > 0)
    await requireSpace(folderOf(scratch.path), scratchBytes + scratch.besides, 'make recovery data')
  const stored = await withStarts(own, sources, watch)
  const piles = dealt(stored, protection.sets.length)
  const places = piles.flatMap((pile, set) => {
    const first = firstBlocks(pile, (at) => (pile[at] as StartedContent).start, blockBytes)
    return pile.map(({ entry }, at) => ({ entry, set, first: first[at] ?? 0 }))
  })
  const again = bytesReadAgain(stored, blockBytes, partBytes)
  const columns = {
    blockBytes,
    partBytes,
    scratch: pathToBytes(scratch.path),
    recoveryBlocks: protection.sets.map(({ recoveryBlocks }) => recoveryBlocks),
    restRank: RECOVERY_RANK,
    threads: availableParallelism(),
    entries: Uint32Array.from(places, ({ entry }) => entry),
    sets: Uint32Array.from(places, ({ set }) => set),
    firstBlocks: Float64Array.from(places, ({ first }) => first),
  }
  return writeProtectedImage(
    own.layout,
    output,
    { sources, protection: columns },
    (checks) => {
      const found = fileChecks(checks, own, blockBytes)
      const changed = stored.find(({ entry, start }) => !found.get(entry)?.md5OfStart.equals(start))
      if (changed) return { entry: changed.entry, code: 'changed', cause: said`its content has changed` }
      return piles.flatMap((pile, set) => {
        const files = pile.map(
          (content): Par2File => ({ ...content, ...(found.get(content.entry) as Checks) }),
        )
        return recoverySources(files, set, protection, (name) => entryOf(own, `${folder}/${name}`))
      })
    },
    watchedInSteps(watch, recoveryStart(protection), again, plannedAgain(protection, memoryBytes)),
  )
}

/** Counts as many bytes that are read again as were planned. */
function watchedInSteps(
  { signal, onBytes }: WritingWatch,
  start: number,
  again: number,
  planned: number,
): WritingWatch {
  if (onBytes === undefined) return { signal }
  return {
    signal,
    onBytes: (done) => {
      const past = Math.max(0, Math.min(again, done - start))
      onBytes(Math.floor(done - past + (again > 0 ? (planned * past) / again : 0)))
    },
  }
}

/** The sources of the two files of a set. */
function recoverySources(
  files: readonly Par2File[],
  set: number,
  { blockBytes, sets }: VolumeProtection,
  entryNamed: (name: string) => number,
): RawContentSource[] {
  const count = sets[set]?.recoveryBlocks ?? 0
  const { identity, described } = par2Set(blockBytes, files)
  const exponents = Uint16Array.from({ length: count }, (_, at) => at)
  const heads = recoveryHeads(identity, blockBytes, exponents)
  return [
    { entry: entryNamed(descriptionName(set + 1)), content: described },
    { entry: entryNamed(recoveryName(set + 1, count)), set, heads, frame: described },
  ]
}

function entryOf({ contents }: OwnLayout, path: string): number {
  const entry = contents.numbers.get(path)
  if (entry === undefined) throw new AppError('internal', `an image without its recovery file ${path}`)
  return entry
}

interface Checks {
  readonly md5: Buffer
  readonly md5OfStart: Buffer
  readonly blocks: Buffer
}

/** The checks of each file by its entry. */
function fileChecks(
  { entries, files, blocks }: { entries: Uint32Array; files: Uint8Array; blocks: Uint8Array },
  { contents }: OwnLayout,
  blockBytes: number,
): Map<number, Checks> {
  const found = new Map<number, Checks>()
  let block = 0
  for (const [at, entry] of entries.entries()) {
    const end = block + Math.ceil((contents.entries.bytes[entry] ?? 0) / blockBytes)
    found.set(entry, {
      md5: Buffer.from(files.subarray(32 * at, 32 * at + 16)),
      md5OfStart: Buffer.from(files.subarray(32 * at + 16, 32 * at + 32)),
      blocks: Buffer.from(blocks.subarray(20 * block, 20 * end)),
    })
    block = end
  }
  return found
}

/** Reads the first 16 KiB of each content that recovery data is made of. */
async function withStarts(
  own: OwnLayout,
  sources: readonly RawContentSource[],
  { signal }: WritingWatch,
): Promise<StartedContent[]> {
  const { contents } = own.contents.entries
  const sourceOf = new Map(sources.map((source) => [source.entry, source]))
  const started: StartedContent[] = []
  const read: FilePart[] = []
  const unread: StoredContent[] = []
  for (const content of protectedContents(own)) {
    // A content with very many names may be on the image twice.
    const source = sourceOf.get(content.entry) ?? sourceOf.get(contents[content.entry] ?? 0)
    if (!source) throw new AppError('internal', `a file without a source: ${content.path}`)
    const bytes = Math.min(content.bytes, START_BYTES)
    if ('path' in source) {
      read.push({ path: pathFromBytes(source.path), offset: source.offset, bytes })
      unread.push(content)
    } else if ('content' in source) {
      started.push({ ...content, name: content.path, start: md5(source.content.subarray(0, bytes)) })
    }
  }
  const digests = await md5Ranges(read, { signal })
  for (const [at, content] of unread.entries())
    started.push({ ...content, name: content.path, start: digests.subarray(16 * at, 16 * at + 16) })
  return started.toSorted((one, other) => one.sector - other.sector)
}
