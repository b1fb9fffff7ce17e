import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImageTree, ReadAt } from '../../../../../../src/engine/sets/volume/image/imageTree'
import { readIsoTree } from '../../../../../../src/engine/sets/volume/image/isoTree'
import { readUdfTree } from '../../../../../../src/engine/sets/volume/image/udfTree'
import { AppError } from '../../../../../../src/primitives/appError'
import { seededRandom } from '../../../../../../src/primitives/seededRandom'
import { closeTag } from '../../../../../support/damagedImage'
import { ownVolume } from '../../../../../support/ownImage'
import { randomDiscTree } from '../../../../../support/randomDiscTree'

const SECTOR = 2048
const folder = mkdtempSync(join(tmpdir(), 'stowage-udf-'))
const images: Uint8Array[] = []

beforeAll(async () => {
  for (const seed of [1, 2, 3]) {
    const source = mkdtempSync(join(folder, 'source-'))
    const volume = await ownVolume(mkdtempSync(join(folder, 'plan-')), randomDiscTree(source, seed).entries)
    const image = join(folder, `${seed}.iso`)
    expect(await volume.build(image)).toEqual([])
    images.push(readFileSync(image))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readerOf =
  (bytes: Uint8Array): ReadAt =>
  (position, length) =>
    Promise.resolve(bytes.subarray(position, position + length))
const read = (bytes: Uint8Array): Promise<ImageTree> =>
  readUdfTree(readerOf(bytes), Math.floor(bytes.length / SECTOR))

const sectorIn = (bytes: Uint8Array, sector: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + sector * SECTOR, SECTOR)

/** The sectors of the file set, in block 0, and of the file entry of the root: the same in every image. */
const FILE_SET = 257
const ROOT_ENTRY = 259

describe('the reader of UDF', () => {
  test('finds the files of the ISO 9660 tree, in the same places', async () => {
    for (const image of images) {
      const [iso, udf] = [await readIsoTree(readerOf(image)), await read(image)]
      const facts = ({ entries }: ImageTree): string[] =>
        entries
          .filter(({ kind }) => kind !== 'symlink')
          .map(({ kind, bytes, offset }) => (bytes === 0 ? kind : `${kind} ${bytes} ${offset}`))
          .toSorted()
      expect(facts(udf)).toEqual(facts(iso))
      expect(udf.sectors * SECTOR).toBe(image.length)
      expect(udf.label).toBe(iso.label)
      const known = new Set(iso.entries.map(({ path }) => path))
      // Names that UDF cannot hold have their CRC.
      for (const { path } of udf.entries) if (!known.has(path)) expect(path).toMatch(/#[0-9A-F]{4}/)
      expect(udf.entries.filter(({ path }) => known.has(path)).length).toBeGreaterThan(10)
    }
  })

  test('lists folders before what they hold', async () => {
    for (const image of images) {
      const seen = new Set([''])
      for (const { path, kind } of (await read(image)).entries) {
        expect(seen.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))).toBe(true)
        if (kind === 'folder') seen.add(path)
      }
    }
  })

  test('takes the last anchor or the second volume sequence where the first is lost', async () => {
    const [image = new Uint8Array()] = images
    const whole = await read(image)
    for (const [from, to] of [
      [256, 257],
      [32, 48],
    ] as const) {
      const spoilt = Uint8Array.from(image)
      spoilt.fill(0xff, from * SECTOR, to * SECTOR)
      expect(await read(spoilt)).toEqual(whole)
    }
  })

  test('refuses what is no such image', async () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(2_000_000), images[0]?.subarray(0, 300_000)])
      await expect(read(bytes ?? new Uint8Array())).rejects.toMatchObject({ code: 'verification-failed' })
  })

  test('reads on behind a damaged file entry where faults are taken', async () => {
    const [image = new Uint8Array()] = images
    const whole = await read(image)
    const spoilt = Uint8Array.from(image)
    const entry = Array.from({ length: 100 }, (_, at) => ROOT_ENTRY + 1 + at).find(
      (sector) => image[sector * SECTOR] === 5 && image[sector * SECTOR + 27] === 5,
    ) as number
    spoilt[entry * SECTOR + 180] = (spoilt[entry * SECTOR + 180] as number) ^ 1
    await expect(read(spoilt)).rejects.toThrow(/is damaged/)
    const faults: AppError[] = []
    const tree = await readUdfTree(readerOf(spoilt), spoilt.length / SECTOR, (fault) => faults.push(fault))
    expect(faults).toHaveLength(1)
    expect(tree.entries).toHaveLength(whole.entries.length - 1)
  })

  test.each([
    ['that leads out of the partition', 180, 0xffff_0000, /outside of its partition/],
    ['with another length than its extents', 56, 4096 * 1000, /extents of another length/],
    ['of another kind', 34, 3, /another kind/],
  ])('refuses a file entry %s, however right its tag is', async (_, field, value, message) => {
    const [image = new Uint8Array()] = images
    const spoilt = Uint8Array.from(image)
    new DataView(spoilt.buffer).setUint32(ROOT_ENTRY * SECTOR + field, value, true)
    closeTag(sectorIn(spoilt, ROOT_ENTRY))
    await expect(read(spoilt)).rejects.toThrow(message)
  })

  test('refuses a file entry behind the end of the partition', async () => {
    const [image = new Uint8Array()] = images
    const spoilt = Uint8Array.from(image)
    const fileSet = sectorIn(spoilt, FILE_SET)
    // The last anchor, which is the sector after it.
    fileSet.writeUInt32LE(image.length / SECTOR - 1 - FILE_SET, 404)
    closeTag(fileSet)
    await expect(read(spoilt)).rejects.toThrow('the root folder lies outside of its partition')
  })

  /** An image with a changed name in the root: of its first folder, or of its first file. */
  function withName(isFolder: boolean, change: (identifier: Buffer) => void): Uint8Array {
    const spoilt = Uint8Array.from(images[0] ?? [])
    const list = Buffer.from(spoilt.buffer, (ROOT_ENTRY + 1) * SECTOR, 40 * SECTOR)
    for (let at = 0; ; ) {
      const length = Math.ceil((38 + (list[at + 19] as number)) / 4) * 4
      const identifier = list.subarray(at, at + length)
      if (at > 0 && ((identifier[18] as number) & 2) === (isFolder ? 2 : 0)) {
        change(identifier)
        closeTag(identifier)
        return spoilt
      }
      at += length
    }
  }

  test('does not follow a folder that holds itself', async () => {
    const spoilt = withName(true, (name) => name.writeUInt32LE(ROOT_ENTRY - FILE_SET, 24))
    await expect(read(spoilt)).rejects.toThrow(/is its own parent/)
  })

  test.each([
    ['folder', true],
    ['file', false],
  ])('refuses a %s whose name says that it is the other', async (_, isFolder) => {
    const spoilt = withName(isFolder, (name) => name.writeUInt8((name[18] as number) ^ 2, 18))
    await expect(read(spoilt)).rejects.toThrow(/is of another kind than its name/)
  })

  const whateverIsSpoilt = (rounds: number) => async () => {
    const random = seededRandom(2027)
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const image = images[round % images.length] as Uint8Array
      const spoilt = Uint8Array.from(image)
      const metadata = Math.min(image.length / SECTOR, 700)
      for (let left = 1 + random.below(5); left > 0; left--) {
        const sector = random.below(3) === 0 ? 32 + random.below(24) : 256 + random.below(metadata - 256)
        const at = sector * SECTOR + random.below(512)
        spoilt[at] = random.below(256)
        // Half of the spoilt descriptors have a right tag all the same: those are the dangerous ones.
        if (random.below(2) === 0 && (spoilt[sector * SECTOR + 11] as number) < 8)
          closeTag(sectorIn(spoilt, sector))
      }
      const cut = random.below(6) === 0 ? random.below(spoilt.length) : spoilt.length
      const bytes = spoilt.subarray(0, cut)
      try {
        const { entries } = await read(bytes)
        expect(entries.length).toBeLessThan(1000)
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'verification-failed') throw thrown
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(rounds / 5)
  }

  const spoilt = 'ends with a tree or a plain refusal whatever bytes are spoilt or cut off'
  test(spoilt, whateverIsSpoilt(300))
  test(`${spoilt}, 1,500 times`, { tags: 'long' }, whateverIsSpoilt(1_500))
})

test('the content that UDF leads to has the digests of the sources', async () => {
  const source = mkdtempSync(join(folder, 'source-'))
  const { entries, contents } = randomDiscTree(source, 9)
  const volume = await ownVolume(mkdtempSync(join(folder, 'plan-')), entries, { equalOnce: true })
  await volume.build(join(folder, 'equal.iso'))
  const image = readFileSync(join(folder, 'equal.iso'))
  let files = 0
  for (const { path, kind, offset, bytes } of (await read(image)).entries) {
    const wanted = kind === 'file' ? contents.get(path) : undefined
    if (wanted === undefined) continue
    expect(
      createHash('sha256')
        .update(image.subarray(offset, offset + bytes))
        .digest('hex'),
      path,
    ).toBe(wanted)
    files += 1
  }
  expect(files).toBeGreaterThan(5)
})
