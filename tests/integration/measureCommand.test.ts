import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type MeasurementDocument,
  measureComparisonSchema,
  measurementDocumentSchema,
} from '../../src/contract/dto/measure'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { contentsOf, foreignFolder, killedOnce, SMALL_SPEC } from '../support/killedMeasurement'

let folder: string
let home: string
let target: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-measure-'))
  home = join(folder, 'home')
  target = join(folder, 'target')
  mkdirSync(target)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function specFile(text: string): string {
  const file = join(folder, 'spec.yaml')
  writeFileSync(file, text)
  return file
}

async function measured(...args: string[]): Promise<MeasurementDocument> {
  const { code, stdout, stderr } = await stowage(['measure', target, '--json', ...args], { home })
  expect(code, stderr).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return measurementDocumentSchema.parse(JSON.parse(stdout))
}

/** A file system of some megabytes in a file, or why there cannot be one here. */
function smallDisk(
  inside: string,
  megabytes: number,
): { path: string; free: number; unmount(): void } | string {
  const [image, path] = [join(inside, 'disk.img'), join(inside, 'disk')]
  try {
    mkdirSync(path)
    execFileSync('truncate', ['-s', `${megabytes}M`, image])
    execFileSync('mkfs.ext4', ['-q', '-m', '0', '-b', '4096', image])
    execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'pipe' })
  } catch (thrown) {
    return `no file system can be mounted from a file here: ${String(thrown).split('\n')[0]}`
  }
  const { bavail, bsize } = statfsSync(path)
  return { path, free: bavail * bsize, unmount: () => execFileSync('umount', [path]) }
}

