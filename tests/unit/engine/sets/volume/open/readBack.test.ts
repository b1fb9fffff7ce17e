import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Expected } from '../../../../../../src/engine/sets/volume/lists/expectedTree'
import { openFolder } from '../../../../../../src/engine/sets/volume/lists/volume'
import type { ExpectedFile } from '../../../../../../src/engine/sets/volume/open/expectedFiles'
import {
  buffered,
  direct,
  placeContents,
  readBack,
  readBackTree,
  type Way,
} from '../../../../../../src/engine/sets/volume/open/readBack'
import { temporaryFolder } from '../../../../../support/surveyedFolder'

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
  const slowly: Way = (places, watch) => {
    for (const done of [999, 1000, 70_999, 71_000, 71_005]) watch.onBytes(done)
    return buffered(places, { ...watch, onBytes: () => undefined })
  }
  const check = await readBackTree(await openFolder(root), expected, slowly, {
    signal: new AbortController().signal,
    onBytes: (done, files) => reports.push([done, files ?? -1]),
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

describe('files that are read back by their digests', () => {
  const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')
  const whole = Buffer.alloc(5000, 7)
  const wanted = (path: string, bytes: number | null = null, content = whole): ExpectedFile => ({
    path,
    bytes,
    sha256: new Set([hashOf(content)]),
  })
  const watch = { signal: new AbortController().signal, onBytes: () => undefined }
  test.each([
    ['buffered', buffered],
    ['direct', direct],
  ])('differ by the same facts in %s reading', async (_, way) => {
    const folder = temporaryFolder()
    for (const name of ['right', 'other', 'long']) writeFileSync(join(folder, name), whole)
    writeFileSync(join(folder, 'spoilt'), Buffer.alloc(5000, 8))
    const unproved = { ...wanted('other'), sha256: new Set<string>() }
    const files = [wanted('right'), wanted('spoilt'), wanted('long', 4999), wanted('gone'), unproved]
    const placed = await placeContents(await openFolder(folder), files)
    const { differences, places } = await readBack(placed, way, watch)
    expect(differences).toEqual([
      { path: 'spoilt', code: 'other-content' },
      { path: 'long', code: 'other-size', bytes: 5000, wanted: 4999 },
      { path: 'gone', code: 'missing' },
    ])
    expect([...places.keys()]).toEqual(['right', 'other'])
  })

  test('name the bytes that an image lacks, where they begin in it', async () => {
    const image = join(temporaryFolder(), 'image')
    writeFileSync(image, whole)
    const place = { file: image, offset: 2048, bytes: 4096 }
    const files = { folder: null, placeOf: () => Promise.resolve(place) }
    const placed = await placeContents(files, [wanted('one'), wanted('two')])
    expect(placed.places).toEqual([place])
    const { differences } = await readBack(placed, direct, watch)
    expect(differences).toEqual(
      ['one', 'two'].map((path) => ({
        path,
        code: 'cut',
        parts: [{ offset: 5000, length: 1144, cause: null }],
        offset: 2048,
      })),
    )
  })
})
