import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ImagePlaces } from '../../../../../../src/engine/sets/volume/image/imagePlaces'
import type { FileRow } from '../../../../../../src/engine/sets/volume/lists/setIndex'
import type { FolderDamage, Volume } from '../../../../../../src/engine/sets/volume/lists/volume'
import { temporaryFolder } from '../../../../../support/surveyedFolder'

const SECTOR = 2048
const CONTENT = Buffer.from('the content')

/**
 * The place of a file that the index has in sector 1 and the folders in sector 3, or nowhere.
 * @param at the sectors that hold its content
 */
async function placed(
  at: readonly number[],
  { byFolders = 3, isDamaged = false }: { byFolders?: number | null; isDamaged?: boolean } = {},
) {
  const path = join(temporaryFolder(), 'image.iso')
  const image = Buffer.alloc(8 * SECTOR, 1)
  for (const sector of at) CONTENT.copy(image, sector * SECTOR)
  writeFileSync(path, image)
  const damage: FolderDamage | null = isDamaged ? { trees: ['udf'], treeOf: () => 'iso9660' } : null
  const files: Volume = {
    path,
    folder: null,
    label: 'D',
    topFolders: [],
    plannedIndex: null,
    damage,
    placeOf: () =>
      Promise.resolve(
        byFolders === null ? null : { file: path, offset: byFolders * SECTOR, bytes: CONTENT.length },
      ),
    tree: () => Promise.resolve(new Map()),
  }
  const sha256 = createHash('sha256').update(CONTENT).digest('hex')
  const facts = { mode: null, mtimeNs: null, owner: null, attributes: [], method: null, holes: false }
  const own = {
    kind: 'file',
    volume: 1,
    label: 'D',
    path: 'a',
    bytes: CONTENT.length,
    sha256,
    sector: 1,
  } as const
  const row: FileRow = { ...facts, ...own, linkOf: null, packed: null }
  const places = new ImagePlaces(files, { rows: [row], volumes: [{ index: 1, label: 'D' }] }, 1)
  const place = await places.placeOf('a')
  return { sector: place && place.offset / SECTOR, damaged: places.damagedFolders()?.damaged ?? null }
}

test('a file is where the folders say if its content is there, also where the index says otherwise', async () => {
  expect(await placed([3])).toEqual({ sector: 3, damaged: null })
  expect(await placed([1, 3])).toEqual({ sector: 3, damaged: null })
})

test('a file is where the index says if the folders lead elsewhere, and these count as damaged', async () => {
  expect(await placed([1])).toEqual({ sector: 1, damaged: ['iso9660'] })
  expect(await placed([1], { byFolders: null })).toEqual({ sector: 1, damaged: ['iso9660'] })
})

test('the sector of the index is not believed without its content where the folders are whole', async () => {
  expect(await placed([])).toEqual({ sector: 3, damaged: null })
  expect(await placed([], { byFolders: null })).toEqual({ sector: null, damaged: null })
})

test('with damaged folders the sector of the index counts, unless the folders lead to the content', async () => {
  expect((await placed([], { isDamaged: true })).sector).toBe(1)
  expect((await placed([3], { isDamaged: true })).sector).toBe(3)
  expect((await placed([1], { isDamaged: true })).sector).toBe(1)
})
