import { createHash, createHmac } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type CompleteNote, completeNoteSchema } from '../../src/domain/fingerprints/completeNote'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { pyarrowMissing, readByPyarrow } from '../support/foreignParquet'
import { type ParquetRow, parquetRows } from '../support/parquetRows'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-fingerprints-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const random = seededRandom(21)
function noise(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  random.fillBytes(content)
  return content
}

/** Files with repeats, zeros, a content of more than eight files, and one of no bytes. */
function writeSource(): string {
  const source = join(folder, 'source')
  mkdirSync(join(source, 'deep'), { recursive: true })
  const shared = noise(700_001)
  for (let at = 0; at < 12; at++) writeFileSync(join(source, `copy ${at}`), shared)
  const long = Buffer.concat([noise(3_000_000), shared, Buffer.alloc(2_500_000), noise(1_500_000)])
  writeFileSync(join(source, 'deep', 'long'), long)
  writeFileSync(join(source, 'deep', 'zeros'), Buffer.alloc(100_000))
  writeFileSync(join(source, 'empty'), '')
  for (let at = 0; at < 30; at++) writeFileSync(join(source, `small ${at}`), noise(at * 311 + 1))
  return source
}

async function surveyed(
  source: string,
  ...args: string[]
): Promise<{ place: string; document: SurveyDocument; note: CompleteNote; stderr: string }> {
  const into = join(folder, 'prints')
  const end = await stowage(
    ['survey', source, '--samples', 'none', '--json', '--fingerprints', into, ...args],
    { home: join(folder, 'home') },
  )
  expect(end.code, end.stderr).toBe(0)
  const document = surveyDocumentSchema.parse(JSON.parse(end.stdout))
  const place = join(into, 'format=1', `survey=${document.id}`)
  expect(readdirSync(into)).toEqual(['format=1'])
  const note = completeNoteSchema.parse(JSON.parse(readFileSync(join(place, '_COMPLETE.json'), 'utf8')))
  return { place, document, note, stderr: end.stderr }
}

/** The distinct hashes of a table, and the sum of the bytes of each once. */
function unique(rows: readonly ParquetRow[]): { count: number; bytes: number } {
  const contents = new Map(rows.map(({ hash, bytes }) => [hash, Number(bytes)]))
  return { count: contents.size, bytes: [...contents.values()].reduce((sum, one) => sum + one, 0) }
}

function edit(place: string, change: (text: string) => string): void {
  const path = join(place, '_COMPLETE.json')
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Replaces a part by one with these columns, as a careful forger would: footer and note agree. */
function rewritten(place: string, name: string, columns: readonly string[], rows = 1): void {
  const note = JSON.parse(readFileSync(join(place, '_COMPLETE.json'), 'utf8'))
  const scheme = note.schemes.find((one: { name: string }) => name.includes(`scheme=${one.name}/`))
  const { format, survey, key } = note
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map((column) => ({
        name: column,
        data:
          column === 'hash' || column === 'bytes'
            ? new BigInt64Array(rows).fill(1n)
            : new Int32Array(rows).fill(1),
        type: column === 'hash' || column === 'bytes' ? 'INT64' : 'INT32',
        nullable: false,
      })),
      rowGroupSize: rows,
      kvMetadata: [
        {
          key: 'stowage.fingerprints',
          value: JSON.stringify({ format, survey, key, table: 'blocks', scheme }),
        },
      ],
    }),
  )
  writeFileSync(join(place, name), bytes)
  const facts = { rows, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const parts = note.parts.map((part: { name: string }) =>
    part.name === name ? { ...part, ...facts } : part,
  )
  edit(place, () => JSON.stringify({ ...note, parts }))
}

