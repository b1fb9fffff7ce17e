import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rockRidgeTarget } from '../../../../../../src/domain/sets/naming/linkTargets'
import type { ReadAt } from '../../../../../../src/engine/sets/volume/image/imageTree'
import { readIsoTree } from '../../../../../../src/engine/sets/volume/image/isoTree'
import { readSystemUse } from '../../../../../../src/engine/sets/volume/image/rockRidge'
import { AppError } from '../../../../../../src/primitives/appError'
import { seededRandom } from '../../../../../../src/primitives/seededRandom'

const folder = mkdtempSync(join(tmpdir(), 'stowage-iso-'))
const name = 'n'.repeat(250)
let image: Uint8Array

beforeAll(() => {
  const source = join(folder, 'source')
  mkdirSync(join(source, 'sub', 'deeper'), { recursive: true })
  writeFileSync(join(source, 'sub', name), 'long name')
  writeFileSync(join(source, 'sub', 'deeper', 'x'), new Uint8Array(5000))
  symlinkSync('../a/./b', join(source, 'sub', 'link'))
  symlinkSync(`/${name}/${name}/${name}`, join(source, 'far'))
  for (let index = 0; index < 100; index++) writeFileSync(join(source, `file ${index}`), '')
  const out = join(folder, 'x.iso')
  execFileSync('xorriso', ['-as', 'mkisofs', '-quiet', '-r', '-V', 'LABEL', '-o', out, source], {
    stdio: 'pipe',
  })
  image = readFileSync(out)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readerOf =
  (bytes: Uint8Array): ReadAt =>
  (position, length) =>
    Promise.resolve(bytes.subarray(position, position + length))

describe('the reader of directory records', () => {
  test('gives label, size, names, sizes and link targets', async () => {
    const tree = await readIsoTree(readerOf(image))
    expect(tree.label).toBe('LABEL')
    expect(tree.sectors * 2048).toBe(image.length)
    const byPath = new Map(tree.entries.map((entry) => [entry.path, entry]))
    expect(byPath.size).toBe(106)
    expect(byPath.get('sub')?.kind).toBe('folder')
    expect(byPath.get(`sub/${name}`)).toMatchObject({ kind: 'file', bytes: 9 })
    expect(byPath.get('sub/deeper/x')).toMatchObject({ kind: 'file', bytes: 5000 })
    expect(byPath.get('sub/link')).toMatchObject({ kind: 'symlink', target: '../a/./b' })
    expect(byPath.get('far')).toMatchObject({ kind: 'symlink', target: `/${name}/${name}/${name}` })
    const { offset } = byPath.get(`sub/${name}`) ?? { offset: 0 }
    expect(Buffer.from(image.subarray(offset, offset + 9)).toString()).toBe('long name')
  })

  test('lists folders before what they hold', async () => {
    const { entries } = await readIsoTree(readerOf(image))
    const seen = new Set([''])
    for (const { path, kind } of entries) {
      expect(seen.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))).toBe(true)
      if (kind === 'folder') seen.add(path)
    }
  })

  test('refuses a file that is not an image', async () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(100_000), image.subarray(0, 34_000)]) {
      await expect(readIsoTree(readerOf(bytes))).rejects.toMatchObject({ code: 'verification-failed' })
    }
  })

  const whateverIsSpoilt = (rounds: number) => async () => {
    const random = seededRandom(2026)
    // Descriptor and directories are near the beginning: that is where damage matters.
    const metadata = Math.min(image.length, 60 * 2048) - 16 * 2048
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const spoilt = Uint8Array.from(image)
      const flips = 1 + random.below(8)
      for (let flip = 0; flip < flips; flip++) spoilt[16 * 2048 + random.below(metadata)] = random.below(256)
      const cut = random.below(4) === 0 ? random.below(spoilt.length) : spoilt.length
      try {
        await readIsoTree(readerOf(spoilt.subarray(0, cut)))
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'verification-failed') throw thrown
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(rounds / 20)
  }

  const spoilt = 'ends with a tree or a plain refusal whatever bytes are spoilt or cut off'
  test(spoilt, whateverIsSpoilt(400))
  test(`${spoilt}, 2,000 times`, { tags: 'long' }, whateverIsSpoilt(2_000))

  test('refuses a record whose two orders of bytes differ, and a folder that is elsewhere than it says', async () => {
    const identifier = Buffer.from(image).indexOf(Buffer.from('\u0003SUB'))
    const place = new DataView(image.buffer, image.byteOffset).getUint32(identifier - 32 + 2, true)
    for (const [offset, reason] of [
      [identifier - 32 + 2, 'has a damaged record'],
      [identifier - 32 + 10, 'has a damaged record'],
      [place * 2048 + 2, 'at another place than it says'],
    ] as const) {
      const changed = Uint8Array.from(image)
      const view = new DataView(changed.buffer)
      const value = view.getUint32(offset, true) + 1
      if (reason !== 'has a damaged record') view.setUint32(offset, value, true)
      view.setUint32(offset + 4, value)
      await expect(readIsoTree(readerOf(changed))).rejects.toThrow(reason)
    }
  })

  test('ends where areas of a record go on in one another without end', async () => {
    const area = new Uint8Array(28)
    area.set([...Buffer.from('CE'), 28, 1])
    const areas: unknown[] = []
    const readArea = (...where: readonly unknown[]) => {
      if (areas.push(where) > 10_000) throw new Error('no end')
      return Promise.resolve(area)
    }
    await expect(readSystemUse(area, readArea)).rejects.toMatchObject({ code: 'verification-failed' })
  })

  test('does not follow a folder that holds itself', async () => {
    const looped = Uint8Array.from(image)
    const view = new DataView(looped.buffer)
    const root = view.getUint32(16 * 2048 + 156 + 2, true)
    // The record of the folder `sub`, found by its identifier, is sent back to the root.
    const identifier = Buffer.from(looped).indexOf(Buffer.from('\u0003SUB'))
    expect(identifier).toBeGreaterThan(root * 2048)
    view.setUint32(identifier - 32 + 2, root, true)
    view.setUint32(identifier - 32 + 6, root)
    await expect(readIsoTree(readerOf(looped))).rejects.toThrow(/is its own parent/)
  })
})

test.each([
  ['a//b/', 'a/b'],
  ['/', '/'],
  ['//x', '/x'],
  ['./', '.'],
  ['../..', '../..'],
])('the target %s is kept by Rock Ridge as %s', (target, kept) => {
  expect(rockRidgeTarget(target)).toBe(kept)
})
