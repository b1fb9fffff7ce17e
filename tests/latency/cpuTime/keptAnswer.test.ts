import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { PlanEntry } from '../../../src/contract/dto/plan'
import type { NewEntry } from '../../../src/engine/catalog/entry'
import { openCatalog } from '../../../src/engine/catalog/openCatalog'
import { createEngine, type Engine } from '../../../src/engine/engine'
import { planDocument, runDocument } from '../../support/catalogPlan'
import { EMPTY_DOCUMENT, fileEntry } from '../../support/catalogSurvey'
import { RunningPace } from '../../support/runningPace'

const FILES = 200_000
/** A wait that nobody notices, on the processor of `RunningPace`. */
const MOST_MS = 50
const PACE_SAMPLES = 20

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'stowage-kept-'))
  const catalog = openCatalog(directory)
  for (const hasDigests of [true, false]) {
    const id = hasDigests ? 's-digests' : 's-times'
    const writer = catalog.beginSurvey(id)
    writer.add(surveyed(hasDigests))
    writer.finish({ ...EMPTY_DOCUMENT, id, roots: ['/r'] })
  }
  catalog.savePlan(planDocument('p-1', 's-digests', 1), [{ index: 1, entries: [...planned()] }])
  catalog.planExported('p-1', directory)
  catalog.saveRun(runDocument('v-1', 'p-1', 'verify', 100, ['done']))
  catalog.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Two copies of one folder with 25,000 files, and 7,500 folders with 20 files each. */
function pathOf(file: number): string {
  const album = Math.floor(file / 20)
  return file < 50_000
    ? `flat/${file % 2}/${Math.floor(file / 2)}.jpg`
    : `album ${album % 97}/day ${album}/file ${file}.jpg`
}

function contentOf(file: number): number {
  return file < 50_000 ? Math.floor(file / 2) : file
}

function sha256Of(content: number): Buffer {
  return createHash('sha256').update(`${content}`).digest()
}

function* surveyed(hasDigests: boolean): Iterable<NewEntry> {
  for (let file = 0; file < FILES; file++) {
    const content = contentOf(file)
    const entry = fileEntry(file, pathOf(file), content, 1000 + content)
    yield { ...entry, sha256: hasDigests ? sha256Of(content) : null, mtimeNs: BigInt(content) }
  }
}

function* planned(): Iterable<PlanEntry> {
  for (let file = 0; file < FILES; file++) {
    const content = contentOf(file)
    const path = pathOf(file)
    const facts = { bytes: 1000 + content, sha256: sha256Of(content).toString('hex'), mtimeNs: `${content}` }
    yield { kind: 'file', path, source: `/r/${path}`, ...facts }
  }
}

function opened(): Engine {
  const engine = createEngine({ dataDir: directory, emit: () => {} })
  onTestFinished(() => engine.close())
  return engine
}

/** How many times slower than the reference this processor is at the moment. */
function paceNow(): number {
  const pace = new RunningPace()
  for (let sample = 0; sample < PACE_SAMPLES; sample++) pace.sample()
  return pace.slowness()
}

/** This thread's CPU time: the work of other programs is left out. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The longest that another call waits for its answer until the work ends. */
async function longestWait({ handlers }: Engine, work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const end = work.finally(() => {
    state.isOver = true
  })
  let longestMs = 0
  while (!state.isOver) {
    const asked = cpuMs()
    await nextTurn()
    await handlers.job.list(undefined)
    longestMs = Math.max(longestMs, cpuMs() - asked)
  }
  await end
  return longestMs
}

test.each([
  ['by SHA-256', 's-digests', { byDigest: { files: FILES }, byTime: { files: 0 } }],
  ['by time', 's-times', { byDigest: { files: 0 }, byTime: { files: FILES } }],
] as const)(
  'while it is worked out what is kept of 200,000 files %s, other calls are answered',
  async (_name, surveyId, totals) => {
    const engine = opened()
    const kept = Promise.resolve(engine.handlers.survey.kept({ surveyId, limit: 500 }))
    const longestMs = await longestWait(engine, kept)
    expect(await kept).toMatchObject({
      totals,
      ...(surveyId === 's-digests' && {
        copies: [{ path: '/r/flat/1', copyOf: '/r/flat/0', files: 25_000 }],
      }),
    })
    expect(longestMs / paceNow()).toBeLessThan(MOST_MS)
  },
)

test('it ends at once when it is stopped, and when the engine closes', async () => {
  const engine = opened()
  for (const stop of [
    () => engine.handlers.survey.stopKept({ surveyId: 's-digests' }),
    () => engine.close(),
  ]) {
    const kept = Promise.resolve(engine.handlers.survey.kept({ surveyId: 's-digests', limit: 500 }))
    const ended = expect(kept).rejects.toMatchObject({ code: 'cancelled' })
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    const asked = cpuMs()
    await stop()
    await ended
    expect((cpuMs() - asked) / paceNow()).toBeLessThan(MOST_MS)
  }
})