describe('survey --fingerprints', () => {
  it('leaves tables that count what the survey counts, for every way of cutting', async () => {
    const source = writeSource()
    const { place, document, note } = await surveyed(
      source,
      '--fingerprint-share',
      '1',
      '--sha256',
      '--block-size',
      '2352',
      '--block-size',
      '512',
    )
    const parts = new Map<string, ParquetRow[]>()
    for (const { name, rows } of note.parts) {
      parts.set(name, await parquetRows(place, name))
      expect(parts.get(name)).toHaveLength(rows)
    }
    for (const { blockSize, uniqueBlocks, uniqueBytes, blocks, zeroBlocks } of document.fixedBlocks) {
      const names: Record<number, string> = { 2352: 'blocks-2352', 512: 'blocks-512', 1048576: 'blocks-1m' }
      const name = names[blockSize] ?? `blocks-${blockSize / 1024}k`
      const rows = parts.get(`table=blocks/scheme=${name}/part-0.parquet`) ?? []
      expect([name, unique(rows)]).toEqual([name, { count: uniqueBlocks, bytes: uniqueBytes }])
      expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(blocks)
      const zeros = parts.get(`table=zeros/scheme=${name}/part-0.parquet`) ?? []
      expect(zeros.reduce((sum, one) => sum + Number(one['blocks']), 0)).toBe(zeroBlocks)
    }
    const files = parts.get('table=files/part-0.parquet') ?? []
    expect(files).toHaveLength(document.totals.files)
    expect(files.find(({ path }) => path === join(source, 'deep', 'zeros'))).toMatchObject({ size: 100_000n })
    const contents = parts.get('table=contents/part-0.parquet') ?? []
    expect(contents.filter(({ file }) => file === -1)).toMatchObject([{ count: 12, bytes: 700_001n }])
    expect(unique(contents).bytes).toBe(document.totals.bytes - document.duplicateFiles.bytes)
  })

  it('leaves tables in which pyarrow finds signed integers, sorted hashes and the same counts', async (context) => {
    const missing = pyarrowMissing()
    if (missing !== null) context.skip(missing)
    const { place, document, note } = await surveyed(writeSource(), '--fingerprint-share', '1', '--sha256')
    const read = await readByPyarrow(note.parts.map(({ name }) => join(place, name)))
    for (const { name, rows } of note.parts) {
      const found = read[join(place, name)]
      expect(found).toMatchObject({ rows, nulls: 0, isNullable: false, isSorted: true, isRightShare: true })
      expect(found?.footer).toMatchObject({ format: 1, survey: document.id, key: null })
      const { table, scheme } = found?.footer ?? {}
      expect(name).toBe(`table=${table}/${scheme ? `scheme=${scheme.name}/` : ''}part-0.parquet`)
      const types = table === 'files' ? ['int32', 'int64', 'string'] : ['int32', 'int64']
      expect(found?.types).toEqual(types)
    }
    const partOf = (table: string, scheme: string) =>
      read[join(place, `table=${table}/scheme=${scheme}/part-0.parquet`)]
    for (const { blockSize, uniqueBlocks, uniqueBytes } of document.fixedBlocks) {
      const name = blockSize === 1048576 ? 'blocks-1m' : `blocks-${blockSize / 1024}k`
      expect(partOf('blocks', name)).toMatchObject({ uniqueHashes: uniqueBlocks, uniqueBytes })
    }
    expect(document.chunked).toHaveLength(8)
    for (const { chunker, uniqueBytes, exact } of document.chunked) {
      const found = partOf('chunks', chunker)
      const draws = found?.footer.draws
      expect(draws?.[0]).toEqual({ uniqueBytes: found?.uniqueBytes, exact: true })
      if (exact && draws?.length === 1) expect(found?.uniqueBytes).toBe(uniqueBytes)
      expect(draws).toHaveLength(/borg|restic|kopia/.test(chunker) ? 8 : 1)
    }
  })

  it('keeps a share by size that does not depend on the way or the threads', async () => {
    const source = writeSource()
    const usual = await surveyed(source, '--quick')
    const whole = await surveyed(source, '--quick', '--fingerprint-share', '1', '--threads', '1')
    const shifts = usual.note.schemes.map(({ shift }) => shift)
    expect(shifts).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    for (const { name, shift } of usual.note.schemes) {
      const part = `table=blocks/scheme=${name}/part-0.parquet`
      const below = -(2n ** 63n) + 2n ** BigInt(64 - shift)
      const kept = (await parquetRows(whole.place, part)).filter(({ hash }) => (hash as bigint) < below)
      const counts = ({ hash, bytes, count }: ParquetRow): string => `${hash} ${bytes} ${count}`
      expect((await parquetRows(usual.place, part)).map(counts)).toEqual(kept.map(counts))
    }
    const files = await surveyed(source, '--quick', '--fingerprint-share', '1/64')
    expect(files.note.schemes.map(({ shift }) => shift)).toEqual([6, 6, 6, 6, 6, 6, 5, 4, 3, 2])
    expect(usual.stderr).toMatch(
      /some 16\.7 MB for each TB and 100 MB for each million files; every file is read/,
    )
    expect(whole.stderr).toMatch(/of scratch space for each TB in the same folder/)
  })

  it('keeps only keyed hashes and digests with a key, and no names with --no-paths', async () => {
    const source = writeSource()
    const key = join(folder, 'secret')
    writeFileSync(key, 'correct horse battery staple')
    const all = ['--sha256', '--fingerprint-share', '1']
    const open = await surveyed(source, ...all)
    const keyed = await surveyed(source, ...all, '--fingerprint-key', key, '--no-paths')
    expect(open.stderr).toMatch(/without --fingerprint-key they prove/)
    expect(keyed.stderr).not.toMatch(/without --fingerprint-key/)
    expect(keyed.note).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{16}$/), paths: false })
    const part = 'table=blocks/scheme=blocks-4k/part-0.parquet'
    const [plain, hidden] = [await parquetRows(open.place, part), await parquetRows(keyed.place, part)]
    expect(unique(hidden)).toEqual(unique(plain))
    const known = new Set(plain.map(({ hash }) => hash))
    expect(hidden.filter(({ hash }) => known.has(hash as bigint))).toEqual([])
    const files = await parquetRows(keyed.place, 'table=files/part-0.parquet')
    expect(files.every(({ path, mtime_us }) => path === '' && mtime_us === 0n)).toBe(true)
    const derived = createHmac('sha256', readFileSync(key)).update('stowage fingerprints sha256').digest()
    const own = createHash('sha256')
      .update(readFileSync(join(source, 'deep', 'long')))
      .digest()
    const digest = createHmac('sha256', derived).update(own).digest('hex')
    expect(files.filter(({ sha256 }) => sha256 === digest)).toHaveLength(1)
    const shown = await parquetRows(open.place, 'table=files/part-0.parquet')
    expect(shown.filter(({ sha256 }) => sha256 === own.toString('hex'))).toHaveLength(1)
    const text = readdirSync(keyed.place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('')
    expect(text).not.toMatch(/source|small|deep/)
  })

  it('reads every file again although an earlier survey knows them', async () => {
    const source = writeSource()
    await surveyed(source)
    const { document, place } = await surveyed(source)
    expect(document.trusted).toBeNull()
    expect(await parquetRows(place, 'table=files/part-0.parquet')).toHaveLength(document.totals.files)
  })

  describe('with --since', () => {
    const all = ['--sha256', '--fingerprint-share', '1']
    /** A source whose files are old enough to be trusted. */
    async function agedSource(): Promise<string> {
      const source = writeSource()
      await setTimeout(2_100)
      return source
    }
    /** All rows, with the files by their paths, which are numbered anew in each survey. */
    async function tables(place: string, note: CompleteNote): Promise<Record<string, string[]>> {
      const files = await parquetRows(place, 'table=files/part-0.parquet')
      const pathOf = new Map(files.map(({ file, path }) => [file, path]))
      const found: Record<string, string[]> = {}
      for (const { name } of note.parts) {
        const rows = await parquetRows(place, name)
        const texts = rows.map(({ file, ...row }) =>
          [pathOf.get(file as number) ?? file, ...Object.values(row)].join(' '),
        )
        found[name] = texts.toSorted()
      }
      return found
    }

    it('takes the rows of unchanged files from the earlier ones, and has the same as if all was read', async () => {
      const source = await agedSource()
      const first = await surveyed(source, ...all)
      for (let at = 0; at < 3; at++) writeFileSync(join(source, `more ${at}`), noise(50_000 + at))
      cpSync(join(source, 'copy 1'), join(source, 'deep', 'copy'))
      cpSync(join(source, 'small 9'), join(source, 'deep', 'small 9'))
      const since = await surveyed(source, ...all, '--since', join(folder, 'prints'))
      const whole = await surveyed(source, ...all)
      const files = since.document.trusted?.files ?? 0
      expect(files).toBeGreaterThan(0)
      expect(since.note.carried).toEqual({
        survey: first.document.id,
        unchanged: files,
        others: first.document.totals.files - files,
      })
      expect(whole.document.trusted).toBeNull()
      expect(whole.note.carried).toBeNull()
      expect(await tables(since.place, since.note)).toEqual(await tables(whole.place, whole.note))
    })

    it('leaves out the rows of files that are gone', async () => {
      const source = await agedSource()
      await surveyed(source, ...all)
      rmSync(join(source, 'deep'), { recursive: true })
      const since = await surveyed(source, ...all, '--since', join(folder, 'prints'))
      const whole = await surveyed(source, ...all)
      expect(since.note.carried?.others).toBeGreaterThanOrEqual(2)
      expect(since.document.trusted?.files).toBeGreaterThan(0)
      const [carried, read] = [await tables(since.place, since.note), await tables(whole.place, whole.note)]
      const part = 'table=contents/part-0.parquet'
      expect(carried[part]).toEqual(read[part])
      const ofFew = (rows: string[] | undefined): string[] =>
        (rows ?? []).filter((row) => !row.startsWith('-1 '))
      for (const name of Object.keys(read))
        expect([name, ofFew(carried[name])]).toEqual([name, ofFew(read[name])])
    })

    it('reads every file, and says so, where the catalog has no earlier survey', async () => {
      const source = await agedSource()
      const { place } = await surveyed(source, '--quick')
      const given = ['survey', source, '--quick', '--fingerprints', join(folder, 'others'), '--since', place]
      const end = await stowage(given, { home: join(folder, 'other home') })
      expect(end.code, end.stderr).toBe(0)
      expect(end.stderr).toMatch(/every file was read: no earlier survey in this catalog/)
    })

    it('refuses fingerprints that are not there, not whole, or of another key or share', async () => {
      const source = writeSource()
      const key = join(folder, 'secret')
      writeFileSync(key, 'correct horse battery staple')
      const { place } = await surveyed(source, '--quick')
      mkdirSync(join(folder, 'empty'))
      const answers: readonly (readonly [string[], RegExp])[] = [
        [['--since', join(folder, 'empty')], /there are no fingerprints in it/],
        [['--since', place, '--fingerprint-share', '1'], /they have other shares/],
        [['--since', place, '--fingerprint-key', key], /they have another key/],
      ]
      const refused = async (args: readonly string[], line: RegExp): Promise<void> => {
        const given = ['survey', source, '--quick', '--fingerprints', join(folder, 'others'), ...args]
        const end = await stowage(given, { home: join(folder, 'home') })
        expect(end.stderr).toMatch(line)
        expect([end.code, end.stdout]).toEqual([2, ''])
        expect(existsSync(join(folder, 'others'))).toBe(false)
      }
      for (const [args, line] of answers) await refused(args, line)
      truncateSync(join(place, 'table=files', 'part-0.parquet'), 100)
      await refused(['--since', place], /table=files.part-0\.parquet: it has 100 bytes instead of/)
    })
  })

  describe('a folder of fingerprints', () => {
    const check = (...folders: string[]) =>
      stowage(['survey', 'fingerprints', ...folders], { home: join(folder, 'home') })

    it('is listed with the surveys and the smallest share of each scheme', async () => {
      const source = writeSource()
      const one = await surveyed(source, '--quick')
      const two = await surveyed(source, '--quick', '--fingerprint-share', '1/16')
      const end = await check(join(folder, 'prints'))
      expect(end.code, end.stderr).toBe(0)
      for (const { document } of [one, two]) expect(end.stdout).toContain(document.id)
      expect(end.stdout).toMatch(/hashes without a key/)
      expect(end.stdout).toMatch(/blocks-4k +1\/1[,.  ]?024 +2/)
      expect(end.stderr).toMatch(/different shares of blocks-2k, .*blocks-128k: .*at the smaller one/)
      const json = await stowage(['survey', 'fingerprints', two.place, '--json'], {
        home: join(folder, 'home'),
      })
      const document = JSON.parse(json.stdout)
      expect(document).toMatchObject({ schema: 'stowage.fingerprintCheck/1', key: null })
      expect(document.surveys).toMatchObject([{ id: two.document.id, bytes: two.document.totals.bytes }])
      expect(document.schemes[1]).toMatchObject({
        name: 'blocks-4k',
        shift: 4,
        surveys: 1,
        sharesDiffer: false,
      })
    })

    it('is refused by the name of the file that is wrong', async () => {
      const source = writeSource()
      const { place, note } = await surveyed(source, '--quick')
      const part = 'table=blocks/scheme=blocks-4k/part-0.parquet'
      const wrong: readonly (readonly [string, (copy: string) => void, RegExp])[] = [
        [
          'unfinished',
          (copy) => rmSync(join(copy, '_COMPLETE.json')),
          /not finished, or is incomplete|is missing/,
        ],
        ['without a part', (copy) => rmSync(join(copy, part)), /blocks-4k.part-0\.parquet: it is missing/],
        [
          'truncated',
          (copy) => truncateSync(join(copy, part), 500),
          /part-0\.parquet: it has 500 bytes instead of/,
        ],
        [
          'changed',
          (copy) => {
            const bytes = readFileSync(join(copy, part))
            bytes[100] = (bytes[100] ?? 0) ^ 1
            writeFileSync(join(copy, part), bytes)
          },
          /part-0\.parquet: its content has changed/,
        ],
        [
          'with the part of another scheme',
          (copy) => cpSync(join(copy, part.replace('4k', '8k')), join(copy, part)),
          /blocks-4k.part-0\.parquet: (it has|its content)/,
        ],
        [
          'with a part twice',
          (copy) => cpSync(join(copy, part), join(copy, part.replace('part-0', 'part-1'))),
          /part-1\.parquet: it is not one of the survey's parts/,
        ],
        ['with a foreign file', (copy) => writeFileSync(join(copy, 'notes'), ''), /notes: it is not one of/],
        [
          'of another version',
          (copy) => edit(copy, (text) => text.replace('"format": 1', '"format": 2')),
          /_COMPLETE\.json: it was made by another version/,
        ],
        [
          'with half a note',
          (copy) => edit(copy, (text) => text.slice(0, 300)),
          /_COMPLETE\.json: it is damaged/,
        ],
        [
          'with a part left out of the note',
          (copy) =>
            edit(copy, (text) =>
              JSON.stringify({ ...JSON.parse(text), parts: JSON.parse(text).parts.slice(1) }),
            ),
          /_COMPLETE\.json: its parts are not those of its schemes/,
        ],
        [
          'with another share in the note',
          (copy) => edit(copy, (text) => text.replace('"shift": 10', '"shift": 9')),
          /part-0\.parquet: its footer does not belong to the note/,
        ],
        [
          'without a column',
          (copy) => rewritten(copy, part, ['hash', 'bytes', 'file']),
          /part-0\.parquet: its column count is missing or of another type/,
        ],
        [
          'with another column',
          (copy) => rewritten(copy, part, ['hash', 'bytes', 'file', 'count', 'more']),
          /part-0\.parquet: it has other columns/,
        ],
        [
          'with more rows in a group than are written',
          (copy) => rewritten(copy, part, ['hash', 'bytes', 'file', 'count'], 1_000_001),
          /part-0\.parquet: it unpacks to more than its rows can take/,
        ],
      ]
      for (const [what, spoil, line] of wrong) {
        const copy = join(folder, 'copy', `survey=${note.survey}`)
        cpSync(place, copy, { recursive: true })
        spoil(copy)
        const end = await check(copy)
        expect(`${what}: ${end.stderr}`).toMatch(line)
        expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
        expect([what, end.code, end.stdout]).toEqual([what, 2, ''])
        rmSync(copy, { recursive: true })
      }
      expect((await check(place)).code).toBe(0)
    })

    it('is refused where a survey is given twice, is of another key, or none is there', async () => {
      const source = writeSource()
      const key = join(folder, 'secret')
      writeFileSync(key, 'correct horse battery staple')
      const open = await surveyed(source, '--quick')
      const copied = join(folder, 'copied', `survey=${open.note.survey}`)
      cpSync(open.place, copied, { recursive: true })
      expect((await check(open.place, copied)).stderr).toMatch(/is given twice: .*prints.* and .*copied/)
      const renamed = join(folder, 'copied', 'survey=s-000000000000')
      cpSync(open.place, renamed, { recursive: true })
      expect((await check(renamed)).stderr).toMatch(/it holds survey s-/)
      await surveyed(source, '--quick', '--fingerprint-key', key)
      expect((await check(join(folder, 'prints'))).stderr).toMatch(/its key is [0-9a-f]+|its key is none/)
      expect((await check(source)).stderr).toMatch(/there are no fingerprints in it/)
      mkdirSync(join(folder, 'later', 'format=2'), { recursive: true })
      expect((await check(join(folder, 'later'))).stderr).toMatch(/format=2: it was made by another version/)
      expect((await check()).stderr).toMatch(/give a folder of fingerprints/)
    })
  })

  it('refuses in one line what it cannot do, before anything is read', async () => {
    const source = writeSource()
    const file = join(folder, 'file')
    writeFileSync(file, 'short')
    const into = join(folder, 'prints')
    const answers = [
      [['--fingerprints', into, '--fingerprint-share', '1/3'], /--fingerprint-share takes 1, 1\/2, 1\/4/],
      [['--fingerprint-share', '1'], /need --fingerprints/],
      [['--no-paths'], /need --fingerprints/],
      [['--fingerprints', into, '--dry-run'], /--fingerprints needs a survey that reads/],
      [['--fingerprints', file], /cannot .*file.*: /],
      [['--fingerprints', into, '--fingerprint-key', file], /a key file has 16 bytes to 64 KiB/],
      [['--fingerprints', into, '--fingerprint-key', join(folder, 'none')], /cannot read .*none: /],
    ] as const
    for (const [args, line] of answers) {
      const end = await stowage(['survey', source, '--samples', 'none', ...args], {
        home: join(folder, 'home'),
      })
      const lines = end.stderr
        .trimEnd()
        .split('\n')
        .filter((one) => !/fingerprints take|prove to anyone/.test(one))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(line)
      expect(end.code).not.toBe(0)
      expect(end.stdout).toBe('')
    }
  })
})
