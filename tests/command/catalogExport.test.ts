import { createHash, createHmac } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CatalogExport,
  catalogExportSchema,
  catalogNoteSchema,
} from '../../src/domain/fingerprints/catalogNote'
import { createEngine } from '../../src/engine/engine'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { pyarrowMissing, readByPyarrow } from '../support/foreignParquet'
import { folderOnOtherDisk } from '../support/otherDisk'
import { type ParquetRow, parquetRows } from '../support/parquetRows'

let folder: string
/** On another disk. */
let disk: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-catalog-export-')))
  disk = folderOnOtherDisk()
  const random = seededRandom(11)
  mkdirSync(at('holidays', 'photos'), { recursive: true })
  for (const [index, name] of ['photos/1.jpg', 'photos/2.jpg', 'letter.txt'].entries()) {
    const content = Buffer.alloc(200_000 + index)
    random.fillBytes(content)
    writeFileSync(at('holidays', name), content)
  }
  writeFileSync(at('holidays', 'empty'), '')
  symlinkSync('letter.txt', at('holidays', 'link'))
})
afterEach(() => {
  for (const path of [folder, disk]) rmSync(path, { recursive: true, force: true })
})

const at = (...names: string[]): string => join(folder, ...names)
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: at('home') })

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** Two written copies at two places, verified while they were written. */
async function kept(...more: string[]): Promise<void> {
  await done('plan', at('holidays'), '--medium', 'custom:2MB', '--out', at('plan'), ...more)
  await done('build', at('plan'))
  await done('write', at('plan'), '--to', at('usb'), '--place', 'home')
  await done('write', at('plan'), '--to', disk, '--copy', '2', '--place', "parents' house")
}

async function exported(...more: string[]): Promise<CatalogExport> {
  const text = await done('catalog', 'export', '--parquet', at('catalogs'), '--json', ...more)
  return catalogExportSchema.parse(JSON.parse(text))
}

const rowsOf = (place: string, table: string): Promise<ParquetRow[]> =>
  parquetRows(place, `table=${table}/part-0.parquet`)

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

