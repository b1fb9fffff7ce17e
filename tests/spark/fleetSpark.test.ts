import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type FleetCounts, fleetCountsSchema } from '../../src/domain/fleet/fleetCounts'
import { fleetReportSchema } from '../../src/domain/fleet/fleetReport'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { duckdbMissing, useDuckdb } from '../support/duckdb'
import { CLASSES, LETTERS, writeGenerated } from './generatedPrints'
import { openStore, runLine, type SparkEnd, type Store, sparkMissing } from './sparkRun'

const MB = 1_000_000
/** The parts of the real sources, some 200,000 blocks of 2 KiB: their letters say which have them. */
const PARTS = { abc: 60, ab: 40, bc: 25, a: 35, b: 20, c: 45 }
/** Characters that Spark, Hadoop, addresses or shells take for something else. */
const HOSTILE = "o dd 'ü%20 {x}*[?]#&;$a"

useDuckdb()

let folder: string
const places = (name: string): string[] => LETTERS.map((letter) => join(folder, name, letter))

async function stowed(...args: string[]): Promise<string> {
  const end = await stowage(args, { home: join(folder, 'home') })
  expect(end.code, end.stderr).toBe(0)
  return end.stdout
}

/** What Spark says of folders and options, by the line that is printed for them. */
async function spark(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SparkEnd> {
  const few = ['spark.sql.shuffle.partitions=4', 'spark.ui.enabled=false']
  const conf = few.flatMap((setting) => ['--conf', setting])
  return runLine(await stowed('fleet', 'spark-command', '--master', 'local[2]', ...conf, ...args), env)
}

function countsOf(end: SparkEnd): FleetCounts {
  expect(end.code, `${end.stdout.slice(-500)}\n${end.stderr.slice(-2000)}`).toBe(0)
  return fleetCountsSchema.parse(JSON.parse(end.stdout))
}

async function byDuckdb(...args: string[]): Promise<FleetCounts> {
  const saved = join(folder, 'duckdb.json')
  await stowed('fleet', 'report', ...args, '--range', '1/1', '--out', saved, '--force')
  return fleetCountsSchema.parse(JSON.parse(readFileSync(saved, 'utf8')))
}

async function summed(counts: FleetCounts): Promise<ReturnType<typeof fleetReportSchema.parse>> {
  const part = join(folder, 'part.json')
  writeFileSync(part, JSON.stringify(counts))
  return fleetReportSchema.parse(JSON.parse(await stowed('fleet', 'report', '--sum', part, '--json')))
}

function writeSources(): void {
  const random = seededRandom(591)
  const parts = Object.entries(PARTS).map(([letters, megabytes]): [string, Buffer] => {
    const content = Buffer.alloc(megabytes * MB)
    random.fillBytes(content)
    return [letters, content]
  })
  for (const letter of LETTERS) {
    const place = join(folder, 'sources', letter)
    mkdirSync(place, { recursive: true })
    for (const [letters, content] of parts.filter(([owners]) => owners.includes(letter)))
      writeFileSync(join(place, letters), content)
    writeFileSync(join(place, 'zeros'), Buffer.alloc(MB + letter.charCodeAt(0)))
  }
}

beforeAll(async () => {
  for (const missing of [sparkMissing(), duckdbMissing()]) if (missing !== null) throw new Error(missing)
  folder = mkdtempSync(join(tmpdir(), 'stowage-spark-test-'))
  writeSources()
  for (const letter of LETTERS) {
    const survey = ['survey', join(folder, 'sources', letter), '--samples', 'none']
    await stowed(...survey, '--fingerprint-share', '1', '--fingerprints', join(folder, 'whole', letter))
    await stowed(...survey, '--fingerprints', join(folder, 'usual', letter))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('Spark', () => {
  it('counts at share 1 what DuckDB and one survey of all sources count', async () => {
    const found = countsOf(await spark([...places('whole'), '--table', 'pairs']))
    expect(found).toEqual(await byDuckdb(...places('whole'), '--table', 'pairs'))
    const report = await summed(found)
    const sources = LETTERS.map((letter) => join(folder, 'sources', letter))
    const survey = surveyDocumentSchema.parse(
      JSON.parse(await stowed('survey', ...sources, '--samples', 'none', '--max-memory', '4GiB', '--json')),
    )
    expect(survey.fixedBlocks.length).toBe(10)
    const blocks = report.schemes.filter(({ table }) => table === 'blocks')
    expect(blocks.map(({ nominalBytes, unique }) => [nominalBytes, unique.bytes])).toEqual(
      survey.fixedBlocks.map(({ blockSize, uniqueBytes }) => [blockSize, uniqueBytes]),
    )
    expect(report.schemes.at(-1)?.unique.bytes).toBe(survey.totals.bytes - survey.duplicateFiles.bytes)
  })

  it('counts 2,002,000 generated blocks as they were made', async () => {
    const { bytes, places: made } = await writeGenerated(join(folder, 'generated'))
    const folders = LETTERS.map((letter) => made[letter])
    const found = countsOf(await spark([...folders, '--scheme', 'blocks-4k', '--table', 'pairs']))
    expect(found).toEqual(await byDuckdb(...folders, '--scheme', 'blocks-4k', '--table', 'pairs'))
    const names = Object.keys(CLASSES) as (keyof typeof CLASSES)[]
    const sumOf = (isIn: (letters: string) => boolean, of: Record<string, number>): string =>
      String(names.filter(isIn).reduce((sum, letters) => sum + (of[letters] ?? 0), 0))
    const sums = (isIn: (letters: string) => boolean) => ({
      contents: sumOf(isIn, CLASSES),
      bytes: sumOf(isIn, bytes),
    })
    const [blocks] = found.schemes
    expect(blocks?.own).toMatchObject(
      LETTERS.map((letter, group) => ({ group, ...sums((of) => of.includes(letter)) })),
    )
    expect(blocks?.adds).toMatchObject([
      sums((of) => of.includes('a')),
      sums((of) => of.includes('b') && !of.includes('a')),
      sums((of) => of === 'c'),
    ])
    expect(blocks?.onlyHere).toMatchObject(LETTERS.map((letter) => sums((of) => of === letter)))
    expect(blocks?.pairs).toMatchObject([
      { group: 0, other: 1, ...sums((of) => of.startsWith('ab')) },
      { group: 0, other: 2, ...sums((of) => of === 'ac' || of === 'abc') },
      { group: 1, other: 2, ...sums((of) => of.endsWith('bc')) },
    ])
  })

  it('compares different shares at the smallest, in folders of any name, and leaves the result in a file', async () => {
    const place = join(folder, HOSTILE)
    const [a, b, c] = ['whole/a', 'usual/b', 'usual/c'].map((name) => join(place, name))
    for (const [to, from] of [
      [a, 'whole/a'],
      [b, 'usual/b'],
      [c, 'usual/c'],
    ] as const)
      cpSync(join(folder, from), to ?? '', { recursive: true })
    const folders = [c ?? '', a ?? '', b ?? '']
    const out = join(place, 'part.json')
    const end = await spark([...folders, '--out', out])
    expect(end.code, end.stderr.slice(-2000)).toBe(0)
    expect(end.stdout).toBe('')
    expect(end.stderr).toContain('fleet_spark: blocks-4k: the shares differ, compared at 1/1024')
    const found = fleetCountsSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
    expect(found).toEqual(await byDuckdb(...folders))
    const again = await spark([...folders, '--out', out])
    expect(again.code).not.toBe(0)
    expect(again.stderr).toContain('part.json exists')
  })

  it('refuses what is unfinished, changed, foreign or given twice, by its name', async () => {
    const copy = (name: string): string => {
      const to = join(folder, 'bad', name)
      cpSync(join(folder, 'usual', 'a'), to, { recursive: true })
      return join(to, 'format=1', readdirSync(join(to, 'format=1'))[0] ?? '')
    }
    const part = 'table=blocks/scheme=blocks-4k/part-0.parquet'
    const [changed, unfinished, foreign] = ['changed', 'unfinished', 'foreign'].map(copy)
    flip(join(changed ?? '', part))
    rmSync(join(unfinished ?? '', '_COMPLETE.json'))
    writeFileSync(join(foreign ?? '', 'table=blocks', 'part-1.parquet'), 'x')
    // `stowage` checks notes before it prints a line: the job is asked past it.
    const words: string[] = JSON.parse(
      await stowed('fleet', 'spark-command', '--master', 'local[2]', 's3a://b/x', '--json'),
    ).words
    const job = words.find((word) => word.endsWith('.py')) ?? ''
    const refused = async (...folders: string[]): Promise<string> => {
      const quoted = folders.map((path) => `'file://${path}'`).join(' ')
      const end = await runLine(`spark-submit --master 'local[2]' '${job}' ${quoted}`)
      expect(end.code).not.toBe(0)
      expect(end.stdout).toBe('')
      return end.stderr
    }
    expect(await refused(changed ?? '')).toContain(
      `cannot use ${join(changed ?? '', part)}: its content has changed`,
    )
    expect(await refused(unfinished ?? '')).toContain('_COMPLETE.json is missing')
    expect(await refused(foreign ?? '')).toContain("part-1.parquet: it is not one of the survey's parts")
    const usual = join(folder, 'usual', 'a')
    expect(await refused(usual, usual)).toMatch(/survey s-\w+ is given twice/)
  })
})

describe('Spark on S3', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore()
    for (const letter of LETTERS) {
      for (const [name, content] of filesBelow(join(folder, 'usual', letter)))
        await store.put(`all of them/${letter}/${name}`, content)
    }
  })
  afterAll(() => store.close())

  const onStore = (...args: string[]): Promise<SparkEnd> => {
    const settings = {
      'spark.jars.ivy': join(process.cwd(), '.cache/spark/ivy'),
      'spark.hadoop.fs.s3a.endpoint': store.address,
      'spark.hadoop.fs.s3a.endpoint.region': 'us-east-1',
      'spark.hadoop.fs.s3a.path.style.access': 'true',
    }
    const conf = Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`])
    return spark([...args, ...conf], { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })
  }
  const addresses = LETTERS.map((letter) => `s3a://prints/all of them/${letter}`)

  it('counts the same as on a disk', async () => {
    const found = countsOf(await onStore(...addresses, '--table', 'pairs', '--check-digests'))
    const local = await byDuckdb(...places('usual'), '--table', 'pairs')
    const nowhere = ({ sources, ...rest }: FleetCounts) => ({
      ...rest,
      sources: sources.map((source) => ({ ...source, folder: '' })),
    })
    expect(nowhere(found)).toEqual(nowhere(local))
    expect(found.sources[0]?.folder).toMatch(/^s3a:\/\/prints\/all of them\/a\/format=1\/survey=s-/)
  })

  it('refuses a changed part with --check-digests', async () => {
    let changed = ''
    for (const [name, content] of filesBelow(join(folder, 'usual', 'b'))) {
      const copy = Buffer.from(content)
      if (name.includes('table=blocks/scheme=blocks-64k')) {
        changed = `s3a://prints/changed/${name}`
        copy[100] = (copy[100] ?? 0) ^ 1
      }
      await store.put(`changed/${name}`, copy)
    }
    const end = await onStore('s3a://prints/changed', '--check-digests')
    expect(end.code).not.toBe(0)
    expect(end.stderr).toContain(`cannot use ${changed}: its content has changed`)
  })
})

function* filesBelow(top: string): Iterable<[name: string, content: Buffer]> {
  for (const name of readdirSync(top, { recursive: true, encoding: 'utf8' })) {
    const path = join(top, name)
    if (statSync(path).isFile()) yield [relative(top, path), readFileSync(path)]
  }
}

/** Changes one bit in the middle of a file. */
function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
