import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashRanges } from '../../../../src/engine/native/addon'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

function hexAt(digests: Uint8Array, index: number): string {
  return Buffer.from(digests.subarray(index * 32, index * 32 + 32)).toString('hex')
}

test('hashing ranges gives what the same bytes give in memory', async () => {
  const root = temporaryFolder()
  const content = new Uint8Array(3 * (1 << 20) + 7)
  seededRandom(1).fillBytes(content)
  put(root, 'file', content)
  const path = join(root, 'file')
  const cuts = [0, 1, 1000, 1 << 20, (1 << 20) + 1, 3 << 20, content.length]
  const ranges = cuts.flatMap((from) =>
    cuts.map((to) => ({ path, offset: from, length: Math.max(0, to - from) })),
  )
  const reported: number[] = []
  const { sha256, errors } = await hashRanges(ranges, { onProgress: (bytes) => reported.push(bytes) })
  expect(errors).toEqual(new Map())
  ranges.forEach(({ offset, length }, index) => {
    const expected = createHash('sha256').update(content.subarray(offset, offset + length))
    expect(hexAt(sha256, index)).toBe(expected.digest('hex'))
  })
  expect(reported.at(-1)).toBe(ranges.reduce((sum, range) => sum + range.length, 0))
})

test('ranges of a sparse file are hashed with their holes as zeros', async () => {
  const root = temporaryFolder()
  const path = join(root, 'sparse')
  const content = Buffer.alloc(12 << 20)
  seededRandom(2).fillBytes(content.subarray(5 << 20, (5 << 20) + 70_000))
  seededRandom(3).fillBytes(content.subarray(9 << 20, (9 << 20) + 1))
  put(root, 'sparse', '')
  truncateSync(path, content.length)
  const file = openSync(path, 'r+')
  writeSync(file, content, 5 << 20, 70_000, 5 << 20)
  writeSync(file, content, 9 << 20, 1, 9 << 20)
  closeSync(file)
  const cuts = [0, 1, (4 << 20) + 3, 5 << 20, (5 << 20) + 69_999, (8 << 20) + 5, 9 << 20, content.length]
  const ranges = cuts.flatMap((from) =>
    cuts.map((to) => ({ path, offset: from, length: Math.max(0, to - from) })),
  )
  const { sha256, errors } = await hashRanges(ranges)
  expect(errors).toEqual(new Map())
  ranges.forEach(({ offset, length }, index) => {
    const expected = createHash('sha256').update(content.subarray(offset, offset + length))
    expect(hexAt(sha256, index), `${offset} ${length}`).toBe(expected.digest('hex'))
  })
  const beyond = await hashRanges([{ path, offset: 10 << 20, length: 3 << 20 }])
  expect(beyond.errors.get(0)?.code).toBe('changed')
})

test('hashing reports for each range why it could not be hashed, and hashes the others', async () => {
  const root = temporaryFolder()
  put(root, 'file', 'abc')
  mkdirSync(join(root, 'folder'))
  symlinkSync('file', join(root, 'link'))
  const ranges = ['gone', 'folder', 'file', 'link', 'file'].map((name) => ({
    path: join(root, name),
    offset: 0,
    length: 3,
  }))
  const last = { path: join(root, 'file'), offset: 1, length: 3 }
  const { sha256, errors } = await hashRanges([...ranges.slice(0, 4), last])
  expect(errors).toEqual(
    new Map([
      [0, { code: 'not-found', message: `cannot read ${root}/gone: no such file or folder` }],
      [1, { code: 'special-file', message: `cannot read ${root}/folder: it is not a file` }],
      [3, { code: 'refused', message: `cannot read ${root}/link: it is a symbolic link` }],
      [4, { code: 'changed', message: `cannot read ${root}/file: it is shorter than expected` }],
    ]),
  )
  expect(hexAt(sha256, 2)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hexAt(sha256, 0)).toBe('00'.repeat(32))
})

test('hashing stops when its signal aborts', async () => {
  const root = temporaryFolder()
  put(root, 'endless', 'x')
  truncateSync(join(root, 'endless'), 2 ** 40)
  const controller = new AbortController()
  const ranges = [{ path: join(root, 'endless'), offset: 0, length: 2 ** 40 }]
  const hashing = hashRanges(ranges, { signal: controller.signal, onProgress: () => controller.abort() })
  await expect(hashing).rejects.toMatchObject({ code: 'cancelled' })
  await expect(hashRanges(ranges, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  })
})

test('hashing nothing gives nothing', async () => {
  expect(await hashRanges([])).toEqual({ sha256: new Uint8Array(0), errors: new Map() })
})
