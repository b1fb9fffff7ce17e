import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PlanDocument, planDocumentSchema, planEntrySchema } from '../../src/contract/dto/plan'
import { INDEX_COLUMNS } from '../../src/engine/sets/volume/lists/indexColumns'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('export')
const source = join(folder.path, 'source')
const exported = join(folder.path, 'exports', 'plan')
let bench: Bench
let surveyId: string
let plan: PlanDocument
const read = (name: string): string => readFileSync(join(exported, name), 'utf8')

beforeAll(async () => {
  makeHostileTree(source, { seed: 5, bigBytes: 4_000_000 })
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source])
  plan = await bench.plan(surveyId, 'custom:3MB', { labelPrefix: 'MY_ARCHIVE' })
  await bench.export(plan.id, exported)
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

describe('an exported plan', () => {
  test('contains the plan, its schema, index, report, instructions and scripts, and leaves no partial folder', () => {
    expect(readdirSync(exported).toSorted()).toEqual(
      [
        ['README.txt', 'burn-growisofs.sh', 'burn-windows.cmd', 'burn-xorriso.sh'],
        ['index.tsv', 'plan.json', 'plan.schema.json', 'report.html', 'volumes'],
      ]
        .flat()
        .toSorted(),
    )
    expect(readdirSync(join(folder.path, 'exports'))).toEqual(['plan'])
    const { lists, ...document } = planDocumentSchema.parse(JSON.parse(read('plan.json')))
    expect(document).toEqual(plan)
    expect(lists?.map(({ path }) => path)).toContain('volumes/01/entries.jsonl')
    expect(JSON.parse(read('plan.schema.json'))).toMatchObject({
      type: 'object',
      properties: { schema: { enum: ['stowage.plan/1', 'stowage.plan/2'] } },
    })
    expect(plan.volumes.map(({ label }) => label)).toEqual(
      plan.volumes.map(({ index }) => `MY_ARCHIVE_0${index}`),
    )
  })

  test('lists the entries of every volume as the catalog has them', () => {
    for (const { index } of plan.volumes) {
      const lines = read(`volumes/0${index}/entries.jsonl`).trimEnd().split('\n')
      const entries = lines.map((line) => planEntrySchema.parse(JSON.parse(line)))
      expect(entries).toEqual([...bench.catalog.planEntries(plan.id, index)])
    }
  })

  test('has an index with one line per entry of all volumes, the same on every volume', () => {
    const lines = read('index.tsv').split('\n')
    expect(lines.slice(0, 2).every((line) => line.startsWith('# '))).toBe(true)
    expect(lines[2]).toBe('# version\t2')
    expect(lines[3]).toBe(INDEX_COLUMNS.join('\t'))
    const entries = plan.volumes.flatMap(({ index }) => [...bench.catalog.planEntries(plan.id, index)])
    const body = lines.slice(4, -1)
    expect(body).toHaveLength(entries.length)
    expect(body.every((line) => line.split('\t').length === INDEX_COLUMNS.length)).toBe(true)
    expect(body.filter((line) => line.split('\t')[5] === 'new\\nline')).toHaveLength(1)
    expect(body.filter((line) => line.split('\t')[5] === '\\xff\\xfe')).toHaveLength(1)
    for (const { index } of plan.volumes) {
      expect(read(`volumes/0${index}/payload/STOWAGE-1/INDEX.tsv`)).toBe(read('index.tsv'))
    }
  })

  test('counts what Stowage adds to a volume against its capacity', () => {
    for (const { index, reserveBytes } of plan.volumes) {
      const payload = join(exported, `volumes/0${index}/payload/STOWAGE-1`)
      const bytes = readdirSync(payload).reduce((sum, name) => sum + statSync(join(payload, name)).size, 0)
      expect(reserveBytes).toBe(bytes)
    }
  })

  test('has a report that needs nothing else and runs nothing', () => {
    const html = read('report.html')
    expect(html).not.toMatch(/<script|src=|href=|url\(/i)
    for (const { label } of plan.volumes) expect(html).toContain(label)
    expect(html).not.toContain('\u202e')
  })

  test('is not written over without force', async () => {
    await expect(bench.export(plan.id, exported)).rejects.toMatchObject({
      code: 'exists',
      message: `cannot export to ${exported}: the folder is not empty (--force replaces the plan in it)`,
    })
  })

  test('is not written over a folder that holds something else, even by force', async () => {
    const other = join(folder.path, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'mine'), 'precious')
    await expect(bench.export(plan.id, other, true)).rejects.toMatchObject({ code: 'refused' })
    expect(readFileSync(join(other, 'mine'), 'utf8')).toBe('precious')
  })

  test('goes into an empty folder that is there already', async () => {
    const empty = join(folder.path, 'empty')
    mkdirSync(empty)
    await bench.export(plan.id, empty)
    expect(readdirSync(empty)).toContain('plan.json')
    expect(bench.catalog.plans().find(({ id }) => id === plan.id)?.directory).toBe(empty)
  })

  test('names no volume or device by default when burning', () => {
    for (const script of ['burn-xorriso.sh', 'burn-growisofs.sh']) {
      expect(() => execFileSync('sh', [join(exported, script)], { stdio: 'pipe' })).toThrow(/usage: sh burn-/)
    }
  })

  test('has scripts that burn images, and none that makes them', () => {
    const scripts = readdirSync(exported).filter((name) => /\.(sh|cmd)$/.test(name))
    expect(scripts.toSorted()).toEqual(['burn-growisofs.sh', 'burn-windows.cmd', 'burn-xorriso.sh'])
  })
})

