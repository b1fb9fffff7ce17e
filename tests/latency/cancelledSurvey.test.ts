import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JobProgress } from '../../src/contract/dto/job'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type SurveyEngine, surveyEngine } from '../support/surveyEngine'

/** What a cancel may take. */
const MOST_MS = 200
const RACY_MS = 2100
/** Several times what a pass reads before the first progress, so that it cannot be over by then. */
const FILES = 100_000

let folder: string
let source: string
let bench: SurveyEngine
beforeAll(async () => {
  source = mkdtempSync(join(tmpdir(), 'stowage-cancelled-source-'))
  const random = seededRandom(3)
  const noise = Buffer.alloc(5000)
  random.fillBytes(noise)
  for (let index = 0; index < FILES; index++) {
    const start = 40 * random.below(50)
    writeFileSync(join(source, `f${index}`), noise.subarray(start, start + 500 + 100 * random.below(16)))
  }
  // By then old enough to be trusted.
  await new Promise((wait) => setTimeout(wait, RACY_MS))
})
afterAll(() => rmSync(source, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-cancelled-'))
  bench = surveyEngine(join(folder, 'home'), 10)
})
afterEach(async () => {
  await bench.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Cancels as soon as the progress is as wanted; gives how long that took. */
async function cancelWhen(isTime: (progress: JobProgress) => boolean, options = {}) {
  let cancelledMs = 0
  const { ended, jobId } = await bench.begin([source], options, (progress) => {
    if (cancelledMs > 0 || !isTime(progress)) return
    cancelledMs = performance.now()
    void bench.engine.handlers.job.cancel({ jobId })
  })
  const end = await ended
  expect(cancelledMs).toBeGreaterThan(0)
  return { end, tookMs: end.atMs - cancelledMs }
}

describe('a cancelled survey', () => {
  it('answers at once in mid-pass, keeps what it read, and the next one builds on it', async () => {
    const { end, tookMs } = await cancelWhen((progress) => progress.filesDone > 0)
    expect(end.outcome).toBe('cancelled')
    expect(tookMs).toBeLessThan(MOST_MS)
    const kept = await bench.engine.handlers.survey.get({ surveyId: end.resultId ?? '' })
    expect(kept.partial).toBe(true)
    // Its sketch comes after the answer.
    await expect
      .poll(() => readdirSync(join(folder, 'home', 'sketches')).join())
      .toMatch(new RegExp(`${kept.id}\\.sketch\\d+(,|$)`))
    const next = await bench.survey([source])
    expect(next.trusted).toMatchObject({ surveyId: kept.id, files: kept.totals.files })
    const full = await bench.survey([source], { full: true })
    expect([next.totals, next.fixedBlocks, next.chunked]).toEqual([
      full.totals,
      full.fixedBlocks,
      full.chunked,
    ])
  })

  it('answers at once while codecs are being forecast, and keeps the survey', async () => {
    const { end, tookMs } = await cancelWhen((progress) => progress.phase.name === 'sampling', {
      samples: 'normal',
    })
    expect(end.outcome).toBe('cancelled')
    expect(tookMs).toBeLessThan(MOST_MS)
    const kept = await bench.engine.handlers.survey.get({ surveyId: end.resultId ?? '' })
    expect([kept.partial, kept.totals.files]).toEqual([false, FILES])
  })

  it('answers at once while it rests', async () => {
    const reported: string[] = []
    const { ended, jobId } = await bench.begin([source], {}, (progress) => {
      reported.push(progress.state)
      if (reported.length === 1) void bench.engine.handlers.job.pause({ jobId })
    })
    await expect.poll(() => reported.includes('paused')).toBe(true)
    const startMs = performance.now()
    void bench.engine.handlers.job.cancel({ jobId })
    const end = await ended
    expect(end.outcome).toBe('cancelled')
    expect(end.atMs - startMs).toBeLessThan(MOST_MS)
  })
})
