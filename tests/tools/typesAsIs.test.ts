import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { planDocumentSchema } from '../../src/contract/dto/plan'
import {
  isNotWorthCompressing,
  shownCompression,
  typesNotWorthCompressing,
} from '../../src/domain/survey/typeCompression'
import { optionForecast } from '../../src/engine/options/optionForecast'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { contentOf } from '../support/buildSource'
import { type BuildPlace, buildPlace, failureOf, wordsOf, writeNoise } from '../support/builtOption'
import { mostlyLong } from '../support/mostlyLong'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'
import { factsBelow, runScript } from '../support/volumeFolders'

/** Noise named as photos, text, and names on which types could be mistaken. */
function makeSource(source: string): void {
  mkdirSync(join(source, 'folder', 'empty'), { recursive: true })
  for (let index = 0; index < 14; index++)
    writeNoise(source, `p${index}.${index % 2 ? 'jpg' : 'JPG'}`, 60_000 + 1000 * index, index + 1)
  for (let index = 0; index < 14; index++)
    writeFileSync(join(source, 'folder', `t${index}.txt`), wordsOf(index + 1, 70_000 + 1000 * index))
  for (const [at, name] of ['.jpg', 'jpg', 'a.jpg.txt', 'a.txt', 'b.jpg'].entries())
    writeFileSync(join(source, name), wordsOf(at + 50, 5000))
  writeFileSync(join(source, 'empty.jpg'), '')
  symlinkSync('b.jpg', join(source, 'link.jpg'))
}

const TYPE = '+as-is.jpg'
const isPhoto = (path: string): boolean => /[^/]\.jpg$/i.test(path)

