import { describe, expect, it } from 'vitest'
import german from '../../../assets/copy/de/stopped.json' with { type: 'json' }
import { Session } from '../../../renderer/src/app/session'
import { statesOf, stepStates, storesOf } from '../../../renderer/src/app/stepStates'
import { tMaybe } from '../../../renderer/src/copy'
import { buildRows } from '../../../renderer/src/steps/building/buildState'
import { buildWords, sayRuns, verifyWords } from '../../../renderer/src/steps/building/runWords'
import { JOB_KINDS, type JobEnd, type JobKind } from '../../../src/contract/dto/job'
import type { RunDocument, RunVolume } from '../../../src/contract/dto/run'
import { type JobOutcome, leftVolumes, type NextStep, nextStepAfter } from '../../../src/contract/jobEnds'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { buildPlan, buildRun, MEDIA } from '../../fixtures/fakeEngine/plans'
import type { SurveyShape } from '../../fixtures/fakeEngine/surveys'

/** Every end, with who brings it about and how it is on record. */
const ENDS: readonly [string, JobOutcome][] = [
  ['done', 'done'],
  ['stopped by a person', 'cancelled'],
  ['stopped by quitting', 'cancelled'],
  ['killed', 'interrupted'],
  ['failed', 'failed'],
]

/** Written out apart from the code: what a stopped job of each kind leaves to be done. */
const STOPPED: Readonly<Record<JobKind, NextStep>> = {
  survey: 'continue',
  walk: 'again',
  look: 'again',
  measure: 'again',
  bands: 'again',
  plan: 'again',
  export: 'again',
  build: 'continue',
  verify: 'continue',
  check: 'again',
  write: 'continue',
  restore: 'continue',
  drill: 'again',
  repair: 'again',
  image: 'again',
  option: 'again',
  roms: 'again',
  fleet: 'again',
}
const ALL = JOB_KINDS.flatMap((kind) => ENDS.map(([end, outcome]) => [kind, end, outcome] as const))

const SHAPE: SurveyShape = { id: 's1', roots: ['/a'], files: 5000, bytes: 60_000_000_000 }
const plan = buildPlan({ id: 'p1', survey: SHAPE, medium: MEDIA[0] as (typeof MEDIA)[number] })
const answers = () => new Promise(setImmediate)
const BLAMES = /fail|could not|cannot|difference|error|fehlgeschlagen|konnte|Fehler|Abweichung/i

/** A window that hears of the end of a job. */
async function windowAfter(end: Pick<JobEnd, 'kind' | 'outcome' | 'error'>) {
  const engine = new FakeEngine({})
  const session = new Session(engine.api)
  const stop = session.start()
  await answers()
  session.jobs.dispatch({ type: 'started', jobId: 'j1', kind: end.kind })
  engine.emit('job.ended', { jobId: 'j1', resultId: null, elapsedMs: 1, ...end })
  await answers()
  stop()
  return session
}

describe('how a job ended', () => {
  it.each(ALL)('has one next step: a %s %s', (kind, _end, outcome) => {
    const expected = { done: 'none', failed: 'mend', cancelled: STOPPED[kind], interrupted: STOPPED[kind] }
    expect(nextStepAfter(kind, outcome)).toBe(expected[outcome])
  })

  it.each(ALL)('is shown as it was: a %s %s', async (kind, _end, outcome) => {
    const error =
      outcome === 'failed' ? ({ code: 'io', message: 'cannot read /a: it failed' } as const) : null
    const session = await windowAfter({ kind, outcome, error })
    const { notices } = session.frame.get()
    const rail = Object.values(stepStates(statesOf(storesOf(session))))
    // Walks begin by themselves, and their page says how they ended.
    if (outcome === 'done' || kind === 'walk' || kind === 'look') expect(notices).toEqual([])
    else if (outcome === 'failed') expect(notices.map((notice) => notice.error)).toEqual([error])
    else {
      for (const { error: reported } of notices) {
        expect(reported.code).toBe(outcome)
        expect(reported.message).not.toMatch(BLAMES)
      }
      expect(notices).toHaveLength(kind === 'survey' && outcome === 'cancelled' ? 0 : 1)
    }
    if (outcome === 'done' || outcome === 'cancelled') expect(rail).not.toContain('failed')
  })

  it.each(JOB_KINDS)('has words in both languages that blame nothing where a %s was stopped', (kind) => {
    for (const outcome of ['cancelled', 'interrupted'] as const)
      expect(tMaybe(`${outcome}.${kind}`, '')).toMatch(/^[A-Z].*(stopped|interrupted)/)
    expect(german[`cancelled.${kind}`]).toMatch(/abgebrochen/)
    expect(`${tMaybe(`cancelled.${kind}`, '')} ${german[`cancelled.${kind}`]}`).not.toMatch(BLAMES)
  })
})

