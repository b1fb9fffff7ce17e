import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobEnd } from '../../../../src/contract/dto/job'
import type { EngineState } from '../../../../src/contract/rendererSchema'
import {
  HANDSHAKE_LIMIT_MS,
  HEARTBEAT_MS,
  MISSED_HEARTBEATS_LIMIT,
  SILENT_WORK_LIMIT_MS,
  WORKING_MS,
} from '../../../../src/main/engine/engineLink'
import {
  type EngineSupervisor,
  RESTART_WINDOW_MS,
  superviseEngine,
} from '../../../../src/main/engine/engineSupervisor'
import type { Clock, Milliseconds } from '../../../../src/primitives/clock'
import type { FakeEngineProcess } from '../../../support/fakeEngineHost'
import { fakeEngineHost } from '../../../support/fakeEngineHost'

let host: ReturnType<typeof fakeEngineHost>
let events: [string, unknown][]
let states: EngineState[]
let log: string[]
/** The running jobs with their states, at every change. */
let jobs: [string, string | undefined][][]
let engine: EngineSupervisor
let now: number
const clock: Clock = { wallMs: () => 0 as Milliseconds, monotonicMs: () => now as Milliseconds }

beforeEach(() => {
  vi.useFakeTimers()
  host = fakeEngineHost()
  events = []
  states = []
  log = []
  jobs = []
  now = 0
  engine = superviseEngine({
    host,
    dataDir: '/data',
    clock,
    log: (line) => void log.push(line),
    onEvent: (channel, payload) => void events.push([channel, payload]),
    onState: (state) => void states.push(state),
    onJobs: (running) => void jobs.push(running.map(({ jobId, progress }) => [jobId, progress?.state])),
  })
  engine.start()
})

afterEach(async () => {
  await engine.stop()
  vi.useRealTimers()
})

/** How long to wait for what must come, however busy the machine is. */
const STATE = { timeout: 120_000 }

const latest = (): FakeEngineProcess => host.started.at(-1) as FakeEngineProcess
const crash = (): void => latest().exit({ code: null, signal: 'SIGSEGV', startError: null })

it('keeps questions until the engine is ready', async () => {
  const answer = engine.request('media.list', undefined)
  expect(latest().received.map((message) => message.type)).toEqual(['hello'])
  latest().greet()
  await vi.waitUntil(() => latest().received.length === 2, STATE)
  latest().answer('media.list', [])
  expect(await answer).toEqual({ ok: true, value: [] })
})

it('kills an engine that does not shake hands in time, and tries again', () => {
  vi.advanceTimersByTime(HANDSHAKE_LIMIT_MS)
  expect(host.started[0]?.isKilled).toBe(true)
  expect(engine.state).toMatchObject({ state: 'lost', restarting: true })
  expect(engine.state.reason).toBe('the engine did not answer within 20 s')
  vi.advanceTimersByTime(1)
  expect(host.started).toHaveLength(2)
})

it('kills an engine that stops answering heartbeats, after the limit and not before', () => {
  const first = latest()
  first.greet()
  vi.advanceTimersByTime(HEARTBEAT_MS * MISSED_HEARTBEATS_LIMIT)
  expect(first.isKilled).toBe(false)
  vi.advanceTimersByTime(HEARTBEAT_MS)
  expect(first.isKilled).toBe(true)
  expect(engine.state.reason).toMatch(/^the engine stopped answering/)
})

it('lets an engine work that does not answer on a busy machine, unless it stands still or never ends', () => {
  const beats = (count: number, usedMs: number): boolean => {
    for (let beat = 0; beat < count; beat++) {
      const { usedMs: before } = latest()
      latest().usedMs = (before ?? 0) + usedMs
      vi.advanceTimersByTime(HEARTBEAT_MS)
    }
    return host.started[0]?.isKilled === true
  }
  latest().greet()
  expect(beats(4 * MISSED_HEARTBEATS_LIMIT, WORKING_MS)).toBe(false)
  expect(beats(1, 0)).toBe(true)
  // The next one, in an endless loop.
  vi.advanceTimersByTime(1)
  latest().greet()
  const before = host.started.length
  beats(SILENT_WORK_LIMIT_MS / HEARTBEAT_MS - 1, HEARTBEAT_MS)
  expect(host.started).toHaveLength(before)
  beats(1, HEARTBEAT_MS)
  expect(host.started.at(-1)?.isKilled).toBe(true)
})

it('waits for the handshake of an engine that is at work', () => {
  latest().usedMs = 500
  vi.advanceTimersByTime(HANDSHAKE_LIMIT_MS)
  expect(host.started[0]?.isKilled).toBe(false)
  vi.advanceTimersByTime(HANDSHAKE_LIMIT_MS)
  expect(host.started[0]?.isKilled).toBe(true)
})