describe('a plan that stores photos as they are', { tags: 'long' }, () => {
  const folder = temporaryFolder('as-is')
  const source = join(folder.path, 'source')
  const to = join(folder.path, 'restored')
  const programs = join(folder.path, 'programs')
  let bench: Bench
  let surveyId = ''

  beforeAll(async () => {
    mkdirSync(source)
    makeSource(source)
    mkdirSync(programs)
    symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
    bench = openBench(join(folder.path, 'data'))
    surveyId = await bench.survey([source], { sha256: true, samples: 'fast' })
  })
  beforeEach(() => rmSync(to, { recursive: true, force: true }))
  afterAll(() => {
    bench.close()
    folder.dispose()
  })

  test.each([
    ['files-gzip-6', 'folder:5MB', {}],
    ['files-zstd-3', 'custom:3MB', {}],
    ['files-lz4', 'folder:5MB', {}],
    ['tar-zst-19-1m-path', 'folder:5MB', {}],
    ['tar-zst-19-1m-content', 'custom:1500KB', {}],
    ['squashfs-zstd-3-128k', 'folder:5MB', {}],
    ['7z-files', 'folder:5MB', {}],
    ['7z-solid-1m-path', 'custom:1500KB', {}],
    ['7z-solid-1m-type', 'folder:5MB', { encryption: 'aes-256' as const }],
  ] as const)('as %s on %s is built, verified and restored byte for byte: %j', async (name, medium, more) => {
    const recipe = name + TYPE
    const password = 'encryption' in more ? 'swordfish' : null
    const given = () => (password === null ? {} : { password: Buffer.from(password) })
    const plan = await bench.plan(surveyId, medium, { recipe, ...more })
    const directory = join(folder.path, plan.id)
    await bench.export(plan.id, directory)
    const stored = planDocumentSchema.parse(JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')))
    expect(stored.packing?.recipe).toBe(recipe)
    expect((await bench.build(directory, given())).error).toBeNull()
    const verified = await bench.verify(directory, given())
    expect(verified.error).toBeNull()
    expect(verified.run).toMatchObject({ outcome: 'done' })
    const restored = await runRestore({ volumes: [directory], to, ...given() })
    expect(restored.error).toBeNull()
    expect(restored.document).toMatchObject({ outcome: 'done', restored: restored.document.files })
    expect(treeFacts(to)).toEqual(treeFacts(source))
    if (!medium.startsWith('folder') || password !== null) return
    const script = (readdirSync(directory, { recursive: true }) as string[]).find((path) =>
      /^folders\/.*RESTORE\.sh$/.test(path),
    )
    expect(script).toBeDefined()
    rmSync(to, { recursive: true })
    const ended = runScript(
      { command: ['dash'], path: `${programs}${delimiter}${process.env['PATH']}` },
      join(directory, script ?? ''),
      { words: [to] },
    )
    expect(ended).toMatchObject({ status: 0, errors: '' })
    expect(factsBelow(to)).toEqual(factsBelow(source))
  })

  test('streamed volume by volume keeps them plain too', async () => {
    const plan = await bench.plan(surveyId, 'custom:1500KB', { recipe: `files-zstd-3${TYPE}` })
    const directory = join(folder.path, plan.id)
    await bench.export(plan.id, directory)
    expect((await bench.build(directory, { stream: true })).error).toBeNull()
    expect((await bench.verify(directory)).error).toBeNull()
    const restored = await runRestore({ volumes: [directory], to })
    expect(restored.error).toBeNull()
    expect(treeFacts(to)).toEqual(treeFacts(source))
  })

  test.each([
    ['7z-solid-1m-content', 'in this order all files are in one tar'],
    ['7z-t7z', 'torrent7z packs all files by one method'],
    ['borg-1-zstd-3', 'borg compresses chunks'],
    ['udzo', 'pieces that know no files'],
  ])('is refused for %s, which cannot do that', async (recipe, reason) => {
    const before = readdirSync(folder.path)
    const name = recipe + TYPE
    const failure = await failureOf(bench.plan(surveyId, 'folder:5MB', { recipe: name }))
    // The name of such a recipe does not even parse where its family never can.
    expect(failure).toMatchObject({ code: 'refused' })
    if (recipe === '7z-solid-1m-content') expect(failure.message).toContain(reason)
    expect(readdirSync(folder.path)).toEqual(before)
  })

  test('is refused for SquashFS on several volumes', { tags: 'long' }, async () => {
    const recipe = `squashfs-zstd-3-128k${TYPE}`
    const failure = await failureOf(bench.plan(surveyId, 'custom:1500KB', { recipe }))
    expect(failure).toMatchObject({ code: 'refused' })
    expect(failure.message).toMatch(/^cannot plan squashfs-zstd-3-128k\+as-is\.jpg on \d volumes: mksquashfs/)
  })

  test.each([
    'files-gzip-6',
    'files-zstd-3',
    'files-lz4',
    '7z-files',
    '7z-solid-1m-path',
    'tar-zst-19-1m-path',
    'squashfs-zstd-3-128k',
  ])('as %s has the forecast size', { tags: 'long' }, async (name) => {
    const recipe = name + TYPE
    const { bytes } = optionForecast(
      bench.catalog,
      bench.catalog.survey(surveyId),
      recipe,
      'none',
      null,
    ).estimate
    const plan = await bench.plan(surveyId, 'folder:5MB', { recipe })
    const directory = join(folder.path, `${plan.id}-sized`)
    await bench.export(plan.id, directory)
    expect((await bench.build(directory)).error).toBeNull()
    const actual = readdirSync(join(directory, 'folders'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('STOWAGE'))
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    console.log(`${recipe}: forecast ${bytes.low} to ${bytes.high}, actual ${actual}`)
    expect(actual).toBeGreaterThan(0)
    expect(bytes.low).toBeLessThanOrEqual(actual)
    expect(bytes.high).toBeGreaterThanOrEqual(actual)
  })

  test('comes of types that the survey finds not worth compressing', () => {
    const { types } = bench.catalog.survey(surveyId)
    expect(typesNotWorthCompressing(types)).toEqual(['jpg'])
    const text = types.find(({ extension }) => extension === 'txt')
    expect(text && isNotWorthCompressing(text)).toBe(false)
    const found = text && shownCompression(text)
    // A busy machine may leave zstd -3 too few samples of a type: then zstd -1 stands for it.
    const level = found?.codec.replace('zstd', '') ?? ''
    const ownBytes = readdirSync(join(source, 'folder'))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => join(source, 'folder', name))
      .concat([join(source, 'a.txt'), join(source, 'a.jpg.txt')])
      .reduce((sum, path) => sum + execFileSync('zstd', [level, '-c', path]).length, 0)
    expect(found?.low).toBeLessThanOrEqual(ownBytes)
    expect(found?.high).toBeGreaterThanOrEqual(ownBytes)
  })
})

describe('what is built with photos stored as they are', () => {
  let place: BuildPlace
  beforeEach(() => {
    place = buildPlace()
    makeSource(place.source)
  })
  afterEach(() => place.dispose())

  const EVERYTHING = { folders: true, links: true }

  test.each(['tar-zst-19-1m-path', 'tar-zst-19-4m-content'])(
    '%s is read whole by zstd and tar, and is the same again',
    { tags: 'long' },
    async (name) => {
      const { path, built } = await place.build(name + TYPE)
      expect(built.repeatable).toBe(true)
      execFileSync('zstd', ['-t', '-q', path])
      const names = execFileSync('tar', ['--zstd', '-tf', path], { encoding: 'utf8' }).trimEnd().split('\n')
      const files = names.filter((each) => !each.endsWith('/') && each !== 'link.jpg')
      const photos = files.filter(isPhoto)
      expect(files.slice(-photos.length)).toEqual(photos)
      const to = join(place.folder, 'out')
      mkdirSync(to)
      execFileSync('tar', ['--zstd', '-xf', path, '-C', to])
      expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
      // Bytes that are stored are there as they are.
      expect(readFileSync(path).includes(readFileSync(join(place.source, 'b.jpg')))).toBe(true)
      const again = await place.build(name + TYPE)
      expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
    },
  )

  test.each(['7z-files', '7z-solid-1m-path', '7z-solid-1m-type'])(
    '%s has them by Copy',
    { tags: 'long' },
    async (name) => {
      const { path } = await place.build(name + TYPE)
      const tool = await requireTool(sevenZip)
      const listed = execFileSync(tool.path, ['l', '-slt', path], { encoding: 'utf8', stdio: 'pipe' })
      const rows = Array.from(listed.matchAll(/^Path = (.*)\nSize = (\d+)[^]*?^Method = ?(.*)$/gm))
      const methods = rows.filter(([, , size]) => size !== '0')
      expect(methods.length).toBe(14 + 14 + 5)
      for (const [, member = '', , method = ''] of methods) {
        if (isPhoto(member)) expect([member, method]).toEqual([member, 'Copy'])
        else expect(method).toMatch(/^LZMA2?:/)
      }
      const to = join(place.folder, 'out')
      execFileSync(tool.path, ['x', '-y', `-o${to}`, path], { stdio: 'pipe' })
      const withoutLinks = { folders: false, links: false }
      expect(contentOf(to, withoutLinks)).toEqual(contentOf(place.source, withoutLinks))
      const again = await place.build(name + TYPE)
      expect(readFileSync(again.path).equals(readFileSync(path))).toBe(true)
    },
  )

  test('SquashFS has text at its own size where text is stored', { tags: 'long' }, async () => {
    const [packed, stored] = [
      await place.build('squashfs-zstd-3-128k'),
      await place.build('squashfs-zstd-3-128k+as-is.txt'),
    ]
    const text = 14 * 70_000
    expect(stored.built.bytes - packed.built.bytes).toBeGreaterThan(0.3 * text)
    const to = join(place.folder, 'out')
    execFileSync('unsquashfs', ['-q', '-n', '-d', to, stored.path], { stdio: 'pipe' })
    expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
  })

  test('SquashFS of a part of a source is refused', { tags: 'long' }, async () => {
    const failure = await failureOf(place.build(`squashfs-zstd-3-128k${TYPE}`, { isPart: true }))
    expect(failure).toMatchObject({ code: 'refused' })
    expect(failure.message).toContain('only in one image of whole folders')
  })

  mostlyLong(
    test,
    [
      ['files-gzip-9', '.gz'],
      ['files-zstd-19', '.zst'],
      ['files-lz4', '.lz4'],
    ],
    ([recipe]) => recipe === 'files-lz4',
  )('%s has them under their own names', async (name, ending) => {
    const { path } = await place.build(name + TYPE)
    const names = contentOf(place.source, { folders: false, links: false })
    for (const member of Object.keys(names)) {
      const plain = isPhoto(member)
      const made = readFileSync(join(path, plain ? member : member + ending))
      expect(made.equals(readFileSync(join(place.source, member)))).toBe(plain)
    }
  })
})
