import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parquetMetadata } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentSchema } from '../../src/contract/documents'
import { type FleetKept, fleetKeptSchema } from '../../src/domain/fleet/fleetKept'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { duckdbMissing, useDuckdb } from '../support/duckdb'
import { folderOnOtherDisk } from '../support/otherDisk'
import { type ParquetRow, parquetRows } from '../support/parquetRows'

useDuckdb()

const validate = new Ajv2020({ allErrors: true }).compile(documentSchema('stowage.fleetKept/1') ?? {})

let folder: string
/** On another disk. */
let disk: string
beforeEach((context) => {
  const missing = duckdbMissing()
  if (missing !== null) context.skip(missing)
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-fleet-kept-')))
  disk = folderOnOtherDisk()
  const random = seededRandom(59)
  const noise = (bytes: number): Buffer => {
    const content = Buffer.alloc(bytes)
    random.fillBytes(content)
    return content
  }
  const one = noise(300_000)
  const files = {
    'alpha/one.bin': one,
    'alpha/two.bin': noise(200_000),
    'alpha/sub/three.jpg': noise(100_000),
    'alpha/empty': Buffer.alloc(0),
    'beta/one, too.bin': one,
    'beta/four.BIN': noise(150_000),
    'beta/sub/five.txt': noise(50_000),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(at(name), '..'), { recursive: true })
    writeFileSync(at(name), content)
  }
})
afterEach(() => {
  for (const path of [folder, disk]) if (path) rmSync(path, { recursive: true, force: true })
})

const FILES = 'table=files/part-0.parquet'

const at = (name: string): string => join(folder, name)
const run = (home: string, ...args: string[]): Promise<CommandEnd> => stowage(args, { home: at(home) })

