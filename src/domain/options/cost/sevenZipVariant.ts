import type { Estimate } from '../../../primitives/estimate'
import { EVERYWHERE, SEVEN_ZIP_READERS } from '../choice/readers'
import type { MachineFacts, OptionFacts } from '../facts'
import type { Variant } from '../recipes/variant'
import { type VariantDraft, variantOf } from '../recipes/variantDraft'
import { meanFileBytes } from '../surveyFigures'
import { estimateOf, scaled, within } from './estimateParts'
import { packRam, unpackRam } from './lzmaMemory'
import { atPace } from './machinePace'

/** AES-256 of 7-Zip: processors with instructions for it encrypt at a gigabyte in a second and more. */
const ENCRYPTION_SECONDS_PER_BYTE = 1e-9

/**
 * 7-Zip takes its time for each byte of the archive that holds symbols, and for copying each byte that comes out; what has no pattern is
 * stored. About 30 ns and 1 ns for archives of images of disks, sources and media.
 */
const SYMBOL_SECONDS = 30e-9
const COPIED_SECONDS = 1e-9
const UNPACK_ERROR = 0.6

function unpackSolid(bytes: number, storedBytes: number, machine: MachineFacts): Estimate {
  const ratio = bytes > 0 ? Math.min(1, storedBytes / bytes) : 0
  const value = storedBytes * (1 - ratio) * SYMBOL_SECONDS + bytes * COPIED_SECONDS
  return atPace(within(value, UNPACK_ERROR, 'assumed', 'unpacking by 7-Zip, measured on Linux'), machine)
}

/** How the archives are made that a variant consists of. */
export interface SevenZipArchives {
  readonly dictionaryBytes: number
  /** What the longest stream of one dictionary holds, unpacked, and what a stream holds on average. */
  readonly streamBytes: number
  readonly meanStreamBytes?: number
  /** Of the largest archive. */
  readonly files: number
  readonly packSeconds: Estimate
}

/** What sets one kind of 7z archives apart from the others. */
export type SevenZipRest = Pick<VariantDraft, 'recipe' | 'title' | 'reduction' | 'storedBytes'> &
  Partial<VariantDraft>

/** What all 7z archives have in common, memory and unpacking by the dictionary. */
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
 * For one file the stream that it is in has to be unpacked up to its end: half of it on average, anything from the file alone to all.
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
