import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDamagedImage } from '../../../../../../src/engine/sets/volume/image/damagedImage'
import { indexTsv } from '../../../../../../src/engine/sets/volume/lists/indexTsv'
import { sha256Line } from '../../../../../../src/engine/sets/volume/lists/sha256Sums'
import { closeTag, extentsAt } from '../../../../../support/damagedImage'
import { ownVolume, PAYLOAD_NAME } from '../../../../../support/ownImage'
import { entriesBelow } from '../../../../../support/volumeFolders'

const SECTOR = 2048
/** The sector of block 0. */
const PARTITION = 257
const [INDEX, SUMS] = [`${PAYLOAD_NAME}/INDEX.tsv`, `${PAYLOAD_NAME}/SHA256SUMS`]
const folder = mkdtempSync(join(tmpdir(), 'stowage-damaged-'))
const disc = join(folder, 'disc.iso')
let whole: Buffer
let places: Record<string, number>

/** Where files begin in the disc, by its folders or, for its lists, by what is at its end. */
async function found(): Promise<Record<string, number | null>> {
  const image = await openDamagedImage(disc)
  const at = async (path: string) => [path, (await image.placeOf(path))?.offset ?? null] as const
  return Object.fromEntries(await Promise.all(['a.bin', INDEX, SUMS].map(at)))
}

beforeAll(async () => {
  const source = join(folder, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'a.bin'), Buffer.alloc(2 * SECTOR, 'a'))
  const entries = entriesBelow(source)
  const lists: Record<string, string> = {
    'INDEX.tsv': [...indexTsv([{ index: 1, label: 'A_01', entries }])].join(''),
    'README.txt': 'a readme\n',
  }
  const line = ([name, text]: [string, string]): string =>
    sha256Line(createHash('sha256').update(text).digest('hex'), `${PAYLOAD_NAME}/${name}`)
  const sums = Object.entries(lists).map(line).join('')
  const volume = await ownVolume(join(folder, 'plan'), entries, { lists: { ...lists, SHA256SUMS: sums } })
  expect(await volume.build(disc)).toEqual([])
  whole = readFileSync(disc)
  const at = (text: string): number => whole.indexOf(text)
  places = { 'a.bin': at('aaaa'), [INDEX]: at('# Index of all'), [SUMS]: at(sums) }
  expect(await found()).toEqual(places)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The disc with damage of these kinds. */
function damage(...kinds: readonly ((image: Buffer) => void)[]): void {
  const image = Buffer.from(whole)
  for (const change of kinds) change(image)
  writeFileSync(disc, image)
}

/** Where the record of a file begins in a folder of ISO 9660, by its name in Rock Ridge. */
function isoRecord(image: Buffer, name: string): number {
  const at = image.indexOf(`\0${name}`)
  const identifier = image.lastIndexOf(`${name.toUpperCase()};1`, at)
  return identifier - 33
}

/** Where a name begins in a folder of UDF. */
const udfName = (image: Buffer, name: string): number => image.indexOf(`\u0008${name}`) - 38

const spoilIso =
  (name: string) =>
  (image: Buffer): void => {
    const at = isoRecord(image, name)
    image.writeUInt32LE(image.readUInt32LE(at + 2) + 1, at + 2)
  }
const misleadIso =
  (name: string) =>
  (image: Buffer): void => {
    spoilIso(name)(image)
    const at = isoRecord(image, name)
    image.writeUInt32BE(image.readUInt32LE(at + 2), at + 6)
  }
const spoilUdf =
  (name: string) =>
  (image: Buffer): void => {
    const at = udfName(image, name)
    image.writeUInt32LE(image.readUInt32LE(at + 24) + 1, at + 24)
  }
const misleadUdf =
  (name: string) =>
  (image: Buffer): void => {
    const sector = image.readUInt32LE(udfName(image, name) + 24) + PARTITION
    const at = extentsAt(image, sector) + 4
    image.writeUInt32LE(image.readUInt32LE(at) + 1, at)
    closeTag(image.subarray(sector * SECTOR, (sector + 1) * SECTOR))
  }
const loseIso = (image: Buffer): void => {
  image.fill(0, 16 * SECTOR, 17 * SECTOR)
}

describe('the folders of a damaged image', () => {
  test('of ISO 9660 count before those of UDF where they are whole', async () => {
    damage(misleadUdf('a.bin'))
    expect(await found()).toEqual(places)
  })

  test('of UDF count before those of ISO 9660 where these are damaged', async () => {
    damage(misleadIso('a.bin'), spoilIso('INDEX.tsv'))
    expect(await found()).toEqual(places)
  })

  test('do not count for a list of which another place is proved', async () => {
    damage(misleadIso('INDEX.tsv'), spoilUdf('INDEX.tsv'))
    expect(await found()).toEqual(places)
  })

  test.each([
    ['as ISO 9660 says', []],
    ['as UDF says', [loseIso]],
  ])('do without those of the lists, which are at the end of the image: %s', async (_, more) => {
    damage(spoilIso('INDEX.tsv'), spoilUdf('INDEX.tsv'), ...more)
    // A disc goes on behind its image.
    writeFileSync(disc, Buffer.alloc(100 * SECTOR), { flag: 'a' })
    expect(await found()).toEqual(places)
  })
})

test('a device as long as the image that it holds has all of its descriptors', async () => {
  await using file = await open(disc)
  const handles = Object.getPrototypeOf(file) as FileHandle
  // A device does not say how long it is.
  const stats = Object.assign(await file.stat(), { size: 0 })
  const spy = vi.spyOn(handles, 'stat').mockResolvedValue(stats)
  onTestFinished(() => spy.mockRestore())
  damage()
  expect((await openDamagedImage(disc)).damage).toBeNull()
  // The last descriptor of UDF is found without ISO 9660 too, which says where the image ends.
  damage(loseIso)
  expect((await openDamagedImage(disc)).damage?.trees).toEqual(['iso9660'])
  expect(spy).toHaveBeenCalled()
})
