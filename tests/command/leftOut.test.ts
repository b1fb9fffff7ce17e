import {
  appendFileSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { fileSystems } from '../../src/engine/files/fileSystems'
import { safeSource } from '../../src/engine/sets/copies/safeSource'
import { systemClock } from '../../src/primitives/clock'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { folderOnOtherDisk } from '../support/otherDisk'
import { makeFolder } from '../support/smallSource'

let folder: ReturnType<typeof temporaryFolder>
let here: string
let away: string
let source: string
let bench: Bench
beforeEach(() => {
  folder = temporaryFolder('left-out')
  here = realpathSync(folder.path)
  away = folderOnOtherDisk()
  source = join(here, 'source')
  makeFolder(source, ['1', '2', '3'], 60_000)
  bench = openBench(join(here, 'home'))
})
afterEach(() => {
  bench.close()
  folder.dispose()
  rmSync(away, { recursive: true, force: true })
})

const plan = (): string => join(here, 'plan')

/** Builds a plan while one of its files is not as planned; then the source is as it was. */
async function builtWithout(name: string): Promise<PlanDocument> {
  const made = await bench.plan(await bench.survey([source], { sha256: true }), 'custom:10MB')
  await bench.export(made.id, plan())
  const at = join(source, name)
  const { mtime } = statSync(at)
  const content = readFileSync(at)
  appendFileSync(at, 'changed')
  const { run } = await bench.build(plan(), { changed: 'skip' })
  expect(run.volumes[0]?.skipped).toEqual([{ path: name, cause: 'changed' }])
  writeFileSync(at, content)
  utimesSync(at, mtime, mtime)
  return made
}

test('a file that was left out of a volume is on none of its copies', async () => {
  const { surveyId } = await builtWithout('2')
  for (const [to, copy, place] of [
    [join(here, 'usb'), 1, 'home'],
    [away, 2, 'bank'],
  ] as const)
    expect((await bench.write({ directory: plan(), folder: to, copy, place })).error).toBeNull()
  const now = { nowWallMs: systemClock.wallMs(), pause: async () => {}, looking: { fileSystems } }
  const request = { surveyId, copies: null, lookedAt: false, limit: 5 }
  const document = await safeSource(bench.catalog, request, now)
  expect(document.reasons).toMatchObject([{ code: 'few', paths: [join(source, '2')] }])
  expect(document.keptFiles).toBe(2)
})

test('a file that was left out is stored by the next plan, whether its folder or a volume is known', async () => {
  const first = await builtWithout('2')
  const surveyId = await bench.survey([source], { sha256: true })
  const names = (of: PlanDocument, catalog: Bench['catalog']): string[] =>
    [...catalog.planEntries(of.id, 1)].map(({ path }) => path)
  const next = await bench.plan(surveyId, 'custom:10MB', { addTo: first.id })
  expect(names(next, bench.catalog)).toEqual(['2'])
  const other = openBench(join(here, 'another home'))
  try {
    const again = await other.survey([source], { sha256: true })
    const byVolume = { addToFolder: join(plan(), 'images', '01.iso') }
    expect(names(await other.plan(again, 'custom:10MB', byVolume), other.catalog)).toEqual(['2'])
  } finally {
    other.close()
  }
})

test('a plan adds to one whose list was changed only with a refusal, and lists each generation once', async () => {
  const made = await bench.plan(await bench.survey([source], { sha256: true }), 'custom:10MB')
  await bench.export(made.id, plan())
  expect((await bench.build(plan())).error).toBeNull()
  let last = { id: made.id, at: plan() }
  for (const number of [2, 3]) {
    writeFileSync(join(source, `new ${number}`), `of generation ${number}`)
    const surveyId = await bench.survey([source], { sha256: true })
    const next = await bench.plan(surveyId, 'custom:10MB', { addTo: last.id })
    last = { id: next.id, at: join(here, `plan ${number}`) }
    await bench.export(next.id, last.at)
    expect((await bench.build(last.at)).error).toBeNull()
  }
  const index = readFileSync(join(last.at, 'index.tsv'), 'utf8')
  const generations = index.split('\n').filter((line) => /^# generation\t\d/.test(line))
  expect(generations.map((line) => line.split('\t')[1])).toEqual(['1', '2', '3'])
  writeFileSync(join(last.at, 'index.tsv'), `${index}\n`)
  writeFileSync(join(source, 'more'), 'more')
  const surveyId = await bench.survey([source], { sha256: true })
  await expect(bench.plan(surveyId, 'custom:10MB', { addTo: last.id })).rejects.toThrow(
    'it differs from the exported plan',
  )
})
