import type { Estimate } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { packWork, unpackWork } from '../cost/codecTimes'
import { estimateOf, scaled, sumTogether, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts, SurveyFacts } from '../facts'
import { EVERYWHERE, SQUASHFS_LZ4_READERS, SQUASHFS_READERS, SQUASHFS_ZSTD_READERS } from '../recipes/readers'
import type { RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Reader, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import {
  combinedOf,
  compressionOf,
  filesFrom,
  meanFileBytes,
  patternedBytes,
  sharedBlockSaving,
} from '../surveyFigures'

const KIB = 1024
const MIB = 1024 * KIB

interface Kind {
  readonly name: RecipeOf<'squashfs'>['codec']
  readonly codec: string
  /** The survey's codecs whose rate stands for it, the nearest first. */
  readonly like: readonly string[]
  readonly blockBytes: number
  readonly readers: readonly Reader[]
}

const KINDS: readonly Kind[] = [128 * KIB, MIB].flatMap((blockBytes): Kind[] => [
  { name: 'gzip', codec: 'gzip-9', like: ['gzip-9', 'gzip-6'], blockBytes, readers: SQUASHFS_READERS },
  { name: 'lz4', codec: 'lz4', like: ['lz4'], blockBytes, readers: SQUASHFS_LZ4_READERS },
  { name: 'zstd-3', codec: 'zstd-3', like: ['zstd-3'], blockBytes, readers: SQUASHFS_ZSTD_READERS },
])

/**
 * The bytes of a file or folder in the image: its inode, entry and block list, compressed; 20 to 35
 * were measured.
 */
const INODE_BYTES = 25
const INODE_ERROR = 0.5
const BLOCK_ENTRY_BYTES = 3
const SUPERBLOCK_BYTES = 4096

/** As the builder has it with -mem. */
const ALLOWED_RAM = 256 * MIB
/**
 * Buffers for reading are filled by what is read ahead: the more, the slower the codec is than the
 * reader (docs/methods/constants.md).
 */
const RAM_BASE = 28 * MIB
const RAM_SHARE = 0.5
const RAM_MOST = 182 * MIB
const RAM_RANGE = { low: 0.45, high: 1.55 }
const USE_RAM = 8 * MIB

/**
 * zlib, which mksquashfs has, is a little quicker than the deflate of gzip: 0.6 to 1 of its time on
 * six sets.
 */
const ZLIB_SHARE = 0.9

/**
 * Read-only images of Linux: blocks compressed by themselves, equal files once, short ends packed
 * together.
 */
export const squashfsFamily: OptionFamily = {
  variants: (facts) => KINDS.flatMap((kind) => variant(facts, kind) ?? []),
}

function variant(facts: OptionFacts, kind: Kind): Variant | null {
  const { survey, machine } = facts
  const stored = imageBytes(survey, kind)
  if (!stored) return null
  const row = rowOf(survey, kind)
  const { files, bytes } = survey.totals
  const unique = bytes - survey.duplicateFiles.bytes
  // mksquashfs packs blocks before it looks whether the file is there already; of shorter files it looks first.
  const long = bytes > 0 ? filesFrom(survey, kind.blockBytes).bytes / bytes : 0
  const taken = unique + long * survey.duplicateFiles.bytes
  const packing = packWork(
    Math.min(patternedBytes(survey), taken),
    row?.codec ?? '',
    kind.blockBytes,
    facts,
    said`blocks of distinct files`,
  )
  if (!row || !packing) return null
  const making = workTime('squashfs.pack', { file: files, byte: bytes }, machine)
  const zlib = kind.codec.startsWith('gzip') ? ZLIB_SHARE : 1
  const unpackSeconds = unpackWork(bytes, kind.codec, row, machine)
  const mean = meanFileBytes(survey)
  const block = Math.min(Math.max(mean, kind.blockBytes / 2), kind.blockBytes + mean)
  const size = formatBlockSize(kind.blockBytes)
  const ram = Math.min(RAM_MOST, RAM_BASE + RAM_SHARE * taken)
  const basis = said`blocks at the rate of samples, and the other work of mksquashfs`
  return variantOf({
    recipe: { family: 'squashfs', codec: kind.name, blockBytes: kind.blockBytes },
    title: said`SquashFS image, ${kind.name}, blocks of ${size}`,
    container: 'squashfs',
    reduction: 'compression',
    codec: kind.codec,
    recordBytes: kind.blockBytes,
    storedBytes: stored,
    packSeconds: sumTogether([scaled(packing, zlib), making], basis),
    packThreads: machine.cores,
    packRamBytes: estimateOf(
      { value: ram, low: ram * RAM_RANGE.low, high: Math.min(ALLOWED_RAM, ram * RAM_RANGE.high) },
      'modelled',
      said`buffers of mksquashfs, which -mem 256M keeps below 256 MiB`,
    ),
    unpackSeconds,
    unpackThreads: machine.cores,
    useRamBytes: within(USE_RAM, 0.5, 'assumed', said`the system can drop its cache of it at any time`),
    fetchBytes: within(
      bytes > 0 ? (block * stored.value) / bytes : 0,
      0.5,
      'modelled',
      said`the blocks that the file lies in`,
    ),
    fetchSeconds: unpackWork(block, kind.codec, row, machine),
    access: 'mount',
    readers: kind.readers,
    makers: EVERYWHERE.filter((system) => system !== 'windows'),
    notes: [said`Duplicate files are stored once.`],
  })
}

function rowOf(survey: SurveyFacts, kind: Kind) {
  return kind.like
    .map((codec) => compressionOf(survey, codec, kind.blockBytes))
    .find((row) => row !== undefined)
}

/** Null where the survey has not sampled such blocks. */
function imageBytes(survey: SurveyFacts, kind: Kind): Estimate | null {
  const row = rowOf(survey, kind)
  if (!row) return null
  const { files, folders, symlinks, bytes } = survey.totals
  const unique = uniqueShare(survey, row.codec)
  const saved = sharedBlockSaving(survey, kind.codec, kind.blockBytes)
  const inodes = (files + folders + symlinks) * INODE_BYTES + (bytes / kind.blockBytes) * BLOCK_ENTRY_BYTES
  const up = (value: number): number => Math.ceil(value / SUPERBLOCK_BYTES) * SUPERBLOCK_BYTES
  const apart = row.predictedBytes * unique
  const data = Math.max(0, apart - saved.value)
  const below = Math.hypot((row.predictedBytes - row.low) * unique, saved.high - saved.value)
  const above = Math.hypot((row.high - row.predictedBytes) * unique, saved.value - saved.low)
  const rest = INODE_ERROR * inodes
  return estimateOf(
    {
      value: up(data + inodes),
      low: up(Math.max(0, data + inodes - Math.hypot(below, rest))),
      high: up(data + inodes + Math.hypot(above, rest)),
    },
    'modelled',
    said`blocks of distinct files, compressed like samples, short files sharing blocks, and the metadata`,
  )
}

/** How much of the compressed bytes stays when equal files are kept once. */
function uniqueShare(survey: SurveyFacts, codec: string): number {
  const all = compressionOf(survey, codec, null)
  const once = combinedOf(survey, 'compress-deduplicate', codec, null)
  if (all && once && all.predictedBytes > 0) return Math.min(1, once.predictedBytes / all.predictedBytes)
  const { bytes } = survey.totals
  return bytes > 0 ? Math.max(0, 1 - survey.duplicateFiles.bytes / bytes) : 1
}
