import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { SeededRandom } from '../../src/primitives/seededRandom'
import { checksumOf, crcOf } from './discChecker/udfFields'

const SECTOR = 2048

/** Runs of sectors of an image, by what is in them. */
export interface ImageParts {
  readonly isoDescriptors: readonly number[]
  readonly pathTables: readonly number[]
  readonly isoFolders: readonly number[]
  readonly anchors: readonly number[]
  readonly volumeSequences: readonly number[]
  readonly fileSet: readonly number[]
  readonly fileEntries: readonly number[]
  readonly udfFolders: readonly number[]
  readonly content: readonly number[]
}

/** Finds the parts of one of Stowage's own images by what its structures say, without its reader. */
export function partsOf(image: string): ImageParts {
  const bytes = readFileSync(image)
  const sectors = bytes.length / SECTOR
  const u32 = (sector: number, at: number): number => bytes.readUInt32LE(sector * SECTOR + at)
  const pathTable = u32(16, 140)
  const [root, tableBytes] = [u32(16, 156 + 2), u32(16, 132)]
  const udfEnd = pathTable
  const fileEntries: number[] = []
  const udfFolders: number[] = []
  for (let sector = 259; sector < udfEnd; sector++) {
    const isEntry = bytes.readUInt16LE(sector * SECTOR) === 261
    ;(isEntry ? fileEntries : udfFolders).push(sector)
  }
  let content = sectors
  const isoFolders: number[] = []
  for (let sector = root; sector < sectors && content === sectors; sector++) {
    // The first extent of a file with content, which a file entry of UDF names, ends the folders.
    const isContent = fileEntries.some((entry) => {
      const isFile = bytes[entry * SECTOR + 27] === 5
      return isFile && u32(entry, 172) > 0 && bytes.readUInt32LE(extentsAt(bytes, entry) + 4) + 257 === sector
    })
    if (isContent) content = sector
    else isoFolders.push(sector)
  }
  return {
    isoDescriptors: [16, 17],
    pathTables: range(pathTable, pathTable + 2 * Math.ceil(tableBytes / SECTOR)),
    isoFolders,
    anchors: [256, sectors - 1],
    volumeSequences: [...range(32, 38), ...range(48, 54)],
    fileSet: [257],
    fileEntries,
    udfFolders,
    content: range(content, sectors - 1),
  }
}

/** The place in an image of the allocation descriptors of a file entry, behind its attributes. */
export function extentsAt(image: Buffer, sector: number): number {
  return sector * SECTOR + 176 + image.readUInt32LE(sector * SECTOR + 168)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

/** Copies an image with sectors of it overwritten, by noise or with single bytes changed. */
export function damagedCopy(
  image: string,
  to: string,
  sectors: readonly number[],
  random: SeededRandom,
  flips: number | null = null,
): void {
  copyFileSync(image, to)
  const bytes = readFileSync(to)
  for (const sector of sectors) {
    const part = bytes.subarray(sector * SECTOR, (sector + 1) * SECTOR)
    if (flips === null) random.fillBytes(part)
    for (let left = flips ?? 0; left > 0; left--) {
      const at = random.below(SECTOR)
      part[at] = (part[at] as number) ^ (1 + random.below(255))
    }
  }
  writeFileSync(to, bytes)
}

/** Writes the checksum and the CRC of a UDF descriptor again, after its fields were changed. */
export function closeTag(descriptor: Buffer): void {
  descriptor.writeUInt16LE(crcOf(descriptor.subarray(16, 16 + descriptor.readUInt16LE(10))), 8)
  descriptor[4] = checksumOf(descriptor)
}
