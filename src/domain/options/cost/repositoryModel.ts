import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { chunkerNamed, meanChunkBytes } from '../../survey/chunkers'
import type { SurveyFacts } from '../facts'
import { type ChunkedRow, combinedOf, compressionOf, countedOf, forecastOf } from '../surveyFigures'
import { estimateOf, product, scaled, sum, within } from './estimateParts'

const MIB = 1024 * 1024

/**
 * The bytes that a repository keeps in addition to the data, for each of these, measured on real
 * ones.
 */
export interface RepositoryLists {
  readonly archiveBytes: number
  /** The bytes of a different chunk: header, checks and its entry in the index. */
  readonly chunkBytes: number
  /** The bytes of each mention of a chunk in the list of files. */
  readonly mentionBytes: number
  /** Per file or folder in the lists, in addition to so much of its path. */
  readonly fileBytes: number
  readonly pathShare: number
  readonly folderBytes: number
  /** As a share of all that. */
  readonly error: number
}

/**
 * The share of its data that compression leaves in a repository, off by the survey's own range and
 * this much more for chunks that are longer than the mebibyte forecast: 0.1 % and 0.3 % were seen
 * on sources and small files.
 */
const CHUNK_RATE_ERROR = 0.01

/**
 * The bytes of a repository without and with compression; null where the survey has not what it
 * takes.
 */
export function repositoryBytes(
  survey: SurveyFacts,
  chunked: ChunkedRow,
  codec: string | null,
  codecFactor: number,
  lists: RepositoryLists,
  indexBytes: number,
): Estimate | null {
  const { files, folders, symlinks } = survey.totals
  const unique = countedOf(chunked, said`distinct chunks, counted with the program’s chunker`)
  const data = codec === null ? unique : compressedChunks(survey, unique, codec, codecFactor)
  if (!data) return null
  const metadata =
    lists.archiveBytes +
    chunked.uniqueChunks * lists.chunkBytes +
    chunked.chunks * lists.mentionBytes +
    (files + folders + symlinks) * lists.fileBytes +
    (files + folders + symlinks) * survey.pathBytes * lists.pathShare +
    folders * lists.folderBytes +
    indexBytes
  return sum(
    [
      data,
      within(metadata, lists.error, 'modelled', said`metadata and index, by the sizes of real repositories`),
    ],
    codec === null
      ? said`distinct chunks and the metadata of a repository`
      : said`distinct chunks, compressed like samples of them, and the metadata of a repository`,
  )
}

function compressedChunks(
  survey: SurveyFacts,
  unique: Estimate,
  codec: string,
  factor: number,
): Estimate | null {
  const row = combinedOf(survey, 'deduplicate-compress', codec, MIB)
  const blocks = survey.fixedBlocks.find((one) => one.blockSize === MIB)
  if (!row || !blocks) return null
  if (blocks.uniqueBytes === 0) return unique
  const rate = forecastOf(row, said`compressed size of samples of distinct mebibytes`)
  const more = withRepeats(survey, unique, rate, codec, factor, blocks.uniqueBytes)
  if (more) return more
  const share = (value: number): number => Math.min(1.001, (value * factor) / blocks.uniqueBytes)
  const zeros = zerosGone(survey, unique.value, blocks.uniqueBytes)
  const ratio = estimateOf(
    {
      value: share(rate.value),
      low: share(rate.low * (1 - CHUNK_RATE_ERROR)),
      high: share(rate.high * (1 + CHUNK_RATE_ERROR)),
    },
    'modelled',
    rate.basis,
  )
  const basis = said`distinct chunks, at the rate of distinct mebibytes`
  if (zeros === 0) return product(unique, ratio, basis)
  // What is gone were zeros, which take next to nothing.
  const counted = scaled(unique, (unique.value + zeros) / Math.max(1, unique.value))
  return product(counted, ratio, basis)
}

/**
 * Where chunks find less that repeats than mebibytes do: what they hold again is that part by which
 * all records are larger than different ones. Null where they find as much.
 */
function withRepeats(
  survey: SurveyFacts,
  unique: Estimate,
  different: Estimate,
  codec: string,
  factor: number,
  blockBytes: number,
): Estimate | null {
  const all = compressionOf(survey, codec, MIB)
  const { bytes } = survey.totals
  if (!all || unique.value <= blockBytes) return null
  const packed = (chunkBytes: number, some: number, everything: number): number => {
    const again = Math.min(1, (chunkBytes - blockBytes) / (bytes - blockBytes))
    if (again <= 0) return (some * factor * chunkBytes) / blockBytes
    return factor * (some + again * Math.max(0, everything - some))
  }
  return estimateOf(
    {
      value: packed(unique.value, different.value, all.predictedBytes),
      low: packed(unique.low, different.low, all.low) * (1 - CHUNK_RATE_ERROR),
      high: packed(unique.high, different.high, all.high) * (1 + CHUNK_RATE_ERROR),
    },
    'modelled',
    said`distinct chunks, at the rates of distinct and of all mebibytes`,
  )
}

/**
 * Zeros among mebibytes that differ, of which chunks have fewer where a program's chunks end in
 * runs of them.
 */
function zerosGone(survey: SurveyFacts, chunkBytes: number, blockBytes: number): number {
  const zeros = (size: number): number =>
    survey.fixedBlocks.find((one) => one.blockSize === size)?.zeroBytes ?? 0
  const left = Math.max(0, zeros(4096) - zeros(MIB))
  return Math.min(left, Math.max(0, blockBytes - chunkBytes))
}

/**
 * Bytes of the chunks that one file of mean size is made of: all of them are read, and for a small
 * file that is one.
 */
export function meanChunk(chunked: ChunkedRow): number {
  const known = chunkerNamed(chunked.chunker)
  const longest = known ? meanChunkBytes(known) : 0
  const mean = chunked.chunks > 0 ? chunked.uniqueBytes / Math.max(1, chunked.uniqueChunks) : 0
  return longest > 0 ? Math.min(longest, mean) : mean
}
