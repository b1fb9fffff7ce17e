import type { Estimate } from '../../../primitives/estimate'
import { within } from './estimateParts'

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
export function packRam(dictionaryBytes: number, streamBytes: number, files: number): Estimate {
  const dictionary = Math.min(dictionaryBytes, Math.max(4096, streamBytes))
  const window = Math.min(streamBytes, 1.5 * dictionary + MIB / 2)
  return within(
    BASE_RAM + files * FILE_RAM + 8 * dictionary + window + hashBytes(dictionary),
    RAM_ERROR,
    'modelled',
    'the tables of LZMA for this dictionary, by the source of 7-Zip',
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

export function unpackRam(dictionaryBytes: number, streamBytes: number, files: number): Estimate {
  return within(
    UNPACK_RAM + files * FILE_RAM + Math.min(dictionaryBytes, Math.max(4096, streamBytes)),
    RAM_ERROR,
    'modelled',
    'the dictionary and some mebibytes',
  )
}