describe('stowage catalog export', () => {
  it('leaves tables of files, volumes, copies, places and verifications that agree with safe', async () => {
    await kept()
    const document = await exported()
    expect(document.totals).toEqual({ files: 4, volumes: 1, copies: 3, goodCopies: 2, places: 2 })
    const { folder: place, catalog, parts } = document
    expect(place).toBe(at('catalogs', 'format=1', `catalog=${catalog}`))
    const note = catalogNoteSchema.parse(JSON.parse(readFileSync(join(place, '_COMPLETE.json'), 'utf8')))
    expect(note).toMatchObject({ catalog, key: null, paths: true, emptySha256: sha256(Buffer.alloc(0)) })
    for (const { name, rows, bytes, sha256: digest } of parts) {
      const content = readFileSync(join(place, name))
      expect([name, content.length, sha256(content)]).toEqual([name, bytes, digest])
      expect(await parquetRows(place, name)).toHaveLength(rows)
    }
    const files = await rowsOf(place, 'files')
    const ways = await rowsOf(place, 'ways')
    expect(new Set(files.map(({ path, size, sha256: digest }) => `${path} ${size} ${digest}`))).toEqual(
      new Set(
        ['empty', 'letter.txt', 'photos/1.jpg', 'photos/2.jpg'].map((name) => {
          const content = readFileSync(at('holidays', name))
          return `${at('holidays', name)} ${content.length} ${sha256(content)}`
        }),
      ),
    )
    expect(files).toHaveLength(4)
    expect(ways).toEqual([{ way: 0, volume: 0 }])
    const safe = JSON.parse((await run('safe', at('holidays'), '--json')).stdout)
    const [volume] = await rowsOf(place, 'volumes')
    expect(volume).toMatchObject({ volume: 0, plan: safe.copies[0].planId, number: 1, label: 'HOLIDAYS_01' })
    const places = await rowsOf(place, 'places')
    const copies = await rowsOf(place, 'copies')
    expect(
      copies.map((copy) => ({
        copy: copy['number'],
        place: places.find((one) => one['place'] === copy['place'])?.['name'] ?? null,
        state: copy['state'],
        path: copy['path'],
        verifiedWallMs: Number(copy['verified_ms']) || null,
        verifyByWallMs: Number(copy['verify_by_ms']) || null,
      })),
    ).toEqual(
      safe.copies.map(({ copy, place: of, state, path, verifiedWallMs, verifyByWallMs }: typeof safe) => ({
        copy,
        place: of,
        state,
        path,
        verifiedWallMs: verifiedWallMs && Math.trunc(verifiedWallMs),
        verifyByWallMs,
      })),
    )
    expect(copies.map((copy) => [copy['found'], copy['checked_against'], copy['checked_files']])).toEqual([
      ['', '', -1n],
      ['there', 'plan', expect.any(BigInt)],
      ['there', 'plan', expect.any(BigInt)],
    ])
    const disks = await rowsOf(place, 'disks')
    const disksOf = (copy: number) => disks.filter((one) => one['copy'] === copy).map((one) => one['disk'])
    expect(disksOf(0)).toEqual([])
    expect(disksOf(1).length).toBeGreaterThan(0)
    expect(disksOf(1).filter((one) => disksOf(2).includes(one))).toEqual([])
    expect(await rowsOf(place, 'inside')).toEqual([])
  })

  it('leaves tables that pyarrow reads, without nulls', async (context) => {
    const missing = pyarrowMissing()
    if (missing !== null) context.skip(missing)
    await kept()
    const { folder: place, parts, catalog } = await exported()
    const read = await readByPyarrow(parts.map(({ name }) => join(place, name)))
    for (const { name, rows } of parts) {
      expect(read[join(place, name)]).toMatchObject({ rows, nulls: 0, isNullable: false })
      expect(read[join(place, name)]?.footer).toMatchObject({ format: 1, catalog, key: null })
    }
    expect(read[join(place, 'table=files/part-0.parquet')]?.types).toEqual(['int32', 'int64', 'string'])
  })

  it('has the digests that fingerprints of the same key have, and no path with --no-paths', async () => {
    const key = at('secret')
    writeFileSync(key, 'correct horse battery staple')
    await kept()
    const {
      folder: place,
      key: id,
      paths,
      emptySha256,
    } = await exported('--fingerprint-key', key, '--no-paths')
    const into = at('prints')
    await done(
      'survey',
      at('holidays'),
      '--quick',
      '--sha256',
      '--fingerprints',
      into,
      '--fingerprint-key',
      key,
    )
    const [survey = ''] = readdirSync(join(into, 'format=1'))
    const note = JSON.parse(readFileSync(join(into, 'format=1', survey, '_COMPLETE.json'), 'utf8'))
    expect([id, paths]).toEqual([note.key, false])
    const prints = await rowsOf(join(into, 'format=1', survey), 'files')
    const digests = prints.map((file) => file['sha256'] || emptySha256)
    const stored = await rowsOf(place, 'files')
    expect(new Set(stored.map((file) => file['sha256']))).toEqual(new Set(digests))
    const secret = createHmac('sha256', readFileSync(key)).update('stowage fingerprints sha256').digest()
    const nothing = createHash('sha256').digest()
    expect(emptySha256).toBe(createHmac('sha256', secret).update(nothing).digest('hex'))
    const texts = readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    expect(texts).toHaveLength(8)
    const names = /holidays|photos|letter|usb|\.iso|stowage-|\/tmp|\/dev|\/home/i
    for (const text of texts) expect(text).not.toMatch(names)
    expect(texts.join('')).not.toContain(disk)
  })

  it('says which copies were never verified, are lost, gone, or in the source itself', async () => {
    await kept()
    await done('write', at('plan'), '--to', at('holidays', 'copies'), '--copy', '3', '--place', 'attic')
    await done('catalog', 'lost', 'HOLIDAYS_01', '--copy', '1')
    rmSync(join(disk, 'HOLIDAYS_01.iso'))
    const { folder: place, totals } = await exported()
    expect(totals).toMatchObject({ copies: 4, goodCopies: 1 })
    const copies = await rowsOf(place, 'copies')
    expect(copies.map((copy) => [copy['number'], copy['state'], copy['found']])).toEqual([
      [0, 'unverified', ''],
      [1, 'lost', ''],
      [2, 'good', 'gone'],
      [3, 'good', 'there'],
    ])
    expect(Number(copies[1]?.['lost_ms'])).toBeGreaterThan(0)
    const surveys = JSON.parse(await done('catalog', 'list', '--json')).surveys
    expect(await rowsOf(place, 'inside')).toEqual([{ survey: surveys[0].id, copy: 3 }])
  })

  it('replaces an earlier export of the same catalog only with --force', async () => {
    await kept()
    const first = await exported()
    const again = await run('catalog', 'export', '--parquet', at('catalogs'))
    expect(again.stderr.trimEnd().split('\n').at(-1)).toBe(
      `stowage: ${first.folder} is already there (--force replaces it)`,
    )
    expect([again.code, again.stdout]).toEqual([2, ''])
    await done('catalog', 'lost', 'HOLIDAYS_01')
    const second = await exported('--force')
    expect([second.folder, second.totals.goodCopies]).toEqual([first.folder, 1])
    expect(readdirSync(at('catalogs'))).toEqual(['format=1'])
    expect(readdirSync(at('catalogs', 'format=1'))).toEqual([`catalog=${first.catalog}`])
  })

  it('refuses in one line what it cannot do, and leaves nothing', async () => {
    const short = at('short')
    writeFileSync(short, 'short')
    const into = ['--parquet', at('catalogs')]
    const refused = async (args: readonly string[], line: RegExp): Promise<void> => {
      const end = await run('catalog', 'export', ...args)
      const lines = end.stderr
        .trimEnd()
        .split('\n')
        .filter((one) => !/prove to anyone/.test(one))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(line)
      expect([end.code, end.stdout]).toEqual([2, ''])
      expect(existsSync(at('catalogs'))).toBe(false)
    }
    await refused([], /give a folder to export to: --parquet FOLDER/)
    await refused(into, /cannot export the catalog: it knows no copy of a volume/)
    await refused([...into, '--fingerprint-key', short], /a key file has 16 bytes to 64 KiB/)
    await refused([...into, 'more'], /catalog export/)
    await kept()
    await refused(['--parquet', short], /short.*: /)
    const prints = at('prints')
    await done('survey', at('holidays'), '--quick', '--fingerprints', prints)
    await refused(['--parquet', prints], /fingerprints are in it; catalogs need a folder of their own/)
  })

  it('leaves nothing where it is cancelled', async () => {
    await kept()
    let end: (outcome: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => {
      end = resolve
    })
    const engine = createEngine({
      dataDir: at('home'),
      emit: ((_: string, name: string, payload: { outcome?: string }) => {
        if (name === 'ended') end(payload.outcome ?? '')
      }) as Parameters<typeof createEngine>[0]['emit'],
    })
    const { jobId } = engine.exportCatalog({ folder: at('catalogs'), paths: true, force: false })
    await engine.handlers.job.cancel({ jobId })
    expect(await ended).toBe('cancelled')
    await engine.close()
    expect(existsSync(at('catalogs'))).toBe(false)
  })
})
