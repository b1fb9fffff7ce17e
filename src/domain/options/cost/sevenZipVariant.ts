import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MachineFacts, OptionFacts } from '../facts'
import { EVERYWHERE, SEVEN_ZIP_READERS } from '../recipes/readers'
import type { Variant } from '../recipes/variant'
import { type VariantDraft, variantOf } from '../recipes/variantDraft'
import { meanFileBytes } from '../surveyFigures'
import { estimateOf, product, scaled, sum, within } from './estimateParts'
import { workTime } from './rates'

const MIB = 1024 * 1024

/**
 * Memory of the program besides the encoder, and for each file in its lists; seen on those sets,
 * within 4 % (7 % for cartridges).
 */
const BASE_RAM = 7 * MIB
const FILE_RAM = 650
const RAM_ERROR = 0.08
/** Memory of the decoder besides the dictionary; seen on those sets. */
const UNPACK_RAM = 6 * MIB

/**
 * Memory while packing: two trees of four bytes for each byte of the dictionary, its window half as
 * long again, and a hash table (MatchFinder_Create in 7-Zip's LzFind.c). The dictionary is cut to
 * what there is to pack, and what is not filled is not touched.
 */
function packRam(dictionaryBytes: number, streamBytes: number, files: number): Estimate {
  const dictionary = Math.min(dictionaryBytes, Math.max(4096, streamBytes))
  const window = Math.min(streamBytes, 1.5 * dictionary + MIB / 2)
  return within(
    BASE_RAM + files * FILE_RAM + 8 * dictionary + window + hashBytes(dictionary),
    RAM_ERROR,
    'modelled',
    said`the tables of LZMA for this dictionary, by the source of 7-Zip`,
  )
}

/**
 * Four bytes for each entry; the number of entries is a power of two (MatchFinder_GetHashMask in
 * LzFind.c).
 */
function hashBytes(dictionary: number): number {
  let mask = 2 ** Math.ceil(Math.log2(Math.max(2, dictionary))) / 2 - 1
  if (mask >= 2 ** 24) mask = Math.floor(mask / 2)
  return 4 * (Math.max(mask, 2 ** 16 - 1) + 1)
}

function unpackRam(dictionaryBytes: number, streamBytes: number, files: number): Estimate {
  return within(
    UNPACK_RAM + files * FILE_RAM + Math.min(dictionaryBytes, Math.max(4096, streamBytes)),
    RAM_ERROR,
    'modelled',
    said`the dictionary and some mebibytes`,
  )
}

/**
 * Chunks that save nothing are stored, without symbols: where an archive saves this share, all of
 * its chunks are taken to have symbols, and fewer where it saves less. Of packed media that saved
 * 1.8 %, 0.4 had; of others that saved 0.08 %, none.
 */
const SAVED_BY_ALL = 0.04
const SYMBOLS_ERROR = 0.5

function unpackSolid(bytes: number, storedBytes: number, machine: MachineFacts): Estimate {
  const saved = bytes > 0 ? Math.max(0, 1 - storedBytes / bytes) : 0
  const share = Math.min(1, saved / SAVED_BY_ALL)
  const span = { value: share, low: share, high: share }
  if (share < 1) Object.assign(span, { low: share * SYMBOLS_ERROR, high: Math.min(1, share / SYMBOLS_ERROR) })
  const symbols = estimateOf(span, 'assumed', said`bytes that hold symbols`)
  const copied = workTime('7z.unpack', { byte: bytes }, machine)
  const decoded = workTime('7z.unpack', { storedByte: storedBytes }, machine)
  return sum([product(symbols, decoded, decoded.basis), copied], decoded.basis)
}

/** How the archives are made that a variant consists of. */
export interface SevenZipArchives {
  readonly dictionaryBytes: number
  /** The unpacked bytes of the longest stream of one dictionary, and the mean of all streams. */
  readonly streamBytes: number
  readonly meanStreamBytes?: number
  /** The files of the largest archive. */
  readonly files: number
  readonly packSeconds: Estimate
}

/** The properties by which one kind of 7z archives differs from the others. */
export type SevenZipRest = Pick<VariantDraft, 'recipe' | 'title' | 'reduction' | 'storedBytes'> &
  Partial<VariantDraft>

/** The common part of all 7z archives: memory and unpacking by the dictionary. */
export function sevenZip(
  { survey, machine }: OptionFacts,
  archives: SevenZipArchives,
  rest: SevenZipRest,
): Variant {
  const { dictionaryBytes, streamBytes, files } = archives
  const { bytes } = survey.totals
  const unpackSeconds = unpackSolid(bytes, rest.storedBytes.value, machine)
  const stream = archives.meanStreamBytes ?? streamBytes
  return variantOf({
    container: '7z',
    codec: 'lzma2-9',
    dictionaryBytes,
    packSeconds: archives.packSeconds,
    packRamBytes: packRam(dictionaryBytes, streamBytes, files),
    unpackSeconds,
    useRamBytes: unpackRam(dictionaryBytes, streamBytes, files),
    ...fetchOf(stream, meanFileBytes(survey), bytes, rest.storedBytes, unpackSeconds),
    access: 'extract',
    readers: SEVEN_ZIP_READERS,
    makers: EVERYWHERE,
    encryption: {
      kinds: ['none', 'aes-256'],
      isWork: true,
    },
    ...rest,
  })
}

/**
 * For one file the stream that it is in has to be unpacked up to its end: half of it on average,
 * anything from the file alone to all.
 */
export function fetchOf(
  stream: number,
  file: number,
  allBytes: number,
  stored: Estimate,
  unpackSeconds: Estimate,
): { fetchBytes: Estimate; fetchSeconds: Estimate } {
  const share = (bytes: number): number => (allBytes > 0 ? Math.min(1, bytes / allBytes) : 0)
  const least = share(file)
  const most = Math.max(least, share(stream))
  const middle = Math.max(least, share((stream + file) / 2))
  const of = (all: Estimate): Estimate =>
    estimateOf(
      { value: all.value * middle, low: all.low * least, high: all.high * most },
      all.provenance === 'exact' ? 'modelled' : all.provenance,
      stream > file
        ? said`data before a file must be unpacked too: half of the archive on average`
        : said`the file alone`,
    )
  return { fetchBytes: of(scaled(stored, 1)), fetchSeconds: of(unpackSeconds) }
}