describe('stowage measure', () => {
  it('times what the specification says, says beforehand what it writes, and leaves nothing', async () => {
    foreignFolder(target)
    const before = contentsOf(target)
    const document = await measured('--spec', specFile(SMALL_SPEC))
    expect(contentsOf(target)).toEqual(before)
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

  it('runs the seed’s protocol at a budget, and its report reads like a table', async () => {
    const args = ['measure', target, '--preset', 'stibium', '--budget', '50MB']
    const { code, stdout, stderr } = await stowage(args, { home })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(
      /^writes 4\d(\.\d)? MB to .*in a folder of its own that is removed again, and reads 4\d/,
    )
    expect(stderr).toMatch(/scaled to the budget: Files of random size: \d+ files instead of 160/)
    expect(stdout).toMatch(/Files of random size +Write +\d+ +[\d.]+ [MkK]B to [\d.]+ MB +[\d.]+ [MG]B\/s/)
    expect(stdout).toMatch(/Single transfers +Read +1 /)
    expect(stdout).toMatch(/Files of 10 KB +Read +200 +12\.3 kB /)
    expect(stdout).toMatch(/Write: [\d.]+ [MG]B\/s \([^)]+, 95 %\)/)
    expect(stdout).toMatch(/Cache: uncached asked for, /)
    expect(readdirSync(target)).toEqual([])
  })

  it('keeps measurements, runs one again, compares two and writes samples as a table', async () => {
    const first = await measured('--spec', specFile(SMALL_SPEC))
    const csv = join(folder, 'samples.csv')
    const second = await measured('--again', first.id, '--csv', csv)
    expect(second.spec).toEqual(first.spec)
    expect(second.samples.map(({ bytes }) => bytes)).toEqual(first.samples.map(({ bytes }) => bytes))
    expect(second.device.key).toBe(first.device.key)
    const rows = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
    expect(rows).toHaveLength(second.samples.length + 1)
    expect(rows[1]).toMatch(/^"Test 1",0,write,\d+,\d+,\d+,[\d.]+,\d+,(stall|warmUp)?$/)
    const listed = await stowage(['measure', '--list', '--json'], { home })
    expect(JSON.parse(listed.stdout).measurements.map(({ id }: { id: string }) => id)).toEqual([
      second.id,
      first.id,
    ])
    const compared = await stowage(['measure', '--compare', first.id, second.id, '--json'], { home })
    const comparison = measureComparisonSchema.parse({ ...JSON.parse(compared.stdout) })
    expect(comparison.operations.map(({ op }) => op)).toEqual(['write', 'read', 'randomRead'])
    const shown = await stowage(['measure', '--show', first.id, '--json'], { home })
    expect(JSON.parse(shown.stdout)).toEqual(first)
  })

  it('recognises a run that the cache answered', async () => {
    const cached = 'cache: buffered\nkeepCache: true\ntests: [{sizes: {from: 1MB, to: 4MB, count: 8}}]\n'
    const document = await measured('--spec', specFile(cached))
    expect(document.cache).toMatchObject({ requested: 'buffered', obtained: 'buffered', plausible: false })
    expect(document.warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['buffered', 'cacheSuspected']),
    )
    expect(document.cache.evidence.filter(({ holds }) => !holds).map(({ code }) => code)).toContain(
      document.cache.evidence.some(({ code }) => code === 'deviceReads') ? 'deviceReads' : 'cachedRate',
    )
  })

  it('says of a folder in memory that it was buffered', async (context) => {
    if (!existsSync('/dev/shm')) context.skip('no tmpfs at /dev/shm here')
    const inMemory = mkdtempSync('/dev/shm/stowage-measure-')
    try {
      const args = [
        'measure',
        inMemory,
        '--spec',
        specFile('tests: [{sizes: {from: 1MB, to: 4MB, count: 8}}]'),
        '--json',
      ]
      const { code, stdout, stderr } = await stowage(args, { home })
      expect(code, stderr).toBe(0)
      const document = measurementDocumentSchema.parse(JSON.parse(stdout))
      expect(document.device.kind).toBe('memory')
      expect(document.cache).toMatchObject({ requested: 'uncached', obtained: 'buffered', plausible: false })
      expect(document.cache.because).not.toBeNull()
      expect(document.warnings.map(({ code: warning }) => warning)).toContain('memoryFileSystem')
      expect(readdirSync(inMemory)).toEqual([])
    } finally {
      rmSync(inMemory, { recursive: true })
    }
  })

  it('stops with what it has when a small file system is full', async (context) => {
    const disk = smallDisk(folder, 48)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const spec = 'tests: [{sizes: [{size: 1MB, count: 60}], operations: [write]}]\n'
      const refused = await stowage(['measure', disk.path, '--spec', specFile(spec)], { home })
      expect([refused.code, refused.stderr]).toEqual([
        4,
        expect.stringMatching(/must stay free.*\[no-space\]/),
      ])
      expect(readdirSync(disk.path)).toEqual(['lost+found'])
      // With leave to fill it to the last block, of which the folder of the measurement itself then takes one.
      const count = Math.floor(disk.free / 2 ** 20) - 1
      const sizes = `[{size: 1MiB, count: ${count}}, ${disk.free - count * 2 ** 20}]`
      const brim = specFile(`keepFree: 0\ntests: [{sizes: ${sizes}, order: listed, operations: [write]}]\n`)
      const end = await stowage(['measure', disk.path, '--spec', brim, '--json'], { home })
      expect([end.code, end.stderr]).toEqual([4, expect.stringMatching(/no-space/)])
      const document = measurementDocumentSchema.parse(JSON.parse(end.stdout))
      expect(document).toMatchObject({ partial: true, error: { code: 'no-space' } })
      expect(document.samples.length).toBe(count)
      expect(document.warnings.map(({ code }) => code)).toContain('shortOfSpace')
      expect(readdirSync(disk.path)).toEqual(['lost+found'])
    } finally {
      disk.unmount()
    }
  })

  it('reads what is there and writes nothing when asked to', async () => {
    foreignFolder(target)
    const before = contentsOf(target)
    const document = await measured('--read-only', '--budget', '80kB')
    expect(document).toMatchObject({ readOnly: true, writtenBytes: 0, write: null })
    expect(document.readBytes).toBeLessThanOrEqual(80_000)
    expect(document.read?.samples).toBeGreaterThanOrEqual(1)
    expect(contentsOf(target)).toEqual(before)
  })

  it('leaves nothing behind after being killed, and touches nothing else', async () => {
    foreignFolder(target)
    const before = contentsOf(target)
    const random = seededRandom(7)
    const spec = specFile(SMALL_SPEC)
    for (let kill = 0; kill < 4; kill++) {
      expect((await killedOnce(target, home, spec, random, 400)).after).toEqual(before)
    }
  })

  it('keeps what it has when it is stopped', async () => {
    const spec = specFile('tests: [{sizes: [{size: 1MB, count: 30}], repeat: 1000}]')
    const { code, stdout, stderr } = await stowage(['measure', target, '--spec', spec, '--budget', '20GB'], {
      home,
      onStderr: (text, kill) => {
        if (text.startsWith('writes')) setTimeout(() => kill('SIGINT'), 700)
      },
    })
    expect(code, stderr).toBe(130)
    expect(stdout).toMatch(/ended early/)
    expect(readdirSync(target)).toEqual([])
  })

  it.each([
    ['a folder that is not there', ['/nowhere/at all'], 2, /no such file or folder.*\[not-found\]/],
    ['a file', [import.meta.filename], 2, /not a folder.*\[not-a-folder\]/],
    ['an unknown preset', ['/tmp', '--preset', 'gold'], 2, /no preset "gold": quick, stibium/],
    ['a measurement that is not there', ['/tmp', '--again', 'm-1'], 2, /no measurement m-1.*\[not-found\]/],
    [
      'a budget that leaves nothing',
      ['/tmp', '--budget', '1kB'],
      4,
      /leaves nothing to measure.*\[cannot-fit\]/,
    ],
  ])('answers %s with one line and the right exit code', async (_what, args, code, line) => {
    const end = await stowage(['measure', ...args], { home })
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([code, '', 1])
  })

  it('names line and column of a mistake in a specification', async () => {
    const spec = specFile('tests:\n  - sizes: [1MB]\n    repat: 2\n')
    const end = await stowage(['measure', target, '--spec', spec], { home })
    expect([end.code, end.stderr]).toEqual([
      2,
      expect.stringMatching(/spec\.yaml:3:5: tests\[1\]\.repat: not known here; did you mean "repeat"\?/),
    ])
  })
})
