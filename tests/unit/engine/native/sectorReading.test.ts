import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSectors, readWhole } from '../../../../src/engine/native/sectorReading'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

const still = { signal: new AbortController().signal, onBytes: () => undefined }

function contentOf(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}

test('reading back gives the digests of ranges that begin and end anywhere', async () => {
  const root = temporaryFolder()
  const content = contentOf(3 * (1 << 20) + 7, 1)
  put(root, 'file', content)
  const file = join(root, 'file')
  const cuts = [0, 1, 2048, 5000, 1 << 20, (1 << 20) + 1, 3 << 20, content.length]
  const places = cuts.flatMap((from) =>
    cuts.filter((to) => to >= from).map((to) => ({ file, offset: from, bytes: to - from })),
  )
  let done = 0
  const { ranges, ways } = await readSectors(places, { ...still, onBytes: (bytes) => (done = bytes) })
  for (const [at, { offset, bytes }] of places.entries()) {
    const sha256 = createHash('sha256')
      .update(content.subarray(offset, offset + bytes))
      .digest('hex')
    expect(ranges[at]).toEqual({ sha256 })
  }
  const asked = places.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(done).toBe(asked)
  expect(ways.uncachedBytes + ways.droppedBytes + ways.cachedBytes).toBe(asked)
})

test('reading back says which bytes a file lacks, and reads the next file', async () => {
  const root = temporaryFolder()
  const content = contentOf(5000, 2)
  put(root, 'short', content)
  put(root, 'next', 'abc')
  const { ranges } = await readSectors(
    [
      { file: join(root, 'short'), offset: 0, bytes: 9000 },
      { file: join(root, 'short'), offset: 6000, bytes: 1000 },
      { file: join(root, 'short'), offset: 4000, bytes: 1000 },
      { file: join(root, 'next'), offset: 0, bytes: 3 },
    ],
    still,
  )
  expect(ranges).toEqual([
    { unreadable: [{ offset: 5000, length: 4000, cause: null }] },
    { unreadable: [{ offset: 6000, length: 1000, cause: null }] },
    { sha256: createHash('sha256').update(content.subarray(4000)).digest('hex') },
    { sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
  ])
})

test('reading back names what cannot be opened, and reads the others', async () => {
  const root = temporaryFolder()
  put(root, 'file', 'abc')
  mkdirSync(join(root, 'folder'))
  symlinkSync('file', join(root, 'link'))
  const places = ['gone', 'folder', 'link', 'file'].map((name) => ({
    file: join(root, name),
    offset: 0,
    bytes: 3,
  }))
  const { ranges } = await readSectors(places, still)
  expect(
    ranges.map((range) => ('failure' in range ? range.failure.message.replace(root, '') : 'read')),
  ).toEqual([
    'cannot read /gone: no such file or directory',
    'cannot read /folder: it is not a file',
    'cannot read /link: it is a symbolic link',
    'read',
  ])
})

test('reading back stops when its signal aborts', async () => {
  await expect(
    readSectors([{ file: '/dev/null', offset: 0, bytes: 1 }], { ...still, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: 'cancelled' })
})

test('reading a whole gives its digest and those of ranges apart from one another in it', async () => {
  const root = temporaryFolder()
  const content = contentOf((1 << 20) + 5000, 3)
  put(root, 'file', content)
  const file = join(root, 'file')
  const sha256 = (from: number, to: number): string =>
    createHash('sha256').update(content.subarray(from, to)).digest('hex')
  const ranges = [
    { offset: 2048, bytes: 1 << 20 },
    { offset: (1 << 20) + 4096, bytes: 4 },
  ]
  const length = content.length - 3
  expect(await readWhole(file, length, ranges, still)).toMatchObject({
    sha256: sha256(0, length),
    ranges: [sha256(2048, 2048 + (1 << 20)), sha256((1 << 20) + 4096, (1 << 20) + 4100)],
  })
  expect(await readWhole(file, 0, [], still)).toMatchObject({ sha256: sha256(0, 0), ranges: [] })
})

test('reading a whole refuses a file that is shorter or gone', async () => {
  const root = temporaryFolder()
  put(root, 'file', 'abc')
  await expect(readWhole(join(root, 'file'), 4, [], still)).rejects.toMatchObject({
    code: 'verification-failed',
    message: expect.stringContaining('it has fewer than 4 bytes'),
  })
  await expect(readWhole(join(root, 'gone'), 4, [], still)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(/^cannot read back .*gone at byte 0: no such file or directory$/),
  })
})