describe('a plan of folders', () => {
  test('is built by copying, verified by reading every file, and fails on a changed byte', async () => {
    const folders = await bench.plan(surveyId, 'folder:3MB')
    const target = join(folder.path, 'folders')
    await bench.export(folders.id, target)
    const built = await bench.build(target)
    expect(built.error).toBeNull()
    expect(readdirSync(join(target, 'folders'))).toEqual(folders.volumes.map(({ index }) => `0${index}`))
    const verified = await bench.verify(target)
    expect(verified.run.volumes.flatMap(({ errors }) => errors)).toEqual([])
    expect(verified.error).toBeNull()
    const wanted = [...bench.catalog.planEntries(folders.id, 1)].find(({ kind }) => kind === 'part')
    const victim = join(target, 'folders', '01', wanted?.path ?? '')
    const content = readFileSync(victim)
    const { atime, mtime } = statSync(victim)
    content[5] = (content[5] ?? 0) ^ 1
    writeFileSync(victim, content)
    // A disk's fault changes no time. Someone's change does, and then building by force would leave the file alone.
    utimesSync(victim, atime, mtime)
    const again = await bench.verify(target)
    expect(again.error?.code).toBe('verification-failed')
    expect(again.error?.message).toContain(`${wanted?.path}: its content differs`)
    expect((await bench.build(target)).run.volumes.every(({ state }) => state === 'kept')).toBe(true)
    await bench.build(target, { force: true })
    expect((await bench.verify(target)).error).toBeNull()
    for (const { index, sectors, capacitySectors } of folders.volumes) {
      expect(sectors, `volume ${index}`).toBeLessThanOrEqual(capacitySectors)
    }
    execFileSync('sha256sum', ['--quiet', '--strict', '-c', 'STOWAGE-1/SHA256SUMS'], {
      cwd: join(target, 'folders', '01'),
      stdio: 'pipe',
    })
  })

  describe('that is built again by force', () => {
    const target = join(folder.path, 'forced')
    let planId = ''
    const volume = (number: number, ...names: string[]): string =>
      join(target, 'folders', `0${number}`, ...names)
    beforeAll(async () => {
      planId = (await bench.plan(surveyId, 'folder:3MB')).id
      await bench.export(planId, target)
      expect((await bench.build(target)).error).toBeNull()
    })

    test.each([
      ['at the top', 'folders/02/letter.txt'],
      ['in a folder of the source', 'folders/02/empty folder/letter.txt'],
      ["in Stowage's own folder", 'folders/02/STOWAGE-1/letter.txt'],
    ])('keeps a foreign file %s, refuses, and changes nothing', async (_, path) => {
      const mine = join(target, path)
      mkdirSync(dirname(mine), { recursive: true })
      writeFileSync(mine, 'mine')
      const first = statSync(volume(1)).ino
      try {
        await expect(bench.build(target, { force: true })).rejects.toMatchObject({
          code: 'refused',
          message: expect.stringMatching(
            /^cannot build .*: move folders\/02\/.* away first, as Stowage did not make it for this plan$/,
          ),
        })
        expect(readFileSync(mine, 'utf8')).toBe('mine')
        expect(statSync(volume(1)).ino).toBe(first)
      } finally {
        rmSync(mine)
      }
    })

    test('keeps a file of the person that took the place of a copied one', async () => {
      const index = wholeFile().volume
      const file = volume(index, wholeFile().path)
      writeFileSync(file, 'edited by hand')
      await expect(bench.build(target, { volumes: [index], force: true })).rejects.toMatchObject({
        code: 'refused',
        path: file,
      })
      expect(readFileSync(file, 'utf8')).toBe('edited by hand')
      rmSync(volume(index), { recursive: true })
      expect((await bench.build(target)).error).toBeNull()
    })

    test('keeps a file that comes while the volume is copied', async () => {
      let written = false
      const { run, error } = await bench.build(target, {
        volumes: [1],
        force: true,
        onProgress: ({ bytesDone }) => {
          if (written || bytesDone === 0) return
          written = true
          writeFileSync(volume(1, 'late.txt'), 'mine')
        },
      })
      expect(written).toBe(true)
      expect(error).toMatchObject({ code: 'refused', path: volume(1, 'late.txt') })
      expect(run.volumes.map(({ state }) => state)).toEqual(['failed'])
      expect(readFileSync(volume(1, 'late.txt'), 'utf8')).toBe('mine')
      expect(readdirSync(join(target, 'folders')).filter((name) => name.includes('partial'))).toEqual([])
      rmSync(volume(1, 'late.txt'))
    })

    test('repairs a volume in which a file is missing and another has changed bytes', async () => {
      rmSync(volume(wholeFile().volume, wholeFile().path))
      const part = [...bench.catalog.planEntries(planId, 1)].find(({ kind }) => kind === 'part')
      const damaged = volume(1, part?.path ?? '')
      const { atime, mtime } = statSync(damaged)
      const content = readFileSync(damaged)
      content[7] = (content[7] ?? 0) ^ 1
      writeFileSync(damaged, content)
      utimesSync(damaged, atime, mtime)
      expect((await bench.build(target, { force: true })).error).toBeNull()
      expect((await bench.verify(target)).error).toBeNull()
    })

    function wholeFile(): { readonly volume: number; readonly path: string } {
      for (const { index } of bench.catalog.plan(planId).volumes) {
        for (const { kind, path } of bench.catalog.planEntries(planId, index))
          if (kind === 'file') return { volume: index, path }
      }
      throw new Error('no whole file on any volume')
    }
  })
})
