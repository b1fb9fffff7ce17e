import type { MediumKind } from '../../media/medium'
import type { InventoryKind } from './inventory'

/**
 * The costs of entries on a volume in addition to their content. Costs are bytes that may be added
 * up in any grouping: the sum, rounded up to sectors, is an upper bound of the volume's size.
 */
export interface CostModel {
  readonly sectorBytes: number
  /** The bytes of every volume, however little it holds. */
  readonly baseBytes: number
  /** The part of `baseBytes` that no volume can be without, for lower bounds. */
  readonly leastBaseBytes: number
  /** The longest name that the volume's format holds, in bytes. */
  readonly maxNameBytes: number
  /** A name's records in its folder. `targetBytes` is the length of a symlink's target. */
  entryBytes(kind: InventoryKind, nameBytes: number, contentBytes: number, targetBytes: number): number
  /**
   * The bytes of a folder itself. `spills`: true when an entry in it may need more room than a
   * record has.
   */
  folderBytes(nameBytes: number, spills: boolean): number
  /** True when such an entry makes its folder spill. */
  spills(kind: InventoryKind, nameBytes: number): boolean
  /** A lower bound of what one entry of any kind adds to a volume besides its content. */
  readonly leastEntryBytes: number
  /** A lower bound of what a file adds besides that, which lies on the volume of its content. */
  readonly leastFileBytes: number
}

const ISO_SECTOR = 2048
/**
 * A directory record has at most 254 bytes and never crosses a sector, so a sector that is followed
 * by another one holds at least 2048 - 253 bytes of records. Bound: record bytes are overstated by
 * at most 2048 / 1795 = 14.1 %.
 */
const RECORD_SPREAD = ISO_SECTOR / (ISO_SECTOR - 253)
/** PX 36, TF 26 and the header of NM 5: the Rock Ridge fields of every entry. */
const ROCK_RIDGE_FIELDS = 36 + 26 + 5
/** The serial number in PX, which Rock Ridge 1.10 does not have. */
const SERIAL_NUMBER = 8
const CONTINUATION_POINTER = 28
/**
 * A System Use field holds at most 255 bytes, 5 of them header, so long names and targets repeat
 * the header.
 */
const FIELD_BYTES = 250
const LONGEST_RECORD = 254
/**
 * Names of ISO 9660 have at most 31 characters, a file's with `;1`. Always assuming them overstates
 * a record by at most 30 bytes.
 */
const ISO_FOLDER_NAME = 31
const ISO_FILE_NAME = 33
const LARGEST_EXTENT = 0xffffffff
const NEXT_EXTENT = 0xfffff800

/**
 * The descriptors up to UDF's anchor and its tree (259), the root's entry and list (2), the second
 * anchor and the filling up to 32 sectors.
 */
const LEAST_SECTORS = 259 + 2 + 32

const even = (value: number): number => value + (value % 2)

/** A record and what of it goes to the continuation area. */
function isoRecord(identifier: number, systemUse: number): number {
  const record = 33 + even(identifier) + systemUse
  if (record <= LONGEST_RECORD) return record
  return record + CONTINUATION_POINTER + 5 * Math.ceil(systemUse / FIELD_BYTES)
}

function isoEntryBytes(
  kind: InventoryKind,
  nameBytes: number,
  contentBytes: number,
  targetBytes: number,
): number {
  // Every component of a target takes its length and 2; there are at most half as many as bytes.
  const target = kind === 'symlink' ? 5 + 2 * targetBytes + 4 : 0
  const record = isoRecord(
    kind === 'folder' ? ISO_FOLDER_NAME : ISO_FILE_NAME,
    ROCK_RIDGE_FIELDS + nameBytes + target,
  )
  const extents =
    contentBytes > LARGEST_EXTENT ? Math.ceil((contentBytes - LARGEST_EXTENT) / NEXT_EXTENT) + 1 : 1
  return Math.ceil(record * RECORD_SPREAD * extents)
}

