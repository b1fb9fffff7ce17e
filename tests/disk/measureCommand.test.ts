import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureComparisonSchema } from '../../src/contract/dto/measure'
import { stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder, SMALL_SPEC } from '../support/killedMeasurement'
import { measuringPlace } from '../support/measuringPlace'

const place = measuringPlace()

describe('stowage measure', () => {
  it('times the specified tests, announces what it writes, and leaves no files', async () => {
    foreignFolder(place.target)
    const before = contentsOf(place.target)
    const document = await place.measured('--spec', place.specFile(SMALL_SPEC))
    expect(contentsOf(place.target)).toEqual(before)
    expect(document).toMatchObject({ readOnly: false, partial: false, error: null, changes: [] })
    expect(document.tests.map(({ op, samples }) => [op, samples])).toEqual([
      ['write', 24],
      ['read', 24],
      ['write', 30],
      ['read', 30],
      ['write', 1],
      ['randomRead', 200],
    ])
    expect(document.write?.samples).toBe(55)
    for (const { bytesPerSecond } of [document.write, document.read].flatMap((each) => each ?? [])) {
      expect(bytesPerSecond?.provenance).toBe('measured')
      expect(bytesPerSecond?.low).toBeLessThanOrEqual(bytesPerSecond?.value ?? 0)
      expect(bytesPerSecond?.high).toBeGreaterThanOrEqual(bytesPerSecond?.value ?? 0)
    }
    const inOrder = (op: string): number[] =>
      document.samples.filter((sample) => sample.op === op && sample.test === 0).map(({ bytes }) => bytes)
    expect(inOrder('read')).toEqual(inOrder('write'))
    for (const { ns, transferNs } of document.samples) expect(ns).toBeGreaterThanOrEqual(transferNs)
    expect(document.writtenBytes).toBe(
      document.samples.filter(({ op }) => op === 'write').reduce((sum, { bytes }) => sum + bytes, 0),
    )
  })

  it('times a test of one’s own, put together by options', async () => {
    const own = ['--size', '100kB-400kB', '--count', '12', '--mix', 'read,randomread', '--depth', '2']
    const document = await place.measured(...own)
    const { spec, tests } = document
    expect(spec).toMatchObject({ name: 'Own test', concurrency: 2 })
    expect(spec.tests).toMatchObject([
      { sizes: { from: 100_000, to: 400_000, count: 12 }, operations: ['write', 'read', 'randomRead'] },
    ])
    expect(tests.map(({ op, samples }) => [op, samples])).toEqual([
      ['write', 12],
      ['read', 12],
      ['randomRead', 1000],
    ])
    const again = await place.measured('--again', document.id, '--depth', '1')
    expect(again.spec).toEqual({ ...spec, concurrency: 1 })
  })

  it('reads a specification file for one more version, and says so', async () => {
    const end = await stowage(
      ['measure', place.target, '--spec', place.specFile('tests: [{sizes: [1MB]}]')],
      {
        home: place.home,
      },
    )
    expect(end.code, end.stderr).toBe(0)
    expect(end.stderr).toMatch(/^note: the next version no longer reads --spec; use --size, --count, --mix/)
  })

  it('runs Stibium’s protocol at a budget, and its report reads like a table', { tags: 'long' }, async () => {
    const args = ['measure', place.target, '--preset', 'stibium', '--budget', '50MB']
    const { code, stdout, stderr } = await stowage(args, { home: place.home })
    expect(code, stderr).toBe(0)
    const announced = stderr.replaceAll(/\s+/g, ' ')
    expect(announced).toMatch(
      /^writes 4\d(\.\d)? MB to .*in its own folder, which is removed at the end, and reads 4\d/,
    )
    expect(announced).toMatch(/reduced to fit the budget: Files of random size: \d+ files instead of 160/)
    expect(stdout).toMatch(/Files of random size +Write +\d+ +[\d.]+ [MkK]B to [\d.]+ MB +[\d.]+ [MG]B\/s/)
    expect(stdout).toMatch(/Single transfers +Read +1 /)
    expect(stdout).toMatch(/Files of 10 KB +Read +200 +12\.3 kB /)
    expect(stdout).toMatch(/Write: [\d.]+ [MG]B\/s \([^)]+, 95 %\)/)
    expect(stdout).toMatch(/Cache: uncached requested, /)
    expect(readdirSync(place.target)).toEqual([])
  })

  it('keeps measurements, runs one again, compares two and writes samples as a table', async () => {
    const first = await place.measured('--spec', place.specFile(SMALL_SPEC))
    const csv = join(place.folder, 'samples.csv')
    const second = await place.measured('--again', first.id, '--csv', csv)
    expect(second.spec).toEqual(first.spec)
    expect(second.samples.map(({ bytes }) => bytes)).toEqual(first.samples.map(({ bytes }) => bytes))
    expect(second.device.key).toBe(first.device.key)
    const rows = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
    expect(rows).toHaveLength(second.samples.length + 1)
    expect(rows[1]).toMatch(/^"Test 1",0,write,\d+,\d+,\d+,[\d.]+,\d+,(stall|warmUp)?$/)
    const listed = await stowage(['measure', '--list', '--json'], { home: place.home })
    expect(JSON.parse(listed.stdout).measurements.map(({ id }: { id: string }) => id)).toEqual([
      second.id,
      first.id,
    ])
    const compared = await stowage(['measure', '--compare', first.id, second.id, '--json'], {
      home: place.home,
    })
    const comparison = measureComparisonSchema.parse({ ...JSON.parse(compared.stdout) })
    expect(comparison.operations.map(({ op }) => op)).toEqual(['write', 'read', 'randomRead'])
    const shown = await stowage(['measure', '--show', first.id, '--json'], { home: place.home })
    expect(JSON.parse(shown.stdout)).toEqual(first)
  })

  it('recognises a run that the cache answered', async () => {
    const cached = 'cache: buffered\nkeepCache: true\ntests: [{sizes: {from: 1MB, to: 4MB, count: 8}}]\n'
    const document = await place.measured('--spec', place.specFile(cached))
    expect(document.cache).toMatchObject({ requested: 'buffered', obtained: 'buffered', plausible: false })
    expect(document.warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['buffered', 'cacheSuspected']),
    )
    expect(document.cache.evidence.filter(({ holds }) => !holds).map(({ code }) => code)).toContain(
      document.cache.evidence.some(({ code }) => code === 'deviceReads') ? 'deviceReads' : 'cachedRate',
    )
  })

  it('reports buffered I/O for a folder in memory', async (context) => {
    if (!existsSync('/dev/shm')) context.skip('no tmpfs at /dev/shm here')
    const inMemory = mkdtempSync('/dev/shm/stowage-measure-')
    try {
      const args = [
        'measure',
        inMemory,
        '--spec',
        place.specFile('tests: [{sizes: {from: 1MB, to: 4MB, count: 8}}]'),
        '--json',
      ]
      const end = await stowage(args, { home: place.home })
      expect(end.code, end.stderr).toBe(0)
      const document = place.documentOf(end)
      expect(document.device.kind).toBe('memory')
      expect(document.cache).toMatchObject({ requested: 'uncached', obtained: 'buffered', plausible: false })
      expect(document.cache.because).not.toBeNull()
      expect(document.warnings.map(({ code: warning }) => warning)).toContain('memoryFileSystem')
      expect(readdirSync(inMemory)).toEqual([])
    } finally {
      rmSync(inMemory, { recursive: true })
    }
  })

  it.each([
    ['a folder that is not there', ['/nowhere/at all'], 2, /no such file or folder/],
    ['a file', [import.meta.filename], 2, /not a folder/],
    ['an unknown preset', ['/tmp', '--preset', 'gold'], 2, /no preset "gold": one of quick, stibium/],
    ['files of no size', ['/tmp', '--size', '0-1MB'], 2, /--size takes a size such as 8MB, or a range/],
    ['a size that is none', ['/tmp', '--size', '8 apples'], 2, /not a size: "8 apples"/],
    ['no files', ['/tmp', '--count', '0'], 2, /--count takes a number of files from 1 to 20,000/],
    ['a count that is none', ['/tmp', '--count', 'many'], 2, /--count takes a whole number, not "many"/],
    [
      'an unknown operation',
      ['/tmp', '--mix', 'write,erase'],
      2,
      /--mix takes at most 7 of write, read, stream/,
    ],
    ['too many requests', ['/tmp', '--depth', '65'], 2, /--depth takes a number of requests from 1 to 64/],
    [
      'accesses in tiny files',
      ['/tmp', '--size', '1kB', '--mix', 'write,randomRead'],
      2,
      /random accesses need files of at least 4 KiB/,
    ],
    ['two tests', ['/tmp', '--preset', 'quick', '--count', '9'], 2, /only one of --preset, --spec, --again/],
    ['a measurement that is not there', ['/tmp', '--again', 'm-1'], 2, /no measurement m-1/],
    ['a budget that leaves nothing', ['/tmp', '--budget', '1kB'], 4, /is too small to measure anything/],
  ])('answers %s with one line and the right exit code', async (_what, args, code, line) => {
    const end = await stowage(['measure', ...args], { home: place.home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([code, '', 1])
  })

  it('names line and column of a mistake in a specification', async () => {
    const spec = place.specFile('tests:\n  - sizes: [1MB]\n    repat: 2\n')
    const end = await stowage(['measure', place.target, '--spec', spec], { home: place.home })
    expect([end.code, end.stderr]).toEqual([
      2,
      expect.stringMatching(/spec\.yaml:3:5: tests\[1\]\.repat: unknown; did you mean "repeat"\?/),
    ])
  })
})
