import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { documentSchema } from '../../src/contract/documents'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import type { FleetCounts } from '../../src/domain/fleet/fleetCounts'
import { type FleetReport, fleetReportSchema } from '../../src/domain/fleet/fleetReport'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { duckdbMissing, useDuckdb } from '../support/duckdb'

useDuckdb()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-fleet-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach((context) => {
  const missing = duckdbMissing()
  if (missing !== null) context.skip(missing)
})

const random = seededRandom(59)
function noise(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  random.fillBytes(content)
  return content
}

const KIB = 1024
const MIB = KIB * KIB
/** The parts of the sources: their letters say which have them, each at places of its own. */
const PARTS = {
  abc: noise(3 * MIB),
  ab: noise(2 * MIB),
  bc: noise(MIB),
  a: noise(MIB + 77),
  b: noise(2 * MIB + 5),
  c: noise(500_000),
} as const
const LETTERS = ['a', 'b', 'c'] as const

/** Folders with what they share, in whole files, in parts of files, with zeros and repeats. */
function writeSources(): void {
  for (const letter of LETTERS) {
    const place = join(folder, letter)
    mkdirSync(join(place, 'deep'), { recursive: true })
    const own = Object.entries(PARTS).filter(([letters]) => letters.includes(letter))
    for (const [letters, content] of own) writeFileSync(join(place, letters), content)
    writeFileSync(join(place, 'deep', 'all'), Buffer.concat(own.map(([, content]) => content)))
    writeFileSync(join(place, 'deep', 'shifted'), Buffer.concat([noise(1000), PARTS.abc]))
    writeFileSync(join(place, 'zeros'), Buffer.alloc(700_000 + letter.charCodeAt(0)))
    for (let at = 0; at < 10; at++) writeFileSync(join(place, `many ${at}`), PARTS.c.subarray(0, 5000))
  }
}

async function run(...args: string[]): Promise<CommandEnd> {
  const end = await stowage(args, { home: join(folder, 'home') })
  expect(end.code, end.stderr).toBe(0)
  return end
}

async function surveyed(...args: string[]): Promise<SurveyDocument> {
  const end = await run('survey', ...args, '--samples', 'none', '--json')
  return surveyDocumentSchema.parse(JSON.parse(end.stdout))
}

/** The document that a command prints, which its JSON Schema allows. */
async function printed(...args: string[]): Promise<{ readonly schema: string }> {
  const document = JSON.parse((await run(...args, '--json')).stdout)
  const validate = new Ajv2020().compile(documentSchema(document.schema) ?? false)
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
  return document
}

async function reported(...args: string[]): Promise<FleetReport> {
  return fleetReportSchema.parse(await printed('fleet', 'report', ...args))
}

/** The unique bytes by the names of schemes. */
function uniqueOf({ schemes }: FleetReport): Record<string, number> {
  return Object.fromEntries(schemes.map(({ name, unique }) => [name, unique.bytes]))
}

const places = (name: string): string[] => LETTERS.map((letter) => join(folder, name, letter))

