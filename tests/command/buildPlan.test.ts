import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { boundByPermissions } from '../support/boundByPermissions'

let folder: ReturnType<typeof temporaryFolder>
let source: string
let bench: Bench
const path = process.env['PATH']
const random = seededRandom(17)

beforeEach(() => {
  folder = temporaryFolder('planning')
  source = join(folder.path, 'source')
  mkdirSync(source)
  bench = openBench(join(folder.path, 'data'))
})
afterEach(() => {
  process.env['PATH'] = path
  bench.close()
  folder.dispose()
})

function write(name: string, bytes: number): void {
  const content = new Uint8Array(bytes)
  random.fillBytes(content)
  mkdirSync(join(source, name, '..'), { recursive: true })
  writeFileSync(join(source, name), content)
}
const entriesOf = (plan: PlanDocument, index: number): PlanEntry[] => [
  ...bench.catalog.planEntries(plan.id, index),
]
const sha256 = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(source, name)))
    .digest('hex')

describe('a plan', () => {
  test('has the digest of every file, whether the survey took it or not', async () => {
    write('a', 5000)
    write('folder/b', 0)
    for (const taken of [true, false]) {
      const plan = await bench.plan(await bench.survey([source], { sha256: taken }), 'cd-700')
      const digests = entriesOf(plan, 1).flatMap((entry) =>
        entry.kind === 'file' ? [[entry.path, entry.sha256]] : [],
      )
      expect(digests).toEqual([
        ['a', sha256('a')],
        ['folder/b', sha256('folder/b')],
      ])
    }
  })

  test('puts the contents of one folder at the top, and several sources under their names', async () => {
    write('inside/a', 1)
    const other = join(folder.path, 'other', 'source')
    mkdirSync(other, { recursive: true })
    writeFileSync(join(other, 'b'), 'b')
    writeFileSync(join(folder.path, 'c.txt'), 'c')
    const roots = [source, other, join(folder.path, 'c.txt')]
    const plan = await bench.plan(await bench.survey(roots), 'cd-700')
    expect(entriesOf(plan, 1).map((entry) => entry.path)).toEqual([
      'c.txt',
      'source',
      'source/inside',
      'source/inside/a',
      'source (2)',
      'source (2)/b',
    ])
    const exported = join(folder.path, 'plan')
    await bench.export(plan.id, exported)
    expect((await bench.build(exported)).error).toBeNull()
    expect((await bench.verify(exported)).error).toBeNull()
  })

  test('stores further names of a file without its bytes', async () => {
    write('a', 500_000)
    const alone = await bench.plan(await bench.survey([source]), 'cd-700')
    for (const name of ['b', 'c', 'd']) linkSync(join(source, 'a'), join(source, name))
    const linked = await bench.plan(await bench.survey([source]), 'cd-700')
    expect(linked.totals).toMatchObject({ files: 4, bytes: 500_000 })
    expect((linked.volumes[0]?.sectors ?? 0) - (alone.volumes[0]?.sectors ?? 0)).toBeLessThan(5)
    const exported = join(folder.path, 'plan')
    await bench.export(linked.id, exported)
    const built = await bench.build(exported)
    expect(built.run.volumes[0]?.actualSectors).toBe(linked.volumes[0]?.sectors)
    expect((await bench.verify(exported)).error).toBeNull()
  })

  test('is packed again until the tool says that every volume fits, to the sector', async () => {
    // Long names in one deep folder: their share of the checksum lists is far above the average.
    const deep = Array.from({ length: 10 }, (_, level) => `${'d'.repeat(200)}${level}`).join('/')
    for (let index = 0; index < 150; index++) write(`${deep}/${'n'.repeat(150)}${index}`, 1500)
    for (let index = 0; index < 1500; index++) write(`f${index}`, 1500)
    const plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
    const exported = join(folder.path, 'plan')
    await bench.export(plan.id, exported)
    const { run, error } = await bench.build(exported)
    expect(error).toBeNull()
    for (const volume of run.volumes) {
      expect(volume.actualSectors).toBe(volume.forecastSectors)
      expect(volume.actualSectors).toBeLessThanOrEqual(Math.floor(3_000_000 / 2048))
    }
    expect((await bench.verify(exported)).error).toBeNull()
  })

  test('leaves nothing in the temporary folder', async () => {
    write('a', 10)
    // Its own: other processes plan on this machine too.
    const own = join(folder.path, 'temporary')
    mkdirSync(own)
    vi.stubEnv('TMPDIR', own)
    try {
      await bench.plan(await bench.survey([source]), 'cd-700')
      expect(readdirSync(own)).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('reports files that the survey could not read, but no pipes', async () => {
    write('a', 10)
    write('closed', 10)
    execFileSync('mkfifo', [join(source, 'pipe')])
    chmodSync(join(source, 'closed'), 0o000)
    chmodSync(source, 0o755)
    chmodSync(dirname(source), 0o755)
    const survey = await boundByPermissions(() => bench.survey([source]))
    const plan = await bench.plan(survey, 'cd-700')
    expect(plan.totals.files).toBe(1)
    expect(plan.problems).toEqual([
      {
        code: 'survey-skips',
        message: '1 path could not be read and is on no volume',
        blocking: false,
      },
    ])
  })
})

describe('planning is refused in one line', () => {
  test('when a file changed since the survey', async () => {
    write('a', 10)
    const surveyId = await bench.survey([source])
    appendFileSync(join(source, 'a'), 'more')
    await expect(bench.plan(surveyId, 'cd-700')).rejects.toMatchObject({
      code: 'changed',
      message: `cannot plan ${source}/a: it changed after the survey; survey it again`,
    })
    expect(bench.catalog.plans()).toEqual([])
  })

  test('when a file has another time since the survey, though its size stayed', async () => {
    write('a', 10)
    const surveyId = await bench.survey([source], { sha256: true })
    utimesSync(join(source, 'a'), 1, 1)
    await expect(bench.plan(surveyId, 'cd-700')).rejects.toMatchObject({ code: 'changed' })
  })

  test('when a file vanished', async () => {
    write('a', 10)
    const surveyId = await bench.survey([source])
    rmSync(join(source, 'a'))
    await expect(bench.plan(surveyId, 'cd-700')).rejects.toMatchObject({
      code: 'vanished',
      message: `cannot plan ${source}/a: it was removed after the survey`,
    })
  })

  test('when there is nothing to plan', async () => {
    await expect(bench.plan(await bench.survey([source]), 'cd-700')).rejects.toMatchObject({
      code: 'nothing-to-do',
    })
  })

  test('when a volume is too small for anything', async () => {
    write('a', 10)
    await expect(bench.plan(await bench.survey([source]), 'custom:100kB')).rejects.toMatchObject({
      code: 'cannot-fit',
    })
    expect(exitCodeOf('cannot-fit')).toBe(4)
  })

  test('not for want of any other program', async () => {
    write('a', 10)
    const surveyId = await bench.survey([source])
    process.env['PATH'] = '/no/such/folder'
    expect((await bench.plan(surveyId, 'cd-700')).volumes).toHaveLength(1)
    expect((await bench.plan(surveyId, 'folder:10MB')).volumes).toHaveLength(1)
  })

  test('when it is cancelled while volumes are sized', async () => {
    for (let index = 0; index < 20; index++) write(`f${index}`, 500_000)
    const surveyId = await bench.survey([source])
    const abort = new AbortController()
    const job = planJob({ catalog: bench.catalog }, { surveyId, mediumId: 'custom:3MB' })
    const onProgress = ({ phase, filesDone }: { phase: { name: string }; filesDone: number }): void => {
      if (phase.name === 'sizing' && filesDone === 1) abort.abort()
    }
    await expect(runJob(job, { signal: abort.signal, onProgress })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(bench.catalog.plans()).toEqual([])
  })
})

describe('a split file', () => {
  test('is proved as a whole over its volumes, and a wrong whole is noticed', async () => {
    write('big', 6_000_000)
    const plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
    const exported = join(folder.path, 'plan')
    await bench.export(plan.id, exported)
    await bench.build(exported)
    expect((await bench.verify(exported)).error).toBeNull()
    // As older versions exported it: without digests, by which a changed list would be refused before.
    const document = join(exported, 'plan.json')
    const { lists, ...unbound } = JSON.parse(readFileSync(document, 'utf8')) as PlanDocument
    expect(lists?.length).toBeGreaterThan(0)
    writeFileSync(document, JSON.stringify(unbound))
    for (const { index } of plan.volumes) {
      const list = join(exported, `volumes/0${index}/entries.jsonl`)
      writeFileSync(list, readFileSync(list, 'utf8').replaceAll(sha256('big'), 'f'.repeat(64)))
    }
    const { error } = await bench.verify(exported)
    expect(error).toMatchObject({
      code: 'verification-failed',
      message:
        'verification of the rejoined file failed: big: its parts joined differ from the whole (SHA-256)',
    })
    // Without all parts there is nothing to join.
    expect((await bench.verify(exported, { volumes: [1] })).error).toBeNull()
    expect(existsSync(join(exported, 'images'))).toBe(true)
  })
})
