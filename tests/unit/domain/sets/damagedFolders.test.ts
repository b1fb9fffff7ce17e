import { expect, test } from 'vitest'
import {
  type DamagedFolders,
  damagedFoldersLine,
  damagedFoldersSchema,
} from '../../../../src/domain/sets/damagedFolders'

const folders = (
  damaged: DamagedFolders['damaged'],
  [iso9660, udf, sectors]: readonly [number, number, number],
): DamagedFolders =>
  damagedFoldersSchema.parse({ path: '/x', label: 'D_2', damaged, files: { iso9660, udf, sectors } })

test.each([
  [['iso9660'], [0, 7, 0], 'D_2: the ISO 9660 folders are damaged; its files were read by the UDF folders'],
  [['udf'], [7, 0, 0], 'D_2: the UDF folders are damaged; its files were read by the ISO 9660 folders'],
  [
    ['iso9660', 'udf'],
    [0, 0, 1],
    'D_2: the ISO 9660 and UDF folders are damaged; its files were read by their sectors from the index',
  ],
  [
    ['iso9660'],
    [1, 2000, 1],
    'D_2: the ISO 9660 folders are damaged; 1 file was read by the ISO 9660 folders, 2,000 by the UDF folders, 1 by its sector from the index',
  ],
  [['iso9660'], [0, 0, 0], 'D_2: the ISO 9660 folders are damaged; none of its files was found'],
] as const)('%j with %j files reads: %s', (damaged, files, line) => {
  expect(damagedFoldersLine(folders([...damaged], files))).toBe(line)
})
