import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { differencesOf } from '../bench/chain/comparedTrees'
import { makeOwnedTree } from '../fixtures/ownedTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { runRestore } from '../support/restoreRun'
import { runScript, type Shell } from '../support/volumeFolders'

const folder = temporaryFolder('ownership')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
/** The 7-Zip that comes with Stowage, for the scripts. */
const programs = join(folder.path, 'programs')
let lacking: string | null
let bench: Bench
let surveyId: string

beforeAll(async () => {
  lacking = makeOwnedTree(source)
  mkdirSync(programs)
  symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source], { sha256: true, samples: 'fast' })
}, 60_000)
beforeEach((context) => {
  rmSync(to, { recursive: true, force: true })
  if (lacking !== null) context.skip(lacking)
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

function restoredBy(shell: Shell, volume: string): string {
  const { status, output, errors } = runScript(shell, join(volume, 'STOWAGE', 'RESTORE.sh'), {
    words: ['--trust', to],
  })
  expect([status, errors]).toEqual([0, ''])
  return output
}

const sets = new Map<string, Promise<{ plan: PlanDocument; directory: string; volume: string }>>()

/** The set of a recipe, planned, exported and built as one folder, when it is first asked for. */
function setOf(recipe: string): Promise<{ plan: PlanDocument; directory: string; volume: string }> {
  const known = sets.get(recipe) ?? makeSet(recipe)
  sets.set(recipe, known)
  return known
}

async function makeSet(recipe: string) {
  const directory = join(folder.path, recipe)
  const plan = await bench.plan(surveyId, 'folder:20MB', recipe === 'plain' ? {} : { recipe })
  await bench.export(plan.id, directory)
  expect((await bench.build(directory)).error).toBeNull()
  return { plan, directory, volume: join(directory, 'folders', '01') }
}

describe.each(['plain', 'tar-zst-19-1m-path'])('a set stored as %s', keepsOwnership)
describe.each(['7z-solid-1m-path', 'squashfs-gzip-128k'])(
  'a set stored as %s',
  { tags: 'long' },
  keepsOwnership,
)

function keepsOwnership(recipe: string): void {
  test('restores owners, extended attributes and access control lists', async () => {
    const { directory } = await setOf(recipe)
    const { document, error } = await runRestore({ volumes: [directory], to, trust: true })
    expect(error).toBeNull()
    expect(document).toMatchObject({ outcome: 'done', ownersLeft: 0, notPutBack: [] })
    expect(differencesOf(source, to)).toEqual([])
    const again = await runRestore({ volumes: [directory], to, trust: true })
    expect(again.document).toMatchObject({ restored: 0, notPutBack: [] })
    expect(differencesOf(source, to)).toEqual([])
  })

  test('restores them without Stowage', async () => {
    const { volume } = await setOf(recipe)
    expect(restoredBy({ command: ['sh'], path: `${programs}:${process.env['PATH']}` }, volume)).toMatch(
      /\d+ of \d+ files are right/,
    )
    expect(differencesOf(source, to)).toEqual([])
  })

  test('names the attribute that is not kept before the plan is accepted', async (context) => {
    const { plan } = await setOf(recipe)
    if (process.getuid?.() !== 0) context.skip('only root can set attributes of the system')
    expect(plan.problems).toEqual([
      expect.objectContaining({ code: 'attributes-left-out', path: join(source, 'none'), blocking: false }),
    ])
    expect(plan.problems[0]?.message).toContain('trusted.note')
  })
}

test('without setfattr the script restores the rest and names what it leaves out', async () => {
  const { volume } = await setOf('plain')
  const few = join(folder.path, 'few programs')
  mkdirSync(few)
  const names = ['/usr/bin', '/bin'].flatMap((place) =>
    readdirSync(place).map((name) => [name, join(place, name)] as const),
  )
  for (const [name, path] of new Map(names)) if (name !== 'setfattr') symlinkSync(path, join(few, name))
  const shell: Shell = { command: ['sh'], path: few }
  const output = restoredBy(shell, volume)
  expect(output).toContain(
    `not put back, as setfattr is missing: the extended attribute user.note of ${to}/read-only`,
  )
  const differences = differencesOf(source, to)
  expect(differences.length).toBeGreaterThan(0)
  expect(differences.filter((line) => !line.includes('attributes'))).toEqual([])
})

test('an attribute that the target refuses is listed, and the file is restored', async () => {
  const volume = join(folder.path, 'spoilt')
  mkdirSync(join(volume, 'STOWAGE'), { recursive: true })
  const { volume: from } = await setOf('plain')
  writeFileSync(join(volume, 'STOWAGE/README.txt'), readFileSync(join(from, 'STOWAGE/README.txt')))
  writeFileSync(join(volume, 'read-only'), readFileSync(join(from, 'read-only')))
  const index = Buffer.from(
    readFileSync(join(from, 'STOWAGE', 'INDEX.tsv'), 'latin1').replaceAll('user.note=', 'nowhere.note='),
    'latin1',
  )
  writeFileSync(join(volume, 'STOWAGE/INDEX.tsv'), index)
  writeFileSync(join(volume, 'STOWAGE/SHA256SUMS'), sha256Line(hash('sha256', index), 'STOWAGE/INDEX.tsv'))
  const { document, error } = await runRestore({ volumes: [volume], to, files: ['read-only'] })
  expect(error).toBeNull()
  expect(document).toMatchObject({
    outcome: 'done',
    restored: 1,
    notPutBack: [{ path: 'read-only', fact: 'nowhere.note' }],
  })
  expect(document.notPutBack[0]?.error.message).toBe(
    'cannot set the extended attribute nowhere.note of read-only: the target does not keep it',
  )
  expect(readFileSync(join(to, 'read-only'), 'utf8')).toBe('the content of read-only')
})
