import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContainer } from '../../../src/engine/native/containers'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf } from '../../support/buildSource'
import { type BuildPlace, buildPlace, wordsOf, writeNoise } from '../../support/builtOption'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }

function extractIso(image: string): string {
  const to = join(place.folder, 'out')
  execFileSync('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', to], { stdio: 'pipe' })
  execFileSync('chmod', ['-R', 'u+rwX', to])
  return to
}

describe('an ISO image', () => {
  it('has everything, whatever its name, and is the same again', async () => {
    makeHostileTree(place.source, { seed: 12 })
    // Rock Ridge keeps the names of a target, and so no slash at its end.
    rmSync(join(place.source, 'untidy link'))
    const { built, path } = await place.build('iso')
    expect(contentOf(extractIso(path), EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    expect(built).toMatchObject({ tool: 'xorriso', bytes: statSync(path).size, repeatable: true })
    const again = await place.build('iso')
    expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
  })

  it('begins with the names of several roots', async () => {
    const roots = ['one', 'two'].map((name) => join(place.source, name))
    for (const root of roots) {
      mkdirSync(root)
      writeFileSync(join(root, 'file'), root)
    }
    const { path } = await place.build('iso', {}, roots)
    expect(contentOf(extractIso(path), EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  })
})

describe('a compressed disk image', () => {
  it('contains the ISO image', async () => {
    for (let file = 0; file < 3; file++) writeFileSync(join(place.source, `${file}`), wordsOf(file, 300_000))
    const { built, path } = await place.build('udzo')
    const iso = await place.build('iso')
    const disk = await openContainer(path)
    const { bytes } = await disk.info()
    const inside = await disk.read(0, bytes)
    await disk.close()
    const image = readFileSync(iso.path)
    expect(inside.subarray(0, image.length).equals(image)).toBe(true)
    expect(built.bytes).toBeLessThan(0.7 * image.length)
    expect(built).toMatchObject({ repeatable: false, tool: 'xorriso and Stowage' })
  })

  it('counts whole bytes while it is compressed', async () => {
    // Long enough to be reported in the middle; an odd length, so that no share of it is whole by chance.
    writeNoise(place.source, 'noise', 40_000_001)
    const told: (number | null)[] = []
    await place.build('udzo', { onProgress: (done) => told.push(done) })
    expect(told.length).toBeGreaterThan(2)
    expect(told.filter((done) => done !== null && !Number.isSafeInteger(done))).toEqual([])
  })
})

describe('a tar archive with a long window', () => {
  it.each(['tar-zst-19-1m-path', 'tar-zst-19-4m-content'])(
    '%s has everything and is the same again',
    async (variant) => {
      makeHostileTree(place.source, { seed: 13 })
      const { built, path } = await place.build(variant)
      const to = join(place.folder, 'out')
      mkdirSync(to)
      execFileSync('tar', ['--zstd', '-xf', path, '-C', to])
      expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
      expect(built.bytes).toBe(statSync(path).size)
      const again = await place.build(variant)
      expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
    },
  )

  it('is about as large as the zstd tool makes it, whatever its version, and its tar what GNU tar would write', async () => {
    for (let file = 0; file < 4; file++)
      writeFileSync(join(place.source, `${file}.txt`), wordsOf(file % 3, 400_000))
    const { built, path } = await place.build('tar-zst-19-4m-path')
    const tar = join(place.folder, 'ours.tar')
    writeFileSync(tar, zstdDecompressSync(readFileSync(path)))
    const list = ['0.txt', '1.txt', '2.txt', '3.txt']
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
    const real = execFileSync('tar', [...owner, '-cf', '-', ...list], { cwd: place.source, maxBuffer: 1e9 })
    expect(readFileSync(tar).equals(real)).toBe(true)
    const tool = execFileSync('zstd', ['-q', '-19', '--long=22', '-T1', '-c'], { input: real })
    expect(Math.abs(built.bytes / tool.length - 1)).toBeLessThan(0.005)
  })
})

describe('a SquashFS image', () => {
  it.each(['squashfs-gzip-128k', 'squashfs-lz4-128k', 'squashfs-zstd-3-1m'])(
    '%s has everything and is the same again',
    async (variant) => {
      makeHostileTree(place.source, { seed: 14 })
      const { built, path } = await place.build(variant)
      const to = join(place.folder, 'out')
      execFileSync('unsquashfs', ['-quiet', '-no-progress', '-dest', to, path], { stdio: 'pipe' })
      expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
      const about = execFileSync('unsquashfs', ['-stat', path], { encoding: 'utf8' })
      expect(about).toMatch(`Compression ${variant.split('-')[1]}`)
      expect(about).toMatch(`Block size ${variant.endsWith('1m') ? 1_048_576 : 131_072}`)
      expect(built).toMatchObject({ tool: 'mksquashfs', bytes: statSync(path).size })
      const again = await place.build(variant)
      expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
    },
  )
})
