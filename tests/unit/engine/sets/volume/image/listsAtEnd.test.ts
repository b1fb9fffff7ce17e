import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ReadAt } from '../../../../../../src/engine/sets/volume/image/imageTree'
import { listsAtEnd } from '../../../../../../src/engine/sets/volume/image/listsAtEnd'
import { sha256Line } from '../../../../../../src/engine/sets/volume/lists/sha256Sums'
import { skippedTsv } from '../../../../../../src/engine/sets/volume/lists/skippedList'

const SECTOR = 2048
const HEAD = '# Index of all volumes. Fields are separated by tabs.\n'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const sectorsOf = (text: string): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(text.length / SECTOR) * SECTOR)
  bytes.write(text, 'latin1')
  return bytes
}

/** The texts that are found at the end of an image whose last contents are these, by their names. */
async function found(texts: readonly string[], { empty = 3, anchor = 'an anchor' } = {}) {
  const pieces = [
    Buffer.alloc(4 * SECTOR, 1),
    ...texts.map(sectorsOf),
    Buffer.alloc(empty * SECTOR),
    sectorsOf(anchor),
  ]
  const image = Buffer.concat(pieces)
  const readAt: ReadAt = (position, length) => Promise.resolve(image.subarray(position, position + length))
  const { files, areProved } = await listsAtEnd(readAt, image.length / SECTOR)
  const entries = [...files].map(([name, { offset, bytes }]) => [
    name,
    image.toString('latin1', offset, offset + bytes),
  ])
  return { files: Object.fromEntries(entries), areProved }
}

const sumsOf = (lists: Readonly<Record<string, string>>, own = 'S'): string =>
  Object.entries(lists)
    .map(([name, text]) => sha256Line(sha256(text), `${own}/${name}`))
    .join('')

describe('the lists at the end of an image', () => {
  const index = `${HEAD}a line\n`
  const readme = 'a readme\n'
  const sums = sumsOf({ 'INDEX.tsv': index, 'README.txt': readme })
  const all = { 'S/INDEX.tsv': index, 'S/README.txt': readme, 'S/SHA256SUMS': sums }

  test.each([0, 1, 31])('are found before the last anchor and %i empty sectors', async (empty) => {
    expect(await found([index, readme, sums], { empty })).toEqual({ files: all, areProved: true })
  })

  test('are found where the anchor looks like a text', async () => {
    const anchor = `${'0'.repeat(64)}  other/INDEX.tsv\n`
    expect((await found([index, readme, sums], { anchor })).files).toEqual(all)
  })

  test('are found before a list of what was left out', async () => {
    const skipped = skippedTsv(new Map([['a', 'changed']]))
    expect((await found([index, readme, sums, skipped])).files).toEqual(all)
  })

  test('end where they have their digests, also where that is the end of a sector', async () => {
    const long = HEAD + 'x'.repeat(2 * SECTOR - HEAD.length)
    const own = sumsOf({ 'INDEX.tsv': long, 'README.txt': readme })
    expect((await found([long, readme, own])).files).toEqual({
      'S/INDEX.tsv': long,
      'S/README.txt': readme,
      'S/SHA256SUMS': own,
    })
  })

  describe('twice', () => {
    const lines = (sector: number): string =>
      `# Recovery files of this disc: first sector of 2,048 bytes, length at most, name.\nsector\tbytes\tname\n${String(sector).padStart(10, '0')}\t${String(SECTOR).padStart(16, '0')}\trecovery-1.par2\n`
    const recovery = lines(7)
    const data = 'recovery data'.repeat(20)
    const lists = { 'INDEX.tsv': index, 'RECOVERY.tsv': recovery }
    const own = sumsOf(lists)

    test.each([own, own.replace('a', 'b')])('count as they are behind the recovery data', async (first) => {
      const { files } = await found([index, recovery, first, data, index, recovery, own])
      expect(files['S/SHA256SUMS']).toBe(own)
      expect(files['S/recovery-1.par2']).toContain('recovery data')
    })

    test('count as they are before it where the checksums behind it are no text at all', async () => {
      const sound = sumsOf(lists, 'STOWAGE')
      const other = `${HEAD}another line\n`
      const { files, areProved } = await found([index, recovery, sound, data, other, recovery, '\u0001'])
      expect(areProved).toBe(true)
      expect(files['STOWAGE/SHA256SUMS']).toBe(sound)
      expect(files['STOWAGE/INDEX.tsv']).toBe(index)
    })

    test('have recovery files in the folder that the checksums before these name', async () => {
      const { files } = await found([index, recovery, own, data, index, recovery, '\u0001'])
      expect(files['S/recovery-1.par2']).toContain('recovery data')
      expect(files['STOWAGE/recovery-1.par2']).toBeUndefined()
    })

    test('have the index behind the recovery data where the checksums disprove the other', async () => {
      const sound = sumsOf(lists, 'STOWAGE')
      const damaged = index.replace('line', 'lime')
      const { files } = await found([damaged, recovery, sound, data, index, recovery, '\u0001'])
      expect(files['STOWAGE/SHA256SUMS']).toBe(sound)
      expect(files['STOWAGE/INDEX.tsv']).toBe(index)
    })
  })
})
