import type { Estimate } from '../../../primitives/estimate'
import { EVERYWHERE, SEVEN_ZIP_READERS } from '../choice/readers'
import type { MachineFacts, OptionFacts } from '../facts'
import type { Variant } from '../recipes/variant'
import { type VariantDraft, variantOf } from '../recipes/variantDraft'
import { meanFileBytes } from '../surveyFigures'
import { estimateOf, product, scaled, sum, within } from './estimateParts'
import { packRam, unpackRam } from './lzmaMemory'
import { atPace } from './machinePace'

/**
 * AES-256 of 7-Zip: processors with instructions for it encrypt at a gigabyte in a second and more.
 */
const ENCRYPTION_SECONDS_PER_BYTE = 1e-9

/**
 * 7-Zip takes its time for each stored byte that holds symbols, and for copying each byte that
 * comes out. Archives of sources, a program, packed media and images of disks, 47 to 92 MB each,
 * took what this gives within 15 %, and images of disks 0.6 of it once (7-Zip 26.03, one thread).
 */
const SYMBOL_SECONDS = 40e-9
const COPIED_SECONDS = 1.5e-9
const UNPACK_ERROR = 0.4
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
  const basis = 'unpacking by 7-Zip, measured on Linux'
  const symbols = estimateOf(
    {
      value: share,
      low: share < 1 ? share * (1 - SYMBOLS_ERROR) : 1,
      high: Math.min(1, share / SYMBOLS_ERROR),
    },
    'assumed',
    basis,
  )
  const each = within(storedBytes * SYMBOL_SECONDS, UNPACK_ERROR, 'assumed', basis)
  const copied = within(bytes * COPIED_SECONDS, UNPACK_ERROR, 'assumed', basis)
  return atPace(sum([product(symbols, each, basis), copied], basis), machine)
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
      secondsPerByte: ENCRYPTION_SECONDS_PER_BYTE,
      provenance: 'assumed',
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
        ? 'data before a file must be unpacked too: half of the archive on average'
        : 'the file alone',
    )
  return { fetchBytes: of(scaled(stored, 1)), fetchSeconds: of(unpackSeconds) }
}
