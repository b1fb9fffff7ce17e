/**
 * What every engine host must do, as scenarios that run in whatever process the host needs (Node, or Electron's main).
 * Each ends by itself or throws what was wrong.
 */
import assert from 'node:assert/strict'
import type { JobEnd, JobProgress } from '../../src/contract/dto/job'
import { ENGINE_PROTOCOL } from '../../src/contract/engineSchema'
import type { EngineState } from '../../src/contract/rendererSchema'
import { APP_VERSION } from '../../src/contract/version'
import type { EngineExit, EngineHost } from '../../src/main/engine/engineHost'
import { type EngineSupervisor, superviseEngine } from '../../src/main/engine/engineSupervisor'
import { systemClock } from '../../src/primitives/clock'
import { unwrap } from '../../src/primitives/result'

/** The hosts to try: one over the fixture engine, one over an engine of another protocol. */
export interface HostsUnderTest {
  readonly engine: EngineHost
  readonly stranger: EngineHost
}

interface Session {
  readonly engine: EngineSupervisor
  readonly events: [string, unknown][]
  readonly states: EngineState[]
  readonly log: string[]
  /** Resolves with the first event or state, past or future, that fits. */
  event(channel: string): Promise<unknown>
  state(name: EngineState['state'], times?: number): Promise<EngineState>
}

/** A child process always tells the signal; a utility process tells it unless Chromium saw the connection break first. */
function causeOfCrash(host: EngineHost): RegExp {
  return host.name === 'utility process' ? /SIGSEGV|without a reason/ : /SIGSEGV/
}

/** Runs a piece of work with a supervised engine and stops the engine whatever happens. */
async function withEngine(
  host: EngineHost,
  work: (session: Session) => Promise<void>,
  dataDir = '/data',
): Promise<void> {
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const check of waiting.slice()) check()
  }
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = find()
        if (found === undefined) return
        const index = waiting.indexOf(check)
        if (index !== -1) waiting.splice(index, 1)
        resolve(found)
      }
      waiting.push(check)
      check()
    })
  const events: [string, unknown][] = []
  const states: EngineState[] = []
  const log: string[] = []
  const engine = superviseEngine({
    host,
    dataDir,
    clock: systemClock,
    log: (line) => void log.push(line),
    onEvent(channel, payload) {
      events.push([channel, payload])
      wake()
    },
    onState(state) {
      states.push(state)
      wake()
    },
    onJobs: () => undefined,
  })
  const event = (channel: string): Promise<unknown> =>
    until(() => events.find(([name]) => name === channel)?.[1])
  const state = (name: EngineState['state'], times = 1): Promise<EngineState> =>
    until(() => states.filter((reported) => reported.state === name)[times - 1])
  engine.start()
  try {
    await work({ engine, events, states, log, event, state })
  } finally {
    await engine.stop()
  }
}

async function startSurvey(session: Session, path: string): Promise<string> {
  const result = await session.engine.request('survey.start', { paths: [path] })
  return (unwrap(result) as { jobId: string }).jobId
}

/** Starts a bare engine without the supervisor: resolves with its first message and how it ended after `close`. */
async function greet(
  host: EngineHost,
  hello: { protocol: number; version: string },
): Promise<[unknown, EngineExit]> {
  const child = host.start()
  const exit = new Promise<EngineExit>((resolve) => child.onExit(resolve))
  const first = new Promise<unknown>((resolve) => child.onMessage(resolve))
  child.send({ type: 'hello', dataDir: '/data', ...hello })
  const message = await first
  child.send({ type: 'close' })
  return [message, await exit]
}

