import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandOptions, stowage } from '../fixtures/stowageCommand'
import { folderForManyFiles } from '../support/temporaryFolder'

let folder: string
let home: string
let source: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-survey-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  mkdirSync(source)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function survey(...args: string[]): Promise<{ code: number | null; document: SurveyDocument }> {
  return surveyed(args, { home })
}

async function surveyed(
  args: readonly string[],
  options: CommandOptions,
): Promise<{ code: number | null; document: SurveyDocument }> {
  const { code, stdout, stderr } = await stowage(['survey', source, '--json', '--quick', ...args], options)
  expect(stdout.trimEnd().split('\n'), stderr).toHaveLength(1)
  return { code, document: surveyDocumentSchema.parse(JSON.parse(stdout)) }
}

/** More than 16 bits count, and than any part of the survey takes at once. */
const EMPTY_FILES = 66_000

/** Counts the blocks of files the slow way: by the content of every block. */
function countedBlocks(files: readonly Buffer[], blockSize: number) {
  const unique = new Map<string, number>()
  let [blocks, zeroBlocks, zeroBytes] = [0, 0, 0]
  for (const file of files) {
    for (let at = 0; at < file.length; at += blockSize) {
      const block = file.subarray(at, at + blockSize)
      unique.set(createHash('sha256').update(block).digest('hex'), block.length)
      blocks += 1
      if (block.some((byte) => byte !== 0)) continue
      zeroBlocks += 1
      zeroBytes += block.length
    }
  }
  const uniqueBytes = [...unique.values()].reduce((sum, bytes) => sum + bytes, 0)
  return {
    blockSize,
    blocks,
    uniqueBlocks: unique.size,
    uniqueBytes,
    zeroBlocks,
    zeroBytes,
    exact: true,
    low: uniqueBytes,
    high: uniqueBytes,
  }
}