it('leaves an engine alone that answers its heartbeats', () => {
  const first = latest()
  first.greet()
  for (let beat = 0; beat < 30; beat++) {
    vi.advanceTimersByTime(HEARTBEAT_MS)
    first.say({ type: 'pong', id: beat })
  }
  expect(first.isKilled).toBe(false)
  expect(first.received.filter((message) => message.type === 'ping')).toHaveLength(30)
})

it('knows which jobs run, also one whose first report overtakes the answer that names it', async () => {
  latest().greet()
  const answer = engine.request('run.build', { directory: '/p' })
  await vi.waitUntil(() => latest().received.at(-1)?.type === 'request', STATE)
  const figures = { filesDone: 0, filesTotal: null, bytesDone: 0, bytesTotal: null, bytesPerSecond: null }
  const progress = {
    jobId: 'j-1',
    kind: 'build',
    state: 'paused',
    phase: { index: 1, count: 1, name: 'building' },
    ...figures,
    elapsedMs: 0,
    etaMs: null,
    current: null,
  }
  latest().say({ type: 'event', channel: 'job.progress', payload: progress })
  latest().answer('run.build', { jobId: 'j-1' })
  await answer
  expect(engine.running).toMatchObject([{ jobId: 'j-1', kind: 'build', progress: { state: 'paused' } }])
  crash()
  expect(jobs).toEqual([[['j-1', 'paused']], []])
})

it('reports how long an interrupted job had run, and only jobs that had not ended', async () => {
  latest().greet()
  for (const jobId of ['j-1', 'j-2']) {
    const answer = engine.request('run.build', { directory: '/p' })
    await vi.waitUntil(() => latest().received.at(-1)?.type === 'request', STATE)
    latest().answer('run.build', { jobId })
    await answer
  }
  const done = { jobId: 'j-1', kind: 'build', outcome: 'done', resultId: 'r', error: null, elapsedMs: 1 }
  latest().say({ type: 'event', channel: 'job.ended', payload: done })
  events.length = 0
  now = 1500
  crash()
  const reason = 'the engine was ended by signal SIGSEGV (a crash in native code)'
  expect(events.map(([, payload]) => payload as JobEnd)).toMatchObject([
    {
      jobId: 'j-2',
      kind: 'build',
      outcome: 'interrupted',
      elapsedMs: 1500,
      error: { message: `interrupted: ${reason}` },
    },
  ])
})

it('does not take a job for running whose end overtook the answer that names it', async () => {
  latest().greet()
  const answer = engine.request('survey.start', { paths: ['/a'] })
  await vi.waitUntil(() => latest().received.at(-1)?.type === 'request', STATE)
  const end = { jobId: 'j-1', kind: 'survey', outcome: 'done', resultId: 's', error: null, elapsedMs: 0 }
  latest().say({ type: 'event', channel: 'job.ended', payload: end })
  latest().answer('survey.start', { jobId: 'j-1' })
  await answer
  crash()
  expect(events.map(([, payload]) => (payload as JobEnd).outcome)).toEqual(['done'])
})

it('kills an engine that talks nonsense', () => {
  const first = latest()
  first.greet()
  first.say({ type: 'nonsense' })
  expect(first.isKilled).toBe(true)
  expect(engine.state.reason).toMatch(/does not know/)
})

it('drops events that do not fit their declaration, with a line in the log', () => {
  latest().greet()
  latest().say({ type: 'event', channel: 'job.ended', payload: { jobId: 7 } })
  latest().say({ type: 'event', channel: 'no.such', payload: null })
  expect(events).toEqual([])
  expect(log.filter((line) => line.startsWith('dropped'))).toHaveLength(2)
})

it('tries a broken engine again when somebody asks after a quiet while', async () => {
  for (let failure = 0; failure < 4; failure++) {
    crash()
    vi.advanceTimersByTime(5000)
  }
  expect(engine.state).toMatchObject({ state: 'lost', restarting: false })
  expect((await engine.request('media.list', undefined)).ok).toBe(false)
  expect(host.started).toHaveLength(4)
  now += RESTART_WINDOW_MS
  const answer = engine.request('media.list', undefined)
  expect(host.started).toHaveLength(5)
  latest().greet()
  await vi.waitUntil(() => latest().received.at(-1)?.type === 'request', STATE)
  latest().answer('media.list', [])
  expect(await answer).toEqual({ ok: true, value: [] })
})

it('says in words that the engine could not even be started', () => {
  latest().exit({ code: null, signal: null, startError: 'spawn /no/node ENOENT' })
  expect(engine.state.reason).toBe('the engine could not be started: spawn /no/node ENOENT')
})

it('starts nothing any more once it was stopped', async () => {
  latest().greet()
  await engine.stop()
  vi.advanceTimersByTime(RESTART_WINDOW_MS)
  expect(host.started).toHaveLength(1)
  expect(latest().isKilled).toBe(false)
  const answer = await engine.request('media.list', undefined)
  expect(answer.ok ? 'ok' : answer.error.code).toBe('engine-lost')
})