export const SCENARIOS: Readonly<Record<string, (hosts: HostsUnderTest) => Promise<void>>> = {
  'shakes hands and says what it runs on': ({ engine }) =>
    withEngine(engine, async ({ state, states, log }) => {
      await state('ready')
      assert.deepEqual(
        states.map((reported) => reported.state),
        ['starting', 'ready'],
      )
      assert.match(log.join('\n'), /engine runs on Node \d+/)
    }),

  'hands the data folder over and answers what is asked, defaults filled in': ({ engine }) =>
    withEngine(engine, async (session) => {
      const jobs = unwrap(await session.engine.request('job.list', undefined))
      assert.deepEqual(jobs, [{ jobId: 'j-0', kind: 'survey', startedWallMs: 0, title: '/data' }])
      const found = unwrap(await session.engine.request('catalog.find', { pattern: 'a' }))
      assert.equal((found as { path: string }[])[0]?.path, 'a200')
    }),

  'answers many questions at once, each with its own answer': ({ engine }) =>
    withEngine(engine, async (session) => {
      const limits = Array.from({ length: 200 }, (_, index) => index + 1)
      const answers = await Promise.all(
        limits.map((limit) => session.engine.request('catalog.find', { pattern: 'p', limit })),
      )
      const paths = answers.map((answer) => (unwrap(answer) as { path: string }[])[0]?.path)
      assert.deepEqual(
        paths,
        limits.map((limit) => `p${limit}`),
      )
    }),

  'carries the bytes of a password as they were when it was asked': ({ engine }) =>
    withEngine(engine, async (session) => {
      await session.state('ready')
      const password = Uint8Array.of(1, 127, 255)
      const asked = session.engine.request('image.info', { path: '/a', password })
      password.fill(0)
      const answer = await asked
      assert.equal(answer.ok ? '' : answer.error.message, 'heard 1 127 255')
      // The number of a process may hold these digits.
      assert.doesNotMatch(session.log.join('\n').replaceAll(/process \d+/g, ''), /127/)
    }),

  'gives expected failures, bugs and bad parameters back as answers': ({ engine }) =>
    withEngine(engine, async (session) => {
      const codes = []
      for (const [channel, params] of [
        ['plan.start', { surveyId: 's', mediumId: 'bd-r-25' }],
        ['plan.get', { planId: 'p' }],
        ['survey.get', { surveyId: 'not/an/id' }],
        ['survey.list', undefined],
        ['no.such', undefined],
      ] as const) {
        const answer = await session.engine.request(channel, params)
        codes.push(answer.ok ? 'ok' : answer.error.code)
      }
      assert.deepEqual(codes, ['not-found', 'internal', 'bad-input', 'internal', 'refused'])
    }),

  'brings every event, in order, with names that are no text intact': ({ engine }) =>
    withEngine(engine, async (session) => {
      const jobId = await startSurvey(session, '/steady')
      const end = (await session.event('job.ended')) as JobEnd
      assert.deepEqual([end.jobId, end.outcome], [jobId, 'done'])
      const progress = session.events.filter(([channel]) => channel === 'job.progress')
      const seen = progress.map(([, payload]) => payload as JobProgress)
      assert.deepEqual(
        seen.map(({ filesDone, current }) => [filesDone, current]),
        Array.from({ length: 500 }, (_, index) => [index + 1, '/steady/\udcff']),
      )
      assert.equal(session.events.at(-1)?.[0], 'job.ended')
    }),

  'drops progress that does not fit its declaration, logs it once for each kind, and goes on': ({ engine }) =>
    withEngine(engine, async (session) => {
      const jobId = await startSurvey(session, '/unfit')
      const end = (await session.event('job.ended')) as JobEnd
      assert.deepEqual([end.jobId, end.outcome], [jobId, 'done'])
      assert.equal(session.events.filter(([channel]) => channel === 'job.progress').length, 500)
      await session.engine.stop()
      const said = session.log.filter((line) => line.includes('does not fit its declaration'))
      assert.deepEqual(
        said.map((line) => /event (\S+) that .* declaration: (\S+):/.exec(line)?.slice(1)),
        [
          ['job.progress', 'bytesDone'],
          ['job.progress', 'bytesPerSecond'],
          ['job.progress', 'filesDone'],
          ['survey.live', 'totals'],
        ],
      )
    }),

  'calls a running job interrupted when the engine crashes, and starts another engine': ({ engine }) =>
    withEngine(engine, async (session) => {
      const jobId = await startSurvey(session, '/endless')
      await session.event('job.progress')
      await session.engine.request('survey.start', { paths: ['/crash-at-once'] })
      const end = (await session.event('job.ended')) as JobEnd
      assert.deepEqual([end.jobId, end.kind, end.outcome], [jobId, 'survey', 'interrupted'])
      assert.equal(end.error?.code, 'interrupted')
      const cause = causeOfCrash(engine)
      assert.match(end.error?.message ?? '', cause)
      const lost = await session.state('lost')
      assert.equal(lost.restarting, true)
      assert.match(lost.reason ?? '', cause)
      await session.state('ready', 2)
      assert.equal((await session.engine.request('media.list', undefined)).ok, true)
    }),

  'answers a question that the engine died of': ({ engine }) =>
    withEngine(engine, async (session) => {
      const answer = await session.engine.request('survey.start', { paths: ['/crash-at-once'] })
      assert.equal(answer.ok ? 'ok' : answer.error.code, 'engine-lost')
    }),

  'gives up on an engine that keeps dying, and says so': ({ engine }) =>
    withEngine(engine, async (session) => {
      for (let crash = 1; crash <= 4; crash++) {
        await session.state('ready', crash)
        await session.engine.request('survey.start', { paths: ['/crash-at-once'] })
        const lost = await session.state('lost', crash)
        assert.equal(lost.restarting, crash < 4)
      }
      const answer = await session.engine.request('media.list', undefined)
      assert.equal(answer.ok ? 'ok' : answer.error.code, 'engine-lost')
    }),

  'does not restart an engine that says it cannot work': ({ engine }) =>
    withEngine(
      engine,
      async (session) => {
        const lost = await session.state('lost')
        assert.deepEqual([lost.restarting, lost.reason], [false, 'the catalog is of a newer version'])
      },
      '/newer',
    ),

  'is refused by the engine when protocol or version differ': async ({ engine }) => {
    for (const hello of [
      { protocol: ENGINE_PROTOCOL + 1, version: APP_VERSION },
      { protocol: ENGINE_PROTOCOL, version: '99.0.0' },
    ]) {
      const [message, exit] = await greet(engine, hello)
      assert.equal((message as { type: string }).type, 'refused')
      assert.equal(exit.code, 1)
    }
  },

  'refuses an engine whose protocol differs': ({ stranger }) =>
    withEngine(stranger, async (session) => {
      const lost = await session.state('lost')
      assert.equal(lost.restarting, false)
      assert.match(lost.reason ?? '', /have different versions/)
    }),

  'lets the engine leave in good order': async ({ engine }) => {
    const [message, exit] = await greet(engine, { protocol: ENGINE_PROTOCOL, version: APP_VERSION })
    assert.equal((message as { type: string }).type, 'hello')
    assert.deepEqual(exit, { code: 0, signal: null, startError: null })
  },
}

/** Runs the named scenario; the outcome is null, or what was wrong. */
export async function tryScenario(name: string, hosts: HostsUnderTest): Promise<string | null> {
  try {
    await SCENARIOS[name]?.(hosts)
    return null
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}
