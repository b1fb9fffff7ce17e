import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { doctorDocumentSchema } from '../../src/contract/dto/doctor'
import { duckdbVersion } from '../../src/engine/fleet/duckdbPlace'
import { stowage } from '../fixtures/stowageCommand'

let folder: string
let homes = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-doctor-command-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A data folder of its own, and the command in it. */
function newHome(env?: Readonly<Record<string, string>>) {
  const home = join(folder, `home ${++homes}`)
  mkdirSync(home)
  return { home, run: (...args: string[]) => stowage(args, { home, ...(env && { env }) }) }
}

/** The document of `stowage doctor --json`, and the exit code. */
async function report(run: ReturnType<typeof newHome>['run']) {
  const { code, stdout } = await run('doctor', '--json')
  return { code, stdout, document: doctorDocumentSchema.parse(JSON.parse(stdout)) }
}

it('is well in a new installation, and makes nothing there', async () => {
  const { home, run } = newHome()
  const { document } = await report(run)
  const bad = document.checks.filter(({ state, name }) => state === 'problem' && name !== 'optical drives')
  expect(bad).toEqual([])
  expect(document.catalog.bytes).toBeNull()
  expect(document.processor.form).toMatch(/^(?:portable|neon|avx2|avx512)$/)
  expect(existsSync(join(home, 'catalog.db'))).toBe(false)
})

it('prints the same on paper: conclusion first, exit code by the worst state', async () => {
  const { run } = newHome()
  const { code, stdout } = await run('doctor')
  const { document, code: again } = await report(run)
  expect(code).toBe(again)
  expect(code).toBe({ ok: 0, warning: 3, problem: 6 }[document.state])
  expect(stdout.split('\n')[0]).toMatch(/checks\b/)
  for (const { name, found } of document.checks)
    if (!found.includes('free')) expect(stdout).toContain(`${name}: ${found}`)
})

it('names a damaged catalog, what to do, and leaves it as it is', async () => {
  const { home, run } = newHome()
  writeFileSync(join(home, 'catalog.db'), 'no database at all, but longer than the head of one. '.repeat(40))
  const before = readFileSync(join(home, 'catalog.db'))
  const { code, document } = await report(run)
  expect(code).toBe(6)
  expect(document.checks.find(({ name }) => name === 'catalog')).toMatchObject({
    state: 'problem',
    cure: expect.stringContaining('catalog.db'),
  })
  expect(readFileSync(join(home, 'catalog.db'))).toEqual(before)
})

it('names a catalog of a newer version', async () => {
  const { home, run } = newHome()
  expect((await run('catalog', 'list')).code).toBe(0)
  const database = new Database(join(home, 'catalog.db'))
  database.pragma('user_version = 9999')
  database.close()
  const { code, document } = await report(run)
  expect(code).toBe(6)
  expect(document.catalog).toMatchObject({ version: 9999 })
  expect(document.checks.find(({ name }) => name === 'catalog')?.found).toContain('a newer Stowage')
})

it('warns of unfinished results of killed processes', async () => {
  const { home, run } = newHome()
  expect((await run('catalog', 'list')).code).toBe(0)
  const database = new Database(join(home, 'catalog.db'))
  database
    .prepare('INSERT INTO noted_places (kind, path, owner) VALUES (?, ?, ?)')
    .run('scratch', Buffer.from('/nowhere'), 'no process')
  database.close()
  const { code, document } = await report(run)
  expect(document.checks.find(({ name }) => name === 'interrupted work')).toMatchObject({
    state: 'warning',
    found: '1 unfinished result of processes that were killed',
  })
  expect(code).toBe(3)
})

it('warns of faults in the settings file and lists what differs from the defaults', async () => {
  const { home, run } = newHome()
  writeFileSync(join(home, 'settings.yaml'), 'units: binary\ntheme: purple\nexclude: ["/Anas diary"]\n')
  const { document, stdout } = await report(run)
  expect(document.settings).toEqual([
    { key: 'units', value: 'binary' },
    { key: 'exclude', value: '1 of the person’s own' },
  ])
  expect(document.checks.find(({ name }) => name === 'settings')).toMatchObject({ state: 'warning' })
  expect(stdout).not.toContain('diary')
})