const UNIT = 4096

function longNameEntry(nameBytes: number): number {
  return 32 * (2 + Math.ceil(nameBytes / 13))
}

/**
 * Plain files in a folder of a file system with allocation units of 4,096 bytes: content in whole
 * units, one unit a symlink, and directory entries as large as FAT32 or exFAT would make them
 * (32 bytes for every 13 bytes of the name and two more), in whole units a folder. Bound: file
 * systems that keep short files or targets in their tables need up to a unit less for each; those
 * with larger units need more and are not covered.
 */
const FOLDER_COSTS: CostModel = {
  sectorBytes: UNIT,
  baseBytes: UNIT,
  leastBaseBytes: 0,
  maxNameBytes: 255,
  leastEntryBytes: 0,
  leastFileBytes: 0,
  entryBytes: (kind, nameBytes) => longNameEntry(nameBytes) + (kind === 'symlink' ? UNIT : 0),
  folderBytes: (nameBytes) => longNameEntry(nameBytes) + UNIT,
  spills: () => false,
}

/** A file entry of UDF, and the most that a name takes in the list of its folder. */
const UDF_ENTRY = ISO_SECTOR
const udfName = (nameBytes: number): number => 38 + Math.min(255, 1 + 2 * nameBytes) + 3

/**
 * ISO 9660 level 3 with Rock Ridge, and UDF 1.02 with a sector for each file and folder and a list
 * of names in each folder: an upper bound that is additive over entries. Too large by at most
 * 14.1 % of the record bytes, 30 bytes a record, one sector for each list of a folder and for its
 * continuation area (up to four a folder) and 32 sectors an image. File data is exact.
 */
const IMAGE_COSTS: CostModel = {
  sectorBytes: ISO_SECTOR,
  // The root's directory with its continuation (2), and the rounding of two path tables (2).
  baseBytes: (LEAST_SECTORS + 2 + 2) * ISO_SECTOR,
  leastBaseBytes: LEAST_SECTORS * ISO_SECTOR,
  maxNameBytes: 255,
  // 33 + an identifier of 4 (`A.;1`) or 1, evened, and the fields with a name of one byte.
  leastEntryBytes: 34 + ROCK_RIDGE_FIELDS + SERIAL_NUMBER,
  leastFileBytes: UDF_ENTRY,
  entryBytes(kind, nameBytes, contentBytes, targetBytes) {
    const iso = isoEntryBytes(kind, nameBytes, contentBytes, targetBytes)
    const serial = Math.ceil(SERIAL_NUMBER * RECORD_SPREAD)
    const entry = kind === 'file' || kind === 'folder' ? UDF_ENTRY : 0
    return iso + serial + (kind === 'symlink' ? 0 : udfName(nameBytes)) + entry
  },
  folderBytes(nameBytes, spills) {
    // `.` and `..`, then the last sector of the directory and of its continuation area.
    const dots = Math.ceil(2 * (34 + ROCK_RIDGE_FIELDS) * RECORD_SPREAD)
    const rounding = (ISO_SECTOR - 1) * (spills ? 2 : 1)
    const pathTables = 2 * (8 + 32)
    const serials = Math.ceil(3 * SERIAL_NUMBER * RECORD_SPREAD)
    const list = 40 + ISO_SECTOR - 1
    const iso = isoEntryBytes('folder', nameBytes, 0, 0) + dots + rounding + pathTables + serials
    return iso + udfName(nameBytes) + UDF_ENTRY + list
  },
  spills(kind, nameBytes) {
    const fields = ROCK_RIDGE_FIELDS + SERIAL_NUMBER + nameBytes
    return kind === 'symlink' || 33 + even(ISO_FILE_NAME) + fields > LONGEST_RECORD
  },
}

/** The costs of entries on volumes of a kind. */
export function costsOf(kind: MediumKind): CostModel {
  return kind === 'folder' ? FOLDER_COSTS : IMAGE_COSTS
}
