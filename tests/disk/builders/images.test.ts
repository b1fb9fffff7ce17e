import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openContainer } from '../../../src/engine/native/containers'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, requestFor } from '../../support/buildSource'
import { type BuildPlace, buildPlace, failureOf, wordsOf, writeNoise } from '../../support/builtOption'
import { checkDisc, checkIsoDisc } from '../../support/discChecker/checkDisc'
import {
  listByIsoinfo,
  missingReader,
  readBy7Zip,
  readByBsdtar,
  readByXorriso,
} from '../../support/discReaders'
import { mostlyLong } from '../../support/mostlyLong'
import { randomDiscTree } from '../../support/randomDiscTree'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => {
  vi.unstubAllEnvs()
  place.dispose()
})

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
    expect(checkDisc(path).findings).toEqual([])
    // Names may be others in UDF, but not how many, and not what is in them.
    const inUdf = Object.values(readBy7Zip(path)).map((content) => content || 'folder')
    const source = contentOf(place.source, { folders: true, links: false })
    expect(inUdf.toSorted()).toEqual([...source.values()].toSorted())
    expect(built).toMatchObject({ tool: 'Stowage', bytes: statSync(path).size, repeatable: true })
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

describe('an ISO image of a file', () => {
  it('keeps the time of the file and whether it is executable', async () => {
    for (const [name, mode] of [
      ['program', 0o755],
      ['text', 0o644],
    ] as const) {
      writeFileSync(join(place.source, name), name)
      chmodSync(join(place.source, name), mode)
      utimesSync(join(place.source, name), 1_234_567_890, 1_234_567_890)
    }
    const out = extractIso((await place.build('iso')).path)
    expect(statSync(join(out, 'text')).mtimeMs).toBe(1_234_567_890_000)
    expect(statSync(join(out, 'text')).mode & 0o111).toBe(0)
    expect(statSync(join(out, 'program')).mode & 0o100).toBe(0o100)
  })

  it('has the content of hard links once', async () => {
    writeNoise(place.source, 'one', 1_000_000)
    const alone = await place.build('iso')
    linkSync(join(place.source, 'one'), join(place.source, 'two'))
    const { path } = await place.build('iso')
    expect(statSync(path).size - statSync(alone.path).size).toBeLessThanOrEqual(32 * 2048)
    expect(contentOf(extractIso(path), EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  })

  it('is refused where the content is not what the survey saw', async () => {
    writeFileSync(join(place.source, 'file'), 'content')
    const { files } = requestFor([place.source], place.folder, 'iso')
    const other = files.map((file) => Object.assign(file, { digest: '0'.repeat(64) }))
    const failure = await failureOf(place.build('iso', { files: other }))
    expect(failure.code).toBe('changed')
    expect(failure.message).toBe(`cannot use ${join(place.source, 'file')}: its content has changed`)
  })

  it('leaves out symbolic links with targets that no image holds, and says so', async () => {
    writeFileSync(join(place.source, 'file'), 'content')
    symlinkSync(`${'folder/'.repeat(146)}xy`, join(place.source, 'link'))
    const { built, path } = await place.build('iso')
    expect(built.notes).toEqual(['1 symbolic link is left out: its target is too long for an image'])
    expect([...contentOf(extractIso(path), EVERYTHING).keys()]).toEqual(['file'])
  })
})

describe('without any other program', () => {
  it.each(['iso', 'udzo'])('%s is built', async (variant) => {
    writeFileSync(join(place.source, 'file'), 'content')
    vi.stubEnv('PATH', '/nonexistent')
    const { built, path } = await place.build(variant)
    expect(built).toMatchObject({ tool: 'Stowage', bytes: statSync(path).size })
  })
})

describe('a compressed disk image', () => {
  it('contains an image of ISO 9660 alone, with symbolic links', async (context) => {
    const missing = missingReader('bsdtar', 'isoinfo')
    if (missing) context.skip(missing)
    randomDiscTree(place.source, 15)
    for (let file = 0; file < 3; file++) writeFileSync(join(place.source, `${file}`), wordsOf(file, 300_000))
    const { built, path } = await place.build('udzo')
    const disk = await openContainer(path)
    const { bytes } = await disk.info()
    const image = join(place.folder, 'inside.iso')
    writeFileSync(image, await disk.read(0, bytes))
    await disk.close()
    expect(bytes % (32 * 2048)).toBe(0)
    expect(checkIsoDisc(image)).toEqual([])
    expect(contentOf(extractIso(image), EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    const tree = readByXorriso(image)
    expect(readByBsdtar(image)).toEqual(tree)
    expect(new Set(listByIsoinfo(image))).toEqual(new Set(Object.keys(tree)))
    expect(built.bytes).toBeLessThan(0.7 * bytes)
    expect(built).toMatchObject({ repeatable: false, tool: 'Stowage' })
  })

  it('counts whole bytes while it is compressed', { tags: 'long' }, async () => {
    // Long enough to be reported in the middle; an odd length, so that no share of it is whole by chance.
    writeNoise(place.source, 'noise', 40_000_001)
    const shares: (number | null)[] = []
    await place.build('udzo', { onProgress: (done) => shares.push(done) })
    expect(shares.length).toBeGreaterThan(2)
    expect(shares.filter((done) => done !== null && !Number.isSafeInteger(done))).toEqual([])
  })
})

describe('a tar archive with a long window', () => {
  mostlyLong(
    it,
    ['tar-zst-19-1m-path', 'tar-zst-19-4m-content'],
    (variant) => variant === 'tar-zst-19-1m-path',
  )('%s has everything and is the same again', async (variant) => {
    makeHostileTree(place.source, { seed: 13 })
    const { built, path } = await place.build(variant)
    const to = join(place.folder, 'out')
    mkdirSync(to)
    execFileSync('tar', ['--zstd', '-xf', path, '-C', to])
    expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    expect(built.bytes).toBe(statSync(path).size)
    const again = await place.build(variant)
    expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
  })

  it('is about as large as the zstd tool makes it, whatever its version, and its tar what GNU tar would write', {
    tags: 'long',
  }, async () => {
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
  mostlyLong(
    it,
    ['squashfs-gzip-128k', 'squashfs-lz4-128k', 'squashfs-zstd-3-1m'],
    (variant) => variant === 'squashfs-lz4-128k',
  )('%s has everything and is the same again', async (variant) => {
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
  })
})