it('gives the last failures of the log without names of the person', async () => {
  const { home, run } = newHome()
  writeFileSync(
    join(home, 'stowage.log'),
    [
      '2026-02-01T10:00:00.000Z Stowage 0.1.0 on Electron 41, linux',
      `2026-02-01T10:00:01.000Z permission-denied: cannot read /home/${userInfo().username}/Wedding/IMG 1.jpg: permission denied`,
      '2026-02-01T10:00:02.000Z internal: no such set "Ana and Ben"',
      '    at /home/ana/Stowage/dist/main.js:1:2',
      '',
    ].join('\n'),
  )
  const { document, stdout } = await report(run)
  expect(document.failures).toEqual([
    '2026-02-01T10:00:01.000Z permission-denied: cannot read <path>: permission denied',
    '2026-02-01T10:00:02.000Z internal: no such set <name>',
  ])
  for (const name of ['Wedding', 'IMG', 'Ana and Ben', home, `/${userInfo().username}/`])
    expect(stdout).not.toContain(name)
  if (hostname().length > 3) expect(stdout).not.toContain(hostname())
})

/** A folder that has the file by which an installed DuckDB is found. */
function withDuckdb(place: string, text = '{"version":"1.2.3"}'): string {
  const inside = join(place, 'node_modules/@duckdb/node-api')
  mkdirSync(inside, { recursive: true })
  writeFileSync(join(inside, 'package.json'), text)
  return place
}

const duckdbCheck = ({ checks }: Awaited<ReturnType<typeof report>>['document']) =>
  checks.find(({ name }) => name === 'DuckDB')

it('is well without DuckDB, and says how it is installed', async () => {
  const { document } = await report(newHome().run)
  expect(document.duckdb).toBeNull()
  expect(duckdbCheck(document)).toEqual({
    name: 'DuckDB',
    state: 'ok',
    found: 'not installed; stowage fleet asks to install it with npm (75.0 MB)',
    cure: null,
  })
})

it('reports the version of DuckDB and where it was found, without the name of the folder', async () => {
  const own = newHome()
  withDuckdb(join(own.home, `fleet/duckdb-${duckdbVersion()}`))
  const installed = await report(own.run)
  expect(installed.document.duckdb).toBe('1.2.3')
  expect(duckdbCheck(installed.document)).toMatchObject({ state: 'ok', found: '1.2.3, in the data folder' })
  const named = await report(newHome({ STOWAGE_DUCKDB: withDuckdb(join(folder, 'Anas tools')) }).run)
  expect(named.document.duckdb).toBe('1.2.3')
  expect(duckdbCheck(named.document)).toMatchObject({
    state: 'ok',
    found: '1.2.3, in the folder that STOWAGE_DUCKDB names',
  })
  expect(named.stdout).not.toContain('Anas')
})

it('warns where STOWAGE_DUCKDB names a folder without DuckDB, or the installed one is damaged', async () => {
  const own = newHome()
  withDuckdb(join(own.home, `fleet/duckdb-${duckdbVersion()}`), 'not JSON')
  expect(duckdbCheck((await report(own.run)).document)).toMatchObject({
    state: 'warning',
    found: 'cannot be read',
  })
  const { code, document, stdout } = await report(newHome({ STOWAGE_DUCKDB: join(folder, 'Anas') }).run)
  expect(document.duckdb).toBeNull()
  expect(duckdbCheck(document)).toMatchObject({
    state: 'warning',
    found: 'not in the folder that STOWAGE_DUCKDB names',
    cure: expect.stringContaining('Correct the variable'),
  })
  expect([code, stdout.includes('Anas')]).toEqual([3, false])
})