/** A run of the plan that got through its first two volumes. */
function runOf(kind: RunDocument['kind'], outcome: JobOutcome, startedWallMs = 10): RunDocument {
  const rest = { done: 'done', failed: 'failed', cancelled: 'cancelled', interrupted: 'pending' } as const
  const run = buildRun(kind, kind, plan, '/plans/one', [])
  const volumes = run.volumes.map(
    (volume, at): RunVolume => ({
      ...volume,
      state: at < 2 ? 'done' : outcome === 'cancelled' && at > 2 ? 'pending' : rest[outcome],
    }),
  )
  return { ...run, id: `${kind}${startedWallMs}`, outcome, startedWallMs, volumes }
}

/** A window with a set and its runs, oldest first. */
function windowWith(...runs: readonly RunDocument[]) {
  const engine = new FakeEngine({})
  const session = new Session(engine.api)
  session.runs.store.dispatch({ type: 'opened', directory: '/plans/one', plan })
  for (const run of runs) session.runs.store.dispatch({ type: 'ran', run })
  const build = session.runs.store.get()
  return { engine, session, build, says: sayRuns(build, buildRows(build), null) }
}

describe('a run of a set', () => {
  const count = plan.volumes.length
  const WORDS = {
    build: {
      done: 'Built. Verify reads every file back and compares its checksum.',
      cancelled: `Stopped: 2 of ${count} volumes are built. Continue to build the rest.`,
      interrupted: `Interrupted: 2 of ${count} volumes are built. Continue to build the rest.`,
      failed: 'Some volumes could not be built. The finished volumes are complete.',
    },
    verify: {
      done: 'Built and verified: every file matches the survey.',
      cancelled: `Stopped: 2 of ${count} volumes are verified and good. Continue to verify the rest.`,
      interrupted: `Interrupted: 2 of ${count} volumes are verified and good. Continue to verify the rest.`,
      failed: 'Verification found differences. Build the volumes listed below again.',
    },
    write: {
      done: 'Written, and read back from the disc.',
      cancelled: `Stopped: 2 of ${count} volumes are written. Continue with the rest.`,
      interrupted: `Interrupted: 2 of ${count} volumes are written. Continue with the rest.`,
      failed: 'Some volumes were not written. Finished discs are complete.',
    },
  } as const
  const RUNS = (['build', 'verify', 'write'] as const).flatMap((kind) =>
    ENDS.map(([end, outcome]) => [kind, end, outcome] as const),
  )

  it.each(RUNS)('says what came of it: a %s %s', (kind, _end, outcome) => {
    const before = kind === 'build' ? [] : [runOf('build', 'done', 1)]
    expect(windowWith(...before, runOf(kind, outcome)).says).toBe(WORDS[kind][outcome])
  })

  it.each(RUNS)('marks the step as failed only where it failed: a %s %s', (kind, _end, outcome) => {
    const { session } = windowWith(runOf('build', 'done', 1), runOf(kind, outcome))
    const { build } = stepStates(statesOf(storesOf(session)))
    expect(build).toBe({ done: 'done', failed: 'failed', cancelled: 'empty', interrupted: 'empty' }[outcome])
  })

  it('that was stopped offers to continue', () => {
    const built = runOf('build', 'done', 1)
    expect(buildWords(windowWith(runOf('build', 'cancelled')).build, false, false)).toBe('Continue building')
    expect(verifyWords(windowWith(built, runOf('verify', 'cancelled')).build)).toBe('Continue verifying')
    expect(verifyWords(windowWith(built).build)).toBe('Verify')
  })

  it('continues a verification with the volumes that it did not come to', async () => {
    const stopped = runOf('verify', 'cancelled')
    const { engine, session } = windowWith(runOf('build', 'done', 1), stopped)
    await session.runs.verify()
    const left = leftVolumes(stopped.volumes).map(({ index }) => index)
    expect(left).toEqual(plan.volumes.slice(2).map(({ index }) => index))
    expect(engine.callsOf('run.verify')).toMatchObject([{ volumes: left }])
  })

  it('keeps the verification before one that was stopped, and of what was not built again', () => {
    const verified = [runOf('build', 'done', 1), runOf('verify', 'done', 2)]
    const { says } = windowWith(...verified, runOf('verify', 'cancelled', 3))
    expect(says).toBe(WORDS.verify.done)
    const again = runOf('build', 'cancelled', 4)
    const volumes = again.volumes.map(
      (volume, at) => ({ ...volume, state: at === 0 ? 'done' : 'pending' }) as const,
    )
    const { build } = windowWith(...verified, { ...again, volumes })
    expect(build.verify?.volumes.map(({ index }) => index)).toEqual(
      plan.volumes.slice(1).map(({ index }) => index),
    )
  })

  it('of some volumes alone does not make the set verified', () => {
    const some = runOf('verify', 'done', 2)
    const { says } = windowWith(runOf('build', 'done', 1), { ...some, volumes: some.volumes.slice(0, 2) })
    expect(says).toBe(`2 of ${count} volumes are verified. Verify reads the others back.`)
  })
})
