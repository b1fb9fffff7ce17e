/** All signatures that are looked for lie before this offset. */
export const HEAD_BYTES = 128 * 1024

const SECTOR_BYTES = 512
/** Optical discs describe themselves from sector 16 on, one structure in each sector of 2 KiB. */
const DISC_DESCRIPTORS = 32_768
const DISC_SECTOR_BYTES = 2048

/**
 * Where partition tables, file systems and encrypted volumes have their signatures, as `latin1`
 * text. Sources: UEFI 2.10 §5.3.2 (GPT), Apple TN1150 (HFS+), Inside Macintosh: Devices (APM),
 * Apple File System Reference (APFS), Linux's headers of XFS, Btrfs, F2FS and SquashFS, the LUKS
 * and BitLocker on-disk formats.
 */
const SIGNATURES: readonly (readonly [offset: number, text: string, content: string])[] = [
  [512, 'EFI PART', 'GPT partitions'],
  [2048, 'EFI PART', 'GPT partitions'],
  [4096, 'EFI PART', 'GPT partitions'],
  [512, 'PM\0\0', 'Apple partition map'],
  [2048, 'PM\0\0', 'Apple partition map'],
  [1024, 'H+\0\u0004', 'HFS+'],
  [1024, 'HX\0\u0005', 'HFSX'],
  [32, 'NXSB', 'APFS'],
  [3, 'NTFS    ', 'NTFS'],
  [3, 'EXFAT   ', 'exFAT'],
  [3, '-FVE-FS-', 'BitLocker'],
  [0, 'LUKS\u00ba\u00be', 'LUKS'],
  [0, 'XFSB', 'XFS'],
  [0, 'hsqs', 'SquashFS'],
  [1024, '\u0010\u0020\u00f5\u00f2', 'F2FS'],
  [65_600, '_BHRfS_M', 'Btrfs'],
]

/**
 * The partition table or file system at the start of a disk, by its signature, such as `ISO 9660`;
 * null where none is known. The file system of an optical disc counts before the partition tables
 * of a disc that also boots from a USB stick.
 */
export function diskContent(head: Buffer): string | null {
  const disc = discContent(head)
  if (disc !== null) return disc
  const found = SIGNATURES.find(([offset, text]) => has(head, offset, text))
  if (found) return found[2]
  if (hasHfs(head)) return 'HFS'
  if (hasExt(head)) return 'ext2, ext3 or ext4'
  return bootSector(head)
}

/** True when a disk was written as a whole and cannot grow. */
export function isDiscContent(content: string | null): boolean {
  return content !== null && /^(ISO 9660|UDF)/.test(content)
}

/** ISO 9660 (ECMA-119), UDF (ECMA-167), or both. */
function discContent(head: Buffer): string | null {
  const identifiers = new Set<string>()
  for (let at = DISC_DESCRIPTORS + 1; at + 5 <= head.length; at += DISC_SECTOR_BYTES)
    identifiers.add(head.toString('latin1', at, at + 5))
  const isIso = has(head, DISC_DESCRIPTORS + 1, 'CD001')
  const isUdf = identifiers.has('BEA01')
  if (!isIso && !has(head, DISC_DESCRIPTORS + 1, 'BEA01')) return null
  return isIso && isUdf ? 'ISO 9660 and UDF' : isIso ? 'ISO 9660' : 'UDF'
}

/** True when `text`, one character a byte, is at `offset`. */
export function has(bytes: Buffer, offset: number, text: string): boolean {
  return offset >= 0 && bytes.toString('latin1', offset, offset + text.length) === text
}

/** A master boot record, or the boot sector of a FAT. */
function bootSector(head: Buffer): string | null {
  if (!has(head, 510, '\u0055\u00aa')) return null
  if (head[0] === 0xeb || head[0] === 0xe9)
    return has(head, 54, 'FAT') || has(head, 82, 'FAT') ? 'FAT' : 'boot sector'
  return [446, 462, 478, 494].every((at) => head[at] === 0 || head[at] === 0x80) ? 'MBR partitions' : null
}

/** HFS, by its two letters and the size of its blocks. */
function hasHfs(head: Buffer): boolean {
  if (!has(head, 1024, 'BD') || head.length < 1048) return false
  const blockBytes = head.readUInt32BE(1044)
  return blockBytes > 0 && blockBytes % SECTOR_BYTES === 0
}

/** ext2 to ext4, by two bytes and the logarithm of the block size over 1 KiB. */
function hasExt(head: Buffer): boolean {
  return has(head, 1080, '\u0053\u00ef') && head.readUInt32LE(1048) <= 6
}
