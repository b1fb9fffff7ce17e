import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { largestFileBytes, requireFileSize } from '../../../../src/engine/files/largestFile'

test('a file on FAT has less than 4 GiB, and others have no limit that matters', () => {
  expect(largestFileBytes(0x4d44)).toBe(4_294_967_295)
  for (const type of [0xef53, 0x1021994, 0x9123683e])
    expect(largestFileBytes(type)).toBe(Number.POSITIVE_INFINITY)
})

test('a large image is refused by no other file system', async () => {
  await expect(requireFileSize(tmpdir(), join(tmpdir(), 'x.iso'), 50e9)).resolves.toBeUndefined()
})