describe('stowage survey', () => {
  it('forecasts what a few bytes become', async () => {
    writeFileSync(join(source, 'note.txt'), 'short')
    const { code, stdout } = await stowage(['survey', source, '--json'], { home })
    expect(code).toBe(0)
    const { compression } = surveyDocumentSchema.parse(JSON.parse(stdout))
    expect(compression.find(({ codec, scope }) => codec === 'gzip-6' && scope === 'file')).toMatchObject({
      // Header 10, name and its end 9, five bytes of text in 7 of deflate, CRC and length 8.
      predictedBytes: 34,
    })
  })

  it('counts blocks of every size as an independent count does', async () => {
    const random = seededRandom(11)
    const pieces = [1, 2047, 2048, 2049, 4096, 70_000, 131_072, 1_048_576, 1_048_577].map((length) => {
      const piece = Buffer.alloc(length)
      random.fillBytes(piece)
      return piece
    })
    const files = Array.from({ length: 40 }, (_, index) => {
      const chosen = Array.from(
        { length: random.below(4) },
        () => pieces[random.below(pieces.length)] as Buffer,
      )
      const content = Buffer.concat([...chosen, Buffer.alloc(random.below(2) * 9000)])
      mkdirSync(join(source, `d${index % 5}`), { recursive: true })
      writeFileSync(join(source, `d${index % 5}`, `f${index}`), content)
      return content
    })
    const { code, document } = await survey('--block-size', '512')
    expect(code).toBe(0)
    const sizes = Array.from({ length: 12 }, (_, level) => 512 * 2 ** level)
    expect(document.fixedBlocks).toEqual(sizes.map((size) => countedBlocks(files, size)))
    expect(document.totals).toMatchObject({
      files: 40,
      folders: 6,
      bytes: files.reduce((sum, file) => sum + file.length, 0),
      skipped: 0,
    })
  })

  it('takes --512 for one version more, and names what to give instead', async () => {
    const block = Buffer.alloc(512)
    seededRandom(12).fillBytes(block)
    writeFileSync(join(source, 'a'), Buffer.concat([block, block]))
    const end = await stowage(['survey', source, '--json', '--quick', '--512'], { home })
    expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining('--block-size 512') })
    const { fixedBlocks } = surveyDocumentSchema.parse(JSON.parse(end.stdout))
    expect(fixedBlocks[0]).toMatchObject({ blockSize: 512, uniqueBytes: 512 })
  })

  it('counts links, holes, empty files and duplicates apart, and never follows links', async () => {
    writeFileSync(join(source, 'b-original'), 'x'.repeat(10_000))
    linkSync(join(source, 'b-original'), join(source, 'a-second-name'))
    writeFileSync(join(source, 'copy'), 'x'.repeat(10_000))
    writeFileSync(join(source, 'empty'), '')
    writeFileSync(join(source, 'sparse'), '')
    truncateSync(join(source, 'sparse'), 3_000_000)
    symlinkSync('.', join(source, 'loop'))
    symlinkSync('nowhere', join(source, 'dangling'))
    execFileSync('mkfifo', [join(source, 'pipe')])
    const { code, document } = await survey('--sha256')
    expect(code).toBe(0)
    expect(document.totals).toMatchObject({
      files: 4,
      bytes: 3_020_000,
      hardLinks: 1,
      hardLinkedBytes: 10_000,
      symlinks: 2,
      emptyFiles: 1,
      largestFileBytes: 3_000_000,
      skipped: 0,
      special: 1,
    })
    // Which of two names of a file is the first one met is not said.
    const others = 'copy'.length + 'empty'.length + 'sparse'.length
    expect([others + 'b-original'.length, others + 'a-second-name'.length]).toContain(
      document.totals.pathBytes,
    )
    expect(document.totals.sparseBytes).toBeGreaterThanOrEqual(2_900_000)
    const { bytes, sparseBytes, slackBytes, allocatedBytes } = document.totals
    expect(bytes - sparseBytes + (slackBytes ?? Number.NaN)).toBe(allocatedBytes)
    expect(document.timing.reading).toEqual({
      deviceKind: expect.any(String),
      threads: document.timing.threads,
      because: expect.stringMatching(/^the source is on /),
    })
    expect(document.duplicateFiles).toEqual({ groups: 1, files: 2, bytes: 10_000 })
    expect(document.skipped).toEqual([])
  })

  it('surveys names that are no UTF-8, hold newlines or are 255 bytes long', async () => {
    const names = [
      Buffer.from('line\nbreak'),
      Buffer.from([0x66, 0xff, 0xfe]),
      Buffer.from('-rf $HOME %s "quoted" \'single\''),
      Buffer.alloc(255, 'n'),
    ]
    for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${source}/`), name]), name)
    const { code, document } = await survey()
    expect([code, document.totals.files, document.totals.skipped]).toEqual([0, 4, 0])
  })

  it('reports its own memory, not that of the process that started it', async () => {
    const held = Buffer.alloc(700 * 2 ** 20, 1)
    const { document } = await surveyed([], { home, spawned: true })
    expect(held.at(-1)).toBe(1)
    expect(document.timing.peakRssBytes).toBeGreaterThan(20 * 2 ** 20)
    expect(document.timing.peakRssBytes).toBeLessThan(500 * 2 ** 20)
  })

  it('saves a survey with its files and does not replace a file unasked', async () => {
    writeFileSync(join(source, 'a'), 'hello')
    const file = join(folder, 'saved.json')
    expect((await survey('--sha256', '--out', file)).code).toBe(0)
    const saved = JSON.parse(readFileSync(file, 'utf8'))
    expect(saved.entries).toMatchObject([
      { kind: 'folder', path: '' },
      { kind: 'file', path: 'a', bytes: 5, sha256: createHash('sha256').update('hello').digest('hex') },
    ])
    const again = await stowage(['survey', source, '--quick', '--out', file], { home })
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/saved\.json is already there/)])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(saved)
  })

  it('reads a saved survey again whatever line separators are in names', async () => {
    const names = ['\u2028', 'next\u2028line', 'paragraph\u2029', 'return\r', 'feed\n', 'unit\u0085']
    for (const name of names) writeFileSync(join(source, name), name)
    const file = join(folder, 'separators.json')
    expect((await survey('--quick', '--out', file)).code).toBe(0)
    const args = ['survey', '--survey', file, '--json']
    const { code, stdout, stderr } = await stowage(args, { home: join(folder, 'another home') })
    expect([code, stderr]).toEqual([0, ''])
    expect((JSON.parse(stdout) as SurveyDocument).totals.files).toBe(names.length)
  })

  it('says of a file that is no saved survey what it is not', async () => {
    const file = join(folder, 'other.txt')
    writeFileSync(file, 'not a survey\n')
    const { code, stderr } = await stowage(['survey', '--survey', file], { home })
    expect([code, stderr]).toEqual([
      2,
      `stowage: cannot read ${file}: it is not a survey saved with its list of files\n`,
    ])
  })

  it('surveys an empty folder', async () => {
    expect((await survey()).document.totals).toMatchObject({ files: 0, folders: 1, bytes: 0 })
  })

  it('surveys 66,000 empty files', { tags: 'long' }, async () => {
    source = await folderForManyFiles()
    for (let index = 0; index < EMPTY_FILES; index++) writeFileSync(join(source, `e${index}`), '')
    const { code, document } = await survey()
    expect([code, document.totals.files, document.totals.emptyFiles]).toEqual([0, EMPTY_FILES, EMPTY_FILES])
  })

  it('forecasts codecs within the range that the real tool confirms, and chunks', async () => {
    const random = seededRandom(5)
    const words = Array.from({ length: 400 }, () => random.uint32().toString(36))
    for (let index = 0; index < 50; index++) {
      const text = Array.from({ length: 50 + random.below(8000) }, () => words[random.below(400)]).join(' ')
      writeFileSync(join(source, `t${index}.txt`), text)
    }
    const once = ['survey', source, '--json', '--samples', 'fast']
    const { code, stdout, stderr } = await stowage(once, { home })
    expect(code, stderr).toBe(0)
    const document = surveyDocumentSchema.parse(JSON.parse(stdout))
    const gzip = document.compression.find((row) => row.codec === 'gzip-6' && row.scope === 'file')
    expect(gzip, stderr).toBeDefined()
    const real = Number(
      execFileSync('sh', ['-c', 'for f in *; do gzip -6 -c "$f"; done | wc -c'], {
        cwd: source,
        encoding: 'utf8',
      }),
    )
    expect(real).toBeGreaterThanOrEqual(gzip?.low ?? Number.POSITIVE_INFINITY)
    expect(real).toBeLessThanOrEqual(gzip?.high ?? 0)
    expect(Math.abs((gzip?.predictedBytes ?? 0) / real - 1)).toBeLessThan(0.04)
    expect(document.chunked.map((row) => row.chunker)).toContain('restic')
    for (const row of document.chunked) expect(row.uniqueBytes).toBeLessThanOrEqual(document.totals.bytes)
  })

  it('records what it may not read and ends with 3', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a file to another user')
    const locked = join(source, 'locked')
    writeFileSync(locked, 'secret')
    chmodSync(locked, 0o600)
    mkdirSync(join(source, 'closed'), { mode: 0o700 })
    for (const each of [locked, join(source, 'closed')]) chownSync(each, 65_534, 65_534)
    const end = await stowage(['survey', source, '--quick', '--json'], { home, withoutOverride: true })
    expect(end.code, end.stderr).toBe(3)
    const { skipped } = surveyDocumentSchema.parse(JSON.parse(end.stdout))
    expect(new Set(skipped.map(({ path, code }) => `${code} ${path}`))).toEqual(
      new Set([`permission-denied ${join(source, 'closed')}`, `permission-denied ${locked}`]),
    )
  })

  it('refuses a catalog from a newer version', async () => {
    mkdirSync(home)
    const db = new Database(join(home, 'catalog.db'))
    db.pragma('user_version = 9999')
    db.close()
    const end = await stowage(['survey', source], { home })
    expect([end.code, end.stderr]).toEqual([2, expect.stringMatching(/a newer Stowage wrote it/)])
  })

  it('keeps what is known when it is stopped', async () => {
    writeFileSync(join(source, 'small'), 'known')
    // Minutes of hashing that take no space: the first line of progress comes long before its end.
    writeFileSync(join(source, 'vast'), '')
    truncateSync(join(source, 'vast'), 2 ** 41)
    let isStopped = false
    const end = await stowage(['survey', source, '--sha256'], {
      home,
      onStderr: (_text, kill) => {
        if (!isStopped) kill('SIGINT')
        isStopped = true
      },
    })
    expect([end.code, end.stderr]).toEqual([
      130,
      expect.stringMatching(/survey cancelled; the completed part is saved as s-/),
    ])
    const { stdout } = await stowage(['catalog', 'list', '--json'], { home })
    expect(JSON.parse(stdout).surveys).toMatchObject([{ files: 1, bytes: 5, partial: true }])
  })
})
