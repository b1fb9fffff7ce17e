import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashRanges } from '../../../../../src/engine/native/addon'
import { verifyFolder } from '../../../../../src/engine/sets/verify/verifyFolder'
import type { Expected } from '../../../../../src/engine/sets/volume/expectedTree'

test('a folder is verified with its files counted one by one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'stowage-verify-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'photos'))
  const expected = new Map<string, Expected>([['photos', { kind: 'folder' }]])
  for (const [at, bytes] of [1000, 0, 70_000, 5].entries()) {
    const content = Buffer.alloc(bytes, at)
    writeFileSync(join(root, 'photos', `${at}.raw`), content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expected.set(`photos/${at}.raw`, { kind: 'file', bytes, sha256 })
  }
  const reports: [number, number][] = []
  const check = await verifyFolder({ sectors: 40 }, expected, {
    root,
    signal: new AbortController().signal,
    onBytes: (done, files) => reports.push([done, files]),
    async hash(ranges, { onProgress } = {}) {
      for (const done of [999, 1000, 70_999, 71_000, 71_005]) onProgress?.(done)
      return hashRanges(ranges)
    },
  })
  expect(reports).toEqual([
    [999, 0],
    [1000, 2],
    [70_999, 2],
    [71_000, 3],
    [71_005, 4],
  ])
  expect(check.differences).toEqual([])
  expect([...check.places.keys()]).toHaveLength(4)
})