describe('fleet report', () => {
  beforeAll(async () => {
    if (duckdbMissing() !== null) return
    writeSources()
    for (const letter of LETTERS) {
      const all = ['--block-size', '2352', '--block-size', '512', '--sha256', '--fingerprint-share', '1']
      await surveyed(join(folder, letter), ...all, '--fingerprints', join(folder, 'whole', letter))
      await surveyed(join(folder, letter), '--fingerprints', join(folder, 'usual', letter))
    }
  })

  it('counts at share 1 what a survey of all sources counts, by every way of cutting', async () => {
    const report = await reported(...places('whole'))
    const all = await surveyed(
      ...LETTERS.map((letter) => join(folder, letter)),
      '--block-size',
      '2352',
      '--block-size',
      '512',
      '--fingerprints',
      join(folder, 'union'),
    )
    const expected = Object.fromEntries([
      ...all.fixedBlocks.map(({ blockSize, uniqueBytes }) => [
        blockSize % MIB === 0
          ? `blocks-${blockSize / MIB}m`
          : blockSize % KIB === 0
            ? `blocks-${blockSize / KIB}k`
            : `blocks-${blockSize}`,
        uniqueBytes,
      ]),
      // Its document has the mean of several draws of boundaries, the table has the first.
      ...all.chunked.map(({ chunker }) => [chunker, firstDraw(all.id, chunker)]),
      ['files', all.totals.bytes - all.duplicateFiles.bytes],
    ])
    expect(Object.keys(expected).length).toBeGreaterThan(20)
    expect(uniqueOf(report)).toEqual(expected)
    expect(report.schemes.every(({ unique }) => unique.provenance === 'exact')).toBe(true)
    expect(report.sources.map(({ name }) => name)).toEqual(LETTERS.map((letter) => join(folder, letter)))
  })

  it('calls no figure exact that contents of files may be in which are gone', async () => {
    const source = join(folder, 'changing')
    mkdirSync(source)
    writeFileSync(join(source, 'kept'), PARTS.b)
    for (let at = 0; at < 12; at++) writeFileSync(join(source, `same ${at}`), PARTS.c)
    // Old enough to be trusted by the second survey.
    await setTimeout(2_100)
    const share = ['--fingerprint-share', '1', '--fingerprints']
    const [before, since] = [join(folder, 'before'), join(folder, 'since')]
    await surveyed(source, ...share, before)
    const exact = await reported(before, '--table', 'new')
    for (let at = 0; at < 12; at++) rmSync(join(source, `same ${at}`))
    writeFileSync(join(source, 'other'), PARTS.a)
    await surveyed(source, ...share, since, '--since', before)
    const report = await reported(since, '--table', 'new')
    const provenances = ({ schemes }: FleetReport): string[] => [
      ...new Set(
        schemes.flatMap(({ unique, groups, greedy }) =>
          [
            unique,
            ...groups.flatMap(({ adds }) => adds),
            ...(greedy?.steps ?? []).map(({ adds }) => adds),
          ].map(({ provenance }) => provenance),
        ),
      ),
    ]
    expect([provenances(exact), provenances(report)]).toEqual([['exact'], ['measured']])
    const { stderr } = await run('fleet', 'report', since, '--table', 'new')
    expect(stderr).toMatch(/took rows from an earlier survey, since which 1[0-9] files changed or went/)
  })

  it('knows what pairs have in common and what each source adds, as the sources were made', async () => {
    const { schemes, groups } = await reported(
      ...places('whole'),
      '--scheme',
      'files',
      '--table',
      'pairs',
      '--table',
      'new',
    )
    expect(groups.map(({ name }) => name)).toEqual(LETTERS.map((letter) => join(folder, letter)))
    const [files] = schemes
    const shared = 5000
    const { abc, ab, bc } = PARTS
    expect(files?.pairs).toMatchObject([
      { one: 0, other: 1, shared: { bytes: abc.length + ab.length + shared } },
      { one: 1, other: 2, shared: { bytes: abc.length + bc.length + shared } },
      { one: 0, other: 2, shared: { bytes: abc.length + shared } },
    ])
    const [a, b, c] = files?.groups ?? []
    expect(a?.adds).toEqual(a?.unique)
    expect(b?.adds.bytes).toBe((b?.unique.bytes ?? 0) - abc.length - ab.length - shared)
    expect(c?.adds).toEqual(c?.onlyHere)
    expect(c?.adds.bytes).toBe((c?.unique.bytes ?? 0) - abc.length - bc.length - shared)
    const steps = files?.greedy?.steps ?? []
    expect(steps.map(({ group }) => group)).toEqual([1, 0, 2])
    expect(steps[0]?.adds).toEqual(b?.unique)
    expect(steps[1]?.adds.bytes).toBe((a?.unique.bytes ?? 0) - abc.length - ab.length - shared)
    expect(steps.at(-1)?.together).toEqual(files?.unique)
  })

  it('unites shares at the smallest one, with a range, and says so', async () => {
    const mixed = [join(folder, 'whole', 'a'), join(folder, 'usual', 'b'), join(folder, 'usual', 'c')]
    const end = await run('fleet', 'report', ...mixed)
    expect(end.stderr).toMatch(/kept different shares of blocks-2k, .*: they are compared at the smaller one/)
    expect(end.stderr).toMatch(
      /s-\w+ has no fingerprints of blocks-512, blocks-1k, blocks-2352, and is not counted there/,
    )
    const { schemes } = await reported(...mixed, '--scheme', 'blocks-16k', '--scheme', 'files')
    const [blocks, files] = schemes
    expect([blocks?.shift, blocks?.sharesDiffer]).toEqual([8, true])
    const kept = new Map<bigint, bigint>()
    for (const place of mixed)
      for (const { hash, bytes } of await rowsOf(place, 'table=blocks/scheme=blocks-16k'))
        if (hash < -(1n << 63n) + (1n << 56n)) kept.set(hash, bytes)
    const sum = [...kept.values()].reduce((all, bytes) => all + bytes, 0n)
    const found = blocks?.unique
    expect(found).toMatchObject({ bytes: Number(sum) * 256, kept: kept.size, provenance: 'measured' })
    expect(found?.low).toBeLessThan(found?.bytes ?? 0)
    expect(found?.high).toBeGreaterThan(found?.bytes ?? 0)
    expect([files?.shift, files?.unique.provenance]).toEqual([0, 'exact'])
    expect(files?.unique).toEqual(
      (await reported(...places('whole'), '--scheme', 'files')).schemes[0]?.unique,
    )
  })

  it('is the same in ranges that are added up, and in little memory', async () => {
    const given = ['--scheme', 'blocks-2k', '--scheme', 'restic', '--scheme', 'files', '--table', 'pairs']
    const whole = await reported(...places('whole'), ...given)
    const parts = [1, 2, 3, 4, 5].map((index) => join(folder, `part ${index}`))
    for (const [at, part] of parts.entries())
      expect(
        await printed(
          'fleet',
          'report',
          ...places('whole'),
          ...given,
          '--range',
          `${at + 1}/5`,
          '--out',
          part,
        ),
      ).toEqual(JSON.parse(readFileSync(part, 'utf8')))
    expect(await reported('--sum', ...parts.toReversed())).toEqual(whole)
    expect(await reported(...places('whole'), ...given, '--max-memory', '16MiB')).toEqual(whole)
    const [first] = JSON.parse(readFileSync(parts[0] ?? '', 'utf8')).schemes[0].adds
    const all = whole.schemes[0]?.groups[0]?.adds.kept ?? 0
    expect(Number(first.contents)).toBeLessThan(all / 3)
  })

  it('refuses parts that do not belong together, by the name of the file', async () => {
    const [a = '', b = ''] = places('whole')
    const part = async (name: string, range: string, ...args: string[]): Promise<string> => {
      const file = join(folder, name)
      const given = args.length === 0 ? [a, b, '--scheme', 'files'] : args
      await run('fleet', 'report', ...given, '--range', range, '--out', file)
      return file
    }
    const one = await part('one', '1/2')
    const two = await part('two', '2/2')
    const changed = (name: string, change: (counts: FleetCounts) => unknown): string => {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(two, 'utf8')))))
      return file
    }
    const half = join(folder, 'half')
    writeFileSync(half, readFileSync(two).subarray(0, 300))
    const answers: readonly (readonly [string[], RegExp])[] = [
      [[one], /cannot add up 1 of 2 parts: missing are the ranges 2$/m],
      [[one, two, await part('twin', '2/2')], /twin: it is range 2\/2, as .*two is/],
      [[one, await part('third', '2/3')], /third: it is range 2\/3, .*one is 1\/2/],
      [[one, await part('swapped', '2/2', b, a, '--scheme', 'files')], /swapped: it is of other sources/],
      [[one, await part('cut', '2/2', a, b, '--scheme', 'restic')], /cut: it has other ways of cutting/],
      [
        [one, changed('keyed', (counts) => ({ ...counts, key: '0123456789abcdef' }))],
        /keyed: it has another key/,
      ],
      [[one, changed('alien', () => ({}))], /alien: it is damaged, or no part of a fleet report/],
      [[one, half], /half: it is damaged, or no part/],
      [[join(folder, 'nothing')], /cannot read .*nothing/],
    ]
    for (const [files, line] of answers) {
      const end = await stowage(['fleet', 'report', '--sum', ...files], { home: join(folder, 'home') })
      expect(end.stderr).toMatch(line)
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect([end.code, end.stdout]).toEqual([2, ''])
    }
    expect((await reported('--sum', one, two)).schemes).toEqual(
      (await reported(a, b, '--scheme', 'files')).schemes,
    )
  })

  it('takes sketches as fingerprints, with the same figures where they hold everything', async () => {
    const sketches: string[] = []
    for (const letter of LETTERS) {
      const sketch = join(folder, `${letter}.sketch`)
      await surveyed(join(folder, letter), '--full', '--max-memory', '2GiB', '--sketch', sketch)
      sketches.push(sketch)
    }
    const into = join(folder, 'imported')
    const shown = await run('fleet', 'import', ...sketches, '--out', into)
    expect(shown.stdout).toMatch(/blocks-4k +1 +3/)
    const imported = await reported(into)
    const exact = ({ schemes }: FleetReport) =>
      Object.fromEntries(
        schemes.filter(({ shift }) => shift === 0).map(({ name, unique }) => [name, unique.bytes]),
      )
    const known = uniqueOf(await reported(...places('whole')))
    expect(Object.keys(exact(imported)).length).toBeGreaterThan(15)
    expect(known).toMatchObject(exact(imported))
    // A sketch of little memory keeps a share, which the fingerprints have then.
    const small = join(folder, 'small.sketch')
    await surveyed(join(folder, 'a'), '--full', '--max-memory', '16MiB', '--sketch', small)
    await run('fleet', 'import', small, '--out', join(folder, 'small'))
    const [sampled] = (await reported(join(folder, 'small'), '--scheme', 'blocks-2k')).schemes
    const [whole] = (await reported(join(folder, 'whole', 'a'), '--scheme', 'blocks-2k')).schemes
    expect(sampled?.shift).toBeGreaterThan(0)
    expect(sampled?.unique.kept).toBeGreaterThan(50)
    expect(sampled?.unique.low).toBeLessThan(whole?.unique.bytes ?? 0)
    expect(sampled?.unique.high).toBeGreaterThan(whole?.unique.bytes ?? 0)
    const again = await stowage(['fleet', 'import', sketches[0] ?? '', '--out', into], {
      home: join(folder, 'home'),
    })
    expect(again.stderr).toMatch(/survey=s-\w+ is already there/)
    expect([again.code, again.stdout]).toEqual([2, ''])
    const half = join(folder, 'half.sketch')
    const bytes = readFileSync(sketches[0] ?? '')
    writeFileSync(half, bytes.subarray(0, bytes.length - 10))
    const cut = await stowage(['fleet', 'import', half, '--out', join(folder, 'none')], {
      home: join(folder, 'home'),
    })
    expect(cut.stderr).toMatch(/cannot read the sketch/)
    expect([cut.code, cut.stdout]).toEqual([2, ''])
  })

  it('counts volumes of media and what they cost', async () => {
    await run('media', '--price', 'custom:4MB=0.5EUR')
    const given = [...places('whole'), '--scheme', 'files', '--medium', 'custom:4MB']
    const { media, sources, schemes } = await reported(...given)
    const bytes = sources.reduce((sum, one) => sum + one.bytes, 0)
    const [medium] = media ?? []
    const volumes = [bytes, schemes[0]?.unique.bytes ?? 0].map((size) =>
      Math.ceil(size / (medium?.capacityBytes ?? 1)),
    )
    expect(volumes[0]).toBeGreaterThan(volumes[1] ?? 0)
    expect(medium?.stored).toEqual(
      [null, 'files'].map((scheme, at) => {
        const value = volumes[at] ?? 0
        const cost = { low: value / 2, high: value / 2 }
        return { scheme, volumes: { value, low: value, high: value }, cost }
      }),
    )
    for (const more of [[], ['--table', 'new']]) {
      const shown = await run('fleet', 'report', ...given, ...more)
      expect(shown.stdout).toMatch(
        new RegExp(`files +${volumes[1]} +${((volumes[1] ?? 0) / 2).toFixed(2)} EUR`),
      )
    }
  })

  it('compares types and top folders, with what more than eight files have apart', async () => {
    const bytesOf = (letters: string): number => PARTS[letters as keyof typeof PARTS].length
    const report = await reported(
      ...places('whole'),
      '--by',
      'folder',
      '--scheme',
      'files',
      '--table',
      'pairs',
    )
    const { groups, schemes } = report
    expect(groups.map(({ name }) => name).toSorted()).toEqual(
      [
        '(in more than 8 files)',
        ...LETTERS.flatMap((letter) => [join(folder, letter), join(folder, letter, 'deep')]),
      ].toSorted(),
    )
    const [files] = schemes
    const at = (name: string): number => groups.findIndex((group) => group.name === name)
    const figuresOf = (name: string) => files?.groups.find(({ group }) => group === at(name))
    expect(figuresOf('(in more than 8 files)')?.unique.bytes).toBe(5000)
    const own = bytesOf('abc') + bytesOf('ab') + bytesOf('a') + 700_000 + 'a'.charCodeAt(0)
    expect(figuresOf(join(folder, 'a'))?.unique).toMatchObject({ bytes: own, provenance: 'exact' })
    expect(figuresOf(join(folder, 'a', 'deep'))?.onlyHere).toEqual(
      figuresOf(join(folder, 'a', 'deep'))?.unique,
    )
    const [one, other] = [at(join(folder, 'a')), at(join(folder, 'b'))].toSorted((a, b) => a - b)
    expect(files?.pairs?.find((pair) => pair.one === one && pair.other === other)?.shared.bytes).toBe(
      bytesOf('abc') + bytesOf('ab'),
    )
    const whole = await reported(...places('whole'), '--scheme', 'files')
    expect(files?.unique).toEqual(whole.schemes[0]?.unique)
    const types = await reported(...places('whole'), '--by', 'type', '--scheme', 'blocks-4k')
    expect(types.groups.map(({ name }) => name)).toEqual(['(no type)', '(in more than 8 files)'])
    expect(types.schemes[0]?.unique.bytes).toBe(
      (await reported(...places('whole'), '--scheme', 'blocks-4k')).schemes[0]?.unique.bytes,
    )
  })

  it('finds folders with the same files, whatever their names, and none below a copy', async () => {
    const [one, two] = ['one', 'two'].map((name) => join(folder, 'folders', name)) as [string, string]
    const files = [noise(40_000), noise(30_000), Buffer.alloc(0), noise(20_000)]
    const write = (place: string, names: readonly string[], contents: readonly Buffer[]): void => {
      mkdirSync(place, { recursive: true })
      for (const [at, name] of names.entries()) writeFileSync(join(place, name), contents[at] ?? '')
    }
    write(join(one, 'photos'), ['a', 'b', 'empty', 'c'], files)
    write(join(one, 'photos', 'deep'), ['d'], [noise(50_000)])
    write(join(one, 'small'), ['s'], [files[3] ?? Buffer.of()])
    cpSync(join(one, 'photos', 'deep'), join(two, 'inner', 'deep'), { recursive: true })
    write(join(two, 'inner'), ['1', '2', '3', '4'], files.toReversed())
    write(join(two, 'small'), ['other name'], [files[3] ?? Buffer.of()])
    write(join(two, 'twice'), ['x', 'y'], [files[0] ?? Buffer.of(), files[0] ?? Buffer.of()])
    write(join(one, 'once'), ['x', 'y'], [files[0] ?? Buffer.of(), noise(40_000)])
    const into = (name: string): string => join(folder, 'folder prints', name)
    await surveyed(one, '--sha256', '--fingerprints', into('one'))
    await surveyed(two, '--sha256', '--fingerprints', into('two'))
    const found = async (...args: string[]): Promise<string[]> => {
      const given = ['--scheme', 'files', '--table', 'folders', ...args]
      const { folders } = await reported(into('one'), into('two'), ...given)
      expect(folders?.filesWithoutDigest).toBe(0)
      return (folders?.copies ?? []).map(({ path, of, bytes }) => `${path} ${of.path} ${bytes}`)
    }
    const photos = `${join(two, 'inner')} ${join(one, 'photos')} 140000`
    expect(await found('--least-size', '25kB')).toEqual([photos])
    expect(await found('--least-size', '20kB')).toEqual([
      photos,
      `${join(two, 'small')} ${join(one, 'small')} 20000`,
    ])
    await surveyed(one, '--no-sha256', '--fingerprints', into('bare'))
    const bare = await run('fleet', 'report', into('bare'), into('two'), '--table', 'folders')
    expect(bare.stdout).toMatch(/No folder of 1\.00 MB or more is a copy/)
    expect(bare.stdout).toMatch(/^[1-9] files without a SHA-256: their folders are not compared/m)
    await surveyed(one, '--no-paths', '--fingerprints', into('hidden'))
    for (const args of [
      ['--table', 'folders'],
      ['--by', 'type'],
    ]) {
      const end = await stowage(['fleet', 'report', into('hidden'), ...args], { home: join(folder, 'home') })
      expect(end.stderr).toMatch(/hidden.*: --(table folders|by type) needs paths, which were left out/)
      expect([end.code, end.stdout]).toEqual([2, ''])
    }
  })

  it('refuses in one line what it cannot do', async () => {
    const [a = ''] = places('whole')
    const answers: readonly (readonly [string[], RegExp])[] = [
      [['fleet'], /fleet takes report/],
      [['fleet', 'reprot', a], /no fleet "reprot": did you mean "report"\?/],
      [['fleet', 'report'], /give a folder of fingerprints/],
      [['fleet', 'report', '--sum'], /give the parts to add up/],
      [['fleet', 'report', a, a], /is given twice/],
      [['fleet', 'report', join(folder, 'a')], /there are no fingerprints in it/],
      [['fleet', 'report', join(folder, 'never')], /cannot read .*never: no such file or folder/],
      [
        ['fleet', 'report', a, '--scheme', 'blocks-3k'],
        /no fingerprints of blocks-3k are there, but of blocks-512/,
      ],
      [['fleet', 'report', a, '--range', '3/2', '--out', 'x'], /--range takes a number and how many/],
      [['fleet', 'report', a, '--range', '1/2'], /--range needs --out/],
      [['fleet', 'report', a, '--out', 'x'], /--out and --force need --range/],
      [['fleet', 'report', a, '--table', 'pair'], /did you mean "pairs"/],
    ]
    for (const [args, line] of answers) {
      const end = await stowage(args, { home: join(folder, 'home') })
      expect(end.stderr).toMatch(line)
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect([end.code, end.stdout]).toEqual([2, ''])
    }
  })

  it('refuses to go on without DuckDB where nobody can be asked, after wrong folders were named', async () => {
    const [a = ''] = places('usual')
    const home = join(folder, 'home')
    const without = { home, env: { STOWAGE_DUCKDB: '' } }
    const missing = await stowage(['fleet', 'report', a], without)
    expect(missing.stderr).toMatch(
      /^stowage: DuckDB is not there: give --yes to install DuckDB 1\.5\.6-r\.1 with npm/,
    )
    expect([missing.code, missing.stdout]).toEqual([5, ''])
    const misspelled: readonly (readonly [string[], RegExp])[] = [
      [['report', join(folder, 'never')], /^stowage: cannot read .*never: no such file or folder\n$/],
      [['kept', join(folder, 'never'), '--catalogs', a], /^stowage: cannot read .*never: no such/],
      [['kept', a, '--catalogs', join(folder, 'never')], /^stowage: cannot read .*never: no such/],
    ]
    for (const [args, line] of misspelled) {
      const end = await stowage(['fleet', ...args], without)
      expect(end.stderr).toMatch(line)
      expect([end.code, end.stdout]).toEqual([2, ''])
    }
    const wrong = await stowage(['fleet', 'report', a], { home, env: { STOWAGE_DUCKDB: folder } })
    expect(wrong.stderr).toMatch(
      /^stowage: cannot find @duckdb\/node-api in .*, which STOWAGE_DUCKDB names\n$/,
    )
    expect(wrong.code).toBe(5)
    const inside = join(process.cwd(), '.cache/duckdb/node_modules/@duckdb/node-api')
    const named = { home, env: { STOWAGE_DUCKDB: inside } }
    expect((await stowage(['fleet', 'report', a, '--scheme', 'files'], named)).code).toBe(0)
  })

  it('ends DuckDB with the command when it is cancelled', async () => {
    let isSent = false
    const end = await stowage(['fleet', 'report', ...places('whole'), '--max-memory', '16MiB'], {
      home: join(folder, 'home'),
      env: { STOWAGE_DUCKDB: join(process.cwd(), '.cache/duckdb') },
      onStart: (kill) => {
        const timer = setInterval(() => {
          if (duckdbChildren().length === 0 || isSent) return
          isSent = true
          clearInterval(timer)
          kill('SIGINT')
        }, 20)
      },
    })
    expect(isSent).toBe(true)
    expect(end.stderr).toMatch(/fleet cancelled/)
    expect([end.code, end.stdout]).toEqual([130, ''])
    expect(duckdbChildren()).toEqual([])
  })
})

/** The processes that run the DuckDB of this checkout in as little memory as there can be. */
function duckdbChildren(): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter(
      (line) => line.includes(join(process.cwd(), '.cache/duckdb')) && line.includes('"memory_limit":"67MB"'),
    )
}

/** The unique bytes of a chunker's first draw, as the survey counted them. */
function firstDraw(survey: string, chunker: string): number {
  const place = join(folder, 'union', 'format=1', `survey=${survey}`)
  const { key_value_metadata: notes } = parquetMetadata(fileAt(place, `table=chunks/scheme=${chunker}`))
  const footer = notes?.find(({ key }) => key === 'stowage.fingerprints')?.value ?? ''
  return JSON.parse(footer).draws[0].uniqueBytes
}

function fileAt(place: string, table: string): ArrayBuffer {
  const bytes = readFileSync(join(place, table, 'part-0.parquet'))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
}

async function rowsOf(place: string, table: string): Promise<{ hash: bigint; bytes: bigint }[]> {
  const survey = (await reported(place, '--scheme', 'files')).sources[0]?.folder ?? ''
  return (await parquetReadObjects({ file: fileAt(survey, table) })) as { hash: bigint; bytes: bigint }[]
}