async function done(home: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(home, ...args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** Alpha on copies at home and, on another disk, in the office; beta without a file in the lab, on the first disk. */
async function archived(): Promise<void> {
  await done('A', 'plan', at('alpha'), '--medium', 'custom:2MB', '--out', at('plan A'))
  await done('A', 'build', at('plan A'))
  await done('A', 'write', at('plan A'), '--to', at('usb A'), '--place', 'home')
  await done('A', 'write', at('plan A'), '--to', disk, '--copy', '2', '--place', 'office')
  const beta = [at('beta'), '--exclude', 'four.BIN']
  await done('B', 'plan', ...beta, '--medium', 'custom:2MB', '--out', at('plan B'))
  await done('B', 'build', at('plan B'))
  await done('B', 'write', at('plan B'), '--to', at('usb B'), '--place', 'lab')
}

async function surveyed(...more: string[]): Promise<void> {
  for (const [home, source] of [
    ['A', 'alpha'],
    ['B', 'beta'],
  ] as const)
    await done(home, 'survey', at(source), '--quick', '--sha256', '--fingerprints', at('prints'), ...more)
}

async function exported(home: string, ...more: string[]): Promise<string> {
  const text = await done(home, 'catalog', 'export', '--parquet', at('catalogs'), '--json', ...more)
  return JSON.parse(text).folder
}

async function kept(...more: string[]): Promise<FleetKept> {
  const { code, stdout, stderr } = await run(
    'other',
    'fleet',
    'kept',
    at('prints'),
    '--catalogs',
    at('catalogs'),
    '--json',
    ...more,
  )
  expect(code, stderr).toBe(0)
  const document: unknown = JSON.parse(stdout)
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
  return fleetKeptSchema.parse(document)
}

const levels = ({ levels: all }: Pick<FleetKept['all'], 'levels'>): number[][] =>
  all.map(({ copies, places, files, bytes }) => [copies, places, files, bytes])

/** Sources by what they are called, since the order of surveys is that of their IDs. */
function bySource({ sources }: FleetKept): Record<string, number[][]> {
  return Object.fromEntries(sources.map((source) => [source.files === 4 ? 'alpha' : 'beta', levels(source)]))
}

describe('stowage fleet kept', () => {
  it('counts verified copies and places of every file over all catalogs, and names the folders on none', async () => {
    await archived()
    await surveyed()
    await exported('A')
    await exported('B')
    const document = await kept()
    // The lab's copy is on the disk of the one at home.
    expect(bySource(document)).toEqual({
      alpha: [[2, 2, 4, 600_000]],
      beta: [
        [0, 0, 1, 150_000],
        [1, 1, 1, 50_000],
        [2, 2, 1, 300_000],
      ],
    })
    expect(document.all).toMatchObject({ files: 7, bytes: 1_100_000, unknown: { files: 0, bytes: 0 } })
    const beta = document.sources.findIndex(({ files }) => files === 3)
    expect(document.onNone).toEqual([{ source: beta, folder: at('beta'), files: 1, bytes: 150_000 }])
    const counts = document.catalogs.map(({ copies, goodCopies }) => `${goodCopies} of ${copies}`)
    expect(new Set(counts)).toEqual(new Set(['1 of 2', '2 of 3']))
    expect(document.sources.map(({ name }) => name)).toContain(at('beta'))
    const folders = (await kept('--by', 'folder')).groups
    expect(folders.map(({ name, files, bytes }) => [name, files, bytes])).toEqual([
      [at('alpha'), 3, 500_000],
      [at('beta'), 2, 450_000],
      [at('alpha/sub'), 1, 100_000],
      [at('beta/sub'), 1, 50_000],
    ])
    expect(folders.map(levels)[3]).toEqual([[1, 1, 1, 50_000]])
    const types = (await kept('--by', 'type')).groups
    expect(types.map(({ name, source, files, bytes }) => [name, source, files, bytes])).toEqual([
      ['bin', null, 4, 950_000],
      ['jpg', null, 1, 100_000],
      ['txt', null, 1, 50_000],
      ['(no type)', null, 1, 0],
    ])
    const text = await done('other', 'fleet', 'kept', at('prints'), '--catalogs', at('catalogs'))
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '2 sources: 7 files (1.10 MB). On two verified copies or more, at two places or more: 5 files (900 kB). ' +
        'On fewer: 1 file (50.0 kB). On none: 1 file (150 kB).',
    )
    expect(text).toContain('On no verified copy, by folder:')
  })

  it('does not count copies that are lost, gone, never verified or in the source itself', async () => {
    await archived()
    await surveyed()
    await exported('A')
    await exported('B')
    await done('A', 'catalog', 'lost', 'ALPHA_01', '--copy', '2')
    rmSync(join(at('usb B'), 'BETA_01.iso'))
    await exported('A', '--force')
    await exported('B', '--force')
    expect(bySource(await kept())).toEqual({
      alpha: [[1, 1, 4, 600_000]],
      beta: [
        [0, 0, 2, 200_000],
        [1, 1, 1, 300_000],
      ],
    })
    await done('A', 'catalog', 'lost', 'ALPHA_01', '--copy', '1')
    await done('A', 'write', at('plan A'), '--to', at('alpha/usb'), '--copy', '3', '--place', 'attic')
    await exported('A', '--force')
    const inside = await kept()
    // The copy in alpha is one for beta, and none for the survey of alpha that is in the catalog.
    expect(bySource(inside)).toEqual({
      alpha: [[0, 0, 4, 600_000]],
      beta: [
        [0, 0, 2, 200_000],
        [1, 1, 1, 300_000],
      ],
    })
  })

  it('counts a file in parts only where all of its volumes are', async () => {
    writeFileSync(at('alpha/long.bin'), Buffer.alloc(1_500_000, 'long'))
    await done('A', 'plan', at('alpha'), '--medium', 'custom:1MB', '--out', at('plan A'))
    await done('A', 'build', at('plan A'))
    await done('A', 'write', at('plan A'), '--to', at('usb A'), '--place', 'home')
    await done('A', 'survey', at('alpha'), '--quick', '--sha256', '--fingerprints', at('prints'))
    const place = await exported('A')
    const rows = await parquetRows(place, 'table=ways/part-0.parquet')
    const ways = rows.map(({ way }) => way)
    expect(new Set(ways).size).toBeLessThan(ways.length)
    expect(levels((await kept()).all)).toEqual([[1, 1, 5, 2_100_000]])
    await done('A', 'catalog', 'lost', 'ALPHA_02')
    await exported('A', '--force')
    const { onNone, all } = await kept()
    expect(all.levels.map(({ copies }) => copies)).toEqual([0, 1])
    expect(onNone[0]?.bytes).toBeGreaterThanOrEqual(1_500_000)
  })

  it('counts a copy once that two catalogs know, and not where one of them has lost it', async () => {
    await archived()
    await surveyed()
    cpSync(at('A'), at('A again'), { recursive: true })
    await exported('A')
    await exported('B')
    const before = bySource(await kept())
    await exported('A again')
    expect(readdirSync(at('catalogs/format=1'))).toHaveLength(3)
    expect(bySource(await kept())).toEqual(before)
    await done('A again', 'catalog', 'lost', 'ALPHA_01', '--copy', '2')
    await exported('A again', '--force')
    expect(bySource(await kept())['alpha']).toEqual([[1, 1, 4, 600_000]])
  })

  it('counts the same in little memory, a range of digests after the other', async () => {
    await archived()
    await done('A', 'survey', at('alpha'), '--quick', '--sha256', '--fingerprints', at('prints'))
    const place = await exported('A')
    const [survey = ''] = readdirSync(at('prints/format=1'))
    const many = Array.from({ length: 130_000 }, (_, file) => ({
      file,
      path: `/many/${file % 10}/${file}`,
      size: 10,
      mtime_us: 0,
      sha256: createHash('sha256').update(`file ${file}`).digest('hex'),
      way: 0,
    }))
    await rewritten(at(`prints/format=1/${survey}`), FILES, (rows) => [...rows, ...many])
    await rewritten(place, FILES, (rows) => [...rows, ...many.slice(0, 90_000)])
    const [little, much] = [await kept('--max-memory', '64MiB'), await kept('--max-memory', '2GiB')]
    expect(levels(little.all)).toEqual([
      [0, 0, 40_000, 400_000],
      [2, 2, 90_004, 1_500_000],
    ])
    expect(little.onNone).toHaveLength(10)
    const folders = ({ onNone }: FleetKept) =>
      new Set(onNone.map(({ folder: of, bytes }) => `${of} ${bytes}`))
    expect(folders(little)).toEqual(folders(much))
    expect({ ...little, onNone: [], atWallMs: 0 }).toEqual({ ...much, onNone: [], atWallMs: 0 })
  })

  it('compares keyed digests and no paths, and says of which files nothing is known', async () => {
    const key = at('secret')
    writeFileSync(key, 'correct horse battery staple')
    await archived()
    const hidden = ['--fingerprint-key', key, '--no-paths']
    await surveyed(...hidden)
    await exported('A', ...hidden)
    await exported('B', ...hidden)
    const document = await kept()
    expect(levels(document.all)).toEqual([
      [0, 0, 1, 150_000],
      [1, 1, 1, 50_000],
      [2, 2, 5, 900_000],
    ])
    expect(document.key).toMatch(/^[0-9a-f]{16}$/)
    expect(document.sources.map(({ name }) => name)).toEqual([null, null])
    expect(document.onNone.map(({ folder: of }) => of)).toEqual([''])
    const given = [at('prints'), '--catalogs', at('catalogs'), '--by', 'folder']
    const divided = await run('other', 'fleet', 'kept', ...given)
    expect([divided.code, divided.stderr]).toEqual([
      2,
      expect.stringMatching(/survey=s-[0-9a-f]+: --by folder needs paths, which were left out\n$/),
    ])
    rmSync(at('prints'), { recursive: true })
    await done('C', 'survey', at('beta'), '--quick', '--fingerprints', at('prints'), ...hidden)
    const { all } = await kept()
    expect(all).toMatchObject({ files: 3, unknown: { files: 3, bytes: 500_000 }, levels: [] })
    const { stdout, stderr } = await run('C', 'fleet', 'kept', at('prints'), '--catalogs', at('catalogs'))
    expect(stdout).toContain('Not known: 3 files (500 kB).')
    expect(stderr).toContain('files without SHA-256 cannot be found in catalogs')
  })

  it('refuses by its name what cannot be compared', async () => {
    const key = at('secret')
    writeFileSync(key, 'correct horse battery staple')
    await archived()
    await surveyed()
    const place = await exported('A')
    const files = join(place, 'table=files', 'part-0.parquet')
    const asked = (...more: string[]): Promise<CommandEnd> =>
      run('other', 'fleet', 'kept', at('prints'), ...more)
    const refused = async (line: RegExp, ...more: string[]): Promise<void> => {
      const end = await asked(...more)
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(end.stderr).toMatch(line)
      expect([end.code, end.stdout]).toEqual([2, ''])
    }
    const given = ['--catalogs', at('catalogs')]
    expect((await asked(...given)).code).toBe(0)
    await refused(/give a folder of exported catalogs/)
    await refused(/size/, ...given, '--by', 'size')
    await refused(/there is no exported catalog in it/, '--catalogs', at('alpha'))
    await refused(
      /format=1.survey=s-[0-9a-f]+: it is not the folder of a catalog/,
      '--catalogs',
      at('prints'),
    )
    cpSync(place, at(`copied/${place.slice(place.lastIndexOf('/') + 1)}`), { recursive: true })
    await refused(
      /catalog k-[0-9a-f]+ is given twice: .*catalogs.* and .*copied/,
      ...given,
      '--catalogs',
      at('copied'),
    )
    const spoil = async (line: RegExp, change: () => void | Promise<void>): Promise<void> => {
      const whole = at('whole')
      cpSync(at('catalogs'), whole, { recursive: true })
      await change()
      await refused(line, ...given)
      rmSync(at('catalogs'), { recursive: true })
      cpSync(whole, at('catalogs'), { recursive: true })
      rmSync(whole, { recursive: true })
    }
    await spoil(/not finished, or is incomplete/, () => rmSync(join(place, '_COMPLETE.json')))
    await spoil(/table=files.part-0\.parquet: it has 100 bytes instead of/, () => truncateSync(files, 100))
    await spoil(/table=files.part-0\.parquet: its content has changed/, () => {
      const bytes = readFileSync(files)
      bytes[10] = (bytes[10] ?? 0) ^ 1
      writeFileSync(files, bytes)
    })
    await spoil(/part-1\.parquet: it is not one of the catalog's parts/, () =>
      cpSync(files, files.replace('part-0', 'part-1')),
    )
    await spoil(/table=copies.part-0\.parquet: its column volume has 7, which is not there/, () =>
      rewritten(place, 'table=copies/part-0.parquet', (rows) => rows.map((row) => ({ ...row, volume: 7 }))),
    )
    rmSync(at('catalogs'), { recursive: true })
    await exported('A', '--fingerprint-key', key)
    await refused(/cannot use .*catalog=.*: its key is [0-9a-f]{16}, that of .*survey=.* is none/, ...given)
    expect((await run('other', 'fleet', 'kept', ...given)).stderr).toMatch(/give a folder of fingerprints/)
  })
})

/** Replaces the rows of a part as a careful forger would: footer and note agree. */
async function rewritten(
  place: string,
  name: string,
  change: (rows: readonly ParquetRow[]) => readonly ParquetRow[],
): Promise<void> {
  const path = join(place, name)
  const before = readFileSync(path)
  const { schema, key_value_metadata: kvMetadata } = parquetMetadata(
    before.buffer.slice(before.byteOffset, before.byteOffset + before.length),
  )
  const rows = change(await parquetRows(place, name))
  const columnData = schema.slice(1).map(({ name: column, type }) => {
    const values = rows.map((row) => row[column] ?? 0)
    if (type === 'INT64')
      return { name: column, data: BigInt64Array.from(values, BigInt), type, nullable: false } as const
    if (type === 'INT32')
      return { name: column, data: Int32Array.from(values, Number), type, nullable: false } as const
    return { name: column, data: values.map(String), type: 'STRING', nullable: false } as const
  })
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, kvMetadata: kvMetadata ?? [] }))
  writeFileSync(path, bytes)
  const facts = {
    rows: rows.length,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  const notePath = join(place, '_COMPLETE.json')
  const note = JSON.parse(readFileSync(notePath, 'utf8'))
  const parts = note.parts.map((part: { name: string }) =>
    part.name === name ? { ...part, ...facts } : part,
  )
  const totals = name === FILES ? { ...note.totals, files: rows.length } : note.totals
  writeFileSync(notePath, JSON.stringify({ ...note, totals, parts }))
}
