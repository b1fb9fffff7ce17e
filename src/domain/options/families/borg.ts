import { said } from '../../../primitives/said'
import { within } from '../cost/estimateParts'
import { type RepositoryCodec, type RepositoryKind, repositoryVariants } from '../cost/repositoryVariant'
import type { SurveyFacts } from '../facts'
import { BORG_2_READERS, BORG_READERS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'

const MIB = 1024 * 1024

/**
 * Lists of borg 1.2.4, as they are and compressed, found on repositories of 4,000 and 8,000 tiny
 * files, of 150 MB without pattern and of sources: of what was added to the data 2 % was missed
 * without compression, 5 % with it.
 */
const PLAIN = {
  archiveBytes: 4500,
  chunkBytes: 44,
  mentionBytes: 41,
  fileBytes: 106,
  pathShare: 1,
  folderBytes: 0,
  error: 0.12,
}
const LISTS = {
  none: PLAIN,
  lz4: { ...PLAIN, mentionBytes: 35, fileBytes: 16, pathShare: 0.1 },
  'zstd-3': { ...PLAIN, mentionBytes: 35, fileBytes: 9, pathShare: 0.1 },
} as const

/**
 * Buckets of 40 bytes, of which at most three quarters are in use (hash_sizes and HASH_MAX_LOAD in
 * borg's _hashindex.c).
 */
const INDEX_SIZES = [
  1031, 2053, 4099, 8209, 16_411, 32_771, 65_537, 131_101, 262_147, 445_649, 757_607, 1_287_917, 2_189_459,
  3_065_243, 4_291_319, 6_007_867, 8_410_991, 11_775_359, 16_485_527, 23_079_703,
]
const INDEX_BUCKET = 40
const INDEX_LOAD = 0.75
/** Chunks of the list of files itself: one for so many bytes of it. */
const LIST_CHUNK_BYTES = 64 * 1024

/**
 * borg 1.2.4: 78 MiB for 8,000 files and for 150 MB alike; its manual has 240 bytes a file and 164
 * a chunk in memory.
 */
const RAM_BASE = 76.5 * MIB
const RAM_FILE = 240
const RAM_CHUNK = 164

const KIND: Omit<RepositoryKind, 'title' | 'chunker' | 'readers'> = {
  tool: 'borg',
  indexBytes,
  wait: 'borg',
  ram: (survey, chunks) =>
    within(
      RAM_BASE + survey.totals.files * RAM_FILE + chunks * RAM_CHUNK,
      0.1,
      'modelled',
      said`Python with borg, and what its manual gives for files and chunks`,
    ),
  packBytes: 500 * MIB,
  threads: 1,
  makers: ['linux', 'macos'],
}

/** Repositories of BorgBackup: chunks by content, each once. */
export const borgFamily: OptionFamily = {
  variants: (facts) => [
    ...repositoryVariants(
      facts,
      { ...KIND, title: 'BorgBackup', chunker: 'borg-1', readers: BORG_READERS },
      codecs(1),
    ),
    ...repositoryVariants(
      facts,
      {
        ...KIND,
        title: 'BorgBackup 2',
        chunker: 'borg-2',
        readers: BORG_2_READERS,
        notes: [said`BorgBackup 2 is in beta; its metadata is assumed to be as large as that of version 1.`],
      },
      codecs(2),
    ),
  ],
}

function codecs(version: 1 | 2): RepositoryCodec[] {
  return (['none', 'lz4', 'zstd-3'] as const).map((codec) => ({
    recipe: { family: 'borg', version, codec },
    codec: codec === 'none' ? null : codec,
    codecFactor: 1,
    // Version 2 has lists of its own, which were not measured.
    lists: version === 1 ? LISTS[codec] : { ...LISTS[codec], error: 0.5 },
    // zstd's tables, which borg makes anew for each chunk.
    isByChunk: codec === 'zstd-3',
  }))
}

function indexBytes(survey: SurveyFacts, uniqueChunks: number): number {
  const { files, folders } = survey.totals
  const lists =
    ((files + folders) * (PLAIN.fileBytes + PLAIN.mentionBytes + survey.pathBytes)) / LIST_CHUNK_BYTES
  const buckets = (uniqueChunks + lists + 8) / INDEX_LOAD
  const size = INDEX_SIZES.find((one) => one >= buckets) ?? buckets * 1.15
  return 18 + size * INDEX_BUCKET
}
