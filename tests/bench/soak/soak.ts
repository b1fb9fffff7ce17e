/**
 * Hundreds of surveys, plans and builds in one engine process: what of it stays in memory, open or running. Run with
 * Node 24 after `vite build --mode engine`:
 *   node tests/bench/soak/soak.ts [--surveys 300] [--builds 50] [--seed 1] [--scratch DIR]
 * Prints the engine's resident memory, file descriptors and threads as a table, and fails when the memory after the last
 * survey is more than 50 MB above that after the 20th, or when descriptors or threads became more.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ENGINE_V8_OPTIONS } from '../../../src/main/engine/engineStart.ts'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { writeTree } from '../../fixtures/treeOfFiles.ts'

const { values: given } = parseArgs({
  options: {
    surveys: { type: 'string', default: '300' },
    builds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    scratch: { type: 'string', default: tmpdir() },
  },
})
const root = resolve(import.meta.dirname, '../../..')
/** The sources import each other without endings, which Node by itself does not resolve: what is needed of them is read. */
const readText = (file: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? ''
const protocol = Number(readText('src/contract/engineSchema.ts', /ENGINE_PROTOCOL = (\d+)/))
const version = readText('package.json', /"version": "([^"]+)"/)
const [surveys, builds, seed] = [Number(given.surveys), Number(given.builds), Number(given.seed)]
/** Caches, code and pools are warm by then. */
const WARM = Math.min(20, surveys)
const MOST_GROWTH_BYTES = 50_000_000
/** Variants that need no forecast of a codec, and those that do. */
const SIMPLE = ['plain', 'plain-hardlinks', 'iso']
const PACKED = ['7z-solid-1m-path', 'files-zstd-3', 'udzo']
/** One survey in so many tries codecs, which takes seconds; the others take a tenth of one. The first is the 12th: warming up. */
const SLOW_EVERY = 30
const FIRST_SLOW = 12
const SURVEYS = [
  { full: true, samples: 'none' },
  { full: false, samples: 'none' },
  { full: true, samples: 'quick' },
  { full: false, samples: 'quick' },
  { full: true, samples: 'none', sha256: true },
]

interface JobEnd {
  readonly jobId: string
  readonly outcome: string
  readonly resultId: string | null
  readonly error: { readonly message: string } | null
}
type Answer = { ok: true; value: unknown } | { ok: false; error: { message: string } }
/** What of the engine's messages matters here. */
type Message =
  | { type: 'hello' | 'pong' }
  | { type: 'refused'; error: { message: string } }
  | { type: 'event'; channel: string; payload: JobEnd }
  | { type: 'answer'; id: number; result: Answer }

/** The engine's process, asked over its channel. */
function startEngine(dataDir: string): {
  readonly pid: number
  request(channel: string, params?: unknown): Promise<unknown>
  /** Starts a job and waits for its end; gives what it made. */
  job(channel: string, params: unknown): Promise<string>
  close(): Promise<void>
} {
  const child: ChildProcess = spawn(
    process.execPath,
    [...ENGINE_V8_OPTIONS, join(root, 'dist/engine/engine.cjs')],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    },
  )
  const open = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>()
  const ends = new Map<string, { resolve(id: string): void; reject(cause: Error): void }>()
  const early = new Map<string, JobEnd>()
  const settle = (end: JobEnd): void => {
    const waiting = ends.get(end.jobId)
    if (!waiting) return void early.set(end.jobId, end)
    ends.delete(end.jobId)
    if (end.outcome === 'done') waiting.resolve(end.resultId ?? '')
    else waiting.reject(new Error(`${end.outcome}: ${end.error?.message ?? ''}`))
  }
  const ready = new Promise<void>((welcome, refuse) => {
    child.on('message', (message: Message) => {
      if (message.type === 'hello') welcome()
      if (message.type === 'refused') refuse(new Error(message.error.message))
      if (message.type === 'event' && message.channel === 'job.ended') settle(message.payload)
      if (message.type !== 'answer') return
      const { id, result } = message
      if (result.ok) open.get(id)?.resolve(result.value)
      else open.get(id)?.reject(new Error(result.error.message))
      open.delete(id)
    })
    child.once('exit', (code, signal) => {
      const cause = new Error(`the engine ended: ${signal ?? code}`)
      refuse(cause)
      for (const waiting of [...open.values(), ...ends.values()]) waiting.reject(cause)
    })
  })
  child.send({ type: 'hello', protocol, version, dataDir })
  let nextId = 1
  const request = async (channel: string, params?: unknown): Promise<unknown> => {
    await ready
    const id = nextId++
    return new Promise((fulfil, reject) => {
      open.set(id, { resolve: fulfil, reject })
      child.send({ type: 'request', id, channel, params })
    })
  }
  return {
    pid: child.pid as number,
    request,
    async job(channel, params) {
      const { jobId } = (await request(channel, params)) as { jobId: string }
      return new Promise((fulfil, reject) => {
        ends.set(jobId, { resolve: fulfil, reject })
        const end = early.get(jobId)
        early.delete(jobId)
        if (end) settle(end)
      })
    },
    async close() {
      const gone = new Promise((left) => child.once('exit', left))
      child.send({ type: 'close' })
      await gone
    },
  }
}

interface Held {
  readonly rssBytes: number
  readonly descriptors: number
  readonly threads: number
}

function heldBy(pid: number): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  return {
    rssBytes: field('VmRSS') * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
  }
}

function row(...cells: readonly (string | number)[]): void {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(12)).join('')}\n`)
}

const scratch = mkdtempSync(join(resolve(given.scratch), 'stowage-soak-'))
const engine = startEngine(join(scratch, 'home'))
const startedMs = performance.now()
try {
  const tree = join(scratch, 'tree')
  mkdirSync(tree)
  writeTree(tree, { seed, files: 300, totalBytes: 12_000_000, duplicates: 0.2, filesPerFolder: 12 })
  const changing = readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.dat'),
  )
  const random = seededRandom(seed)
  row('surveys', 'builds', 'RSS MB', 'handles', 'threads', 'seconds')
  let built = 0
  let warm: Held | null = null
  let now: Held = heldBy(engine.pid)
  for (let survey = 1; survey <= surveys; survey++) {
    appendFileSync(join(tree, changing[random.below(changing.length)] as string), `survey ${survey}\n`)
    const surveyId = await engine.job('survey.start', {
      paths: [tree],
      ...(survey % SLOW_EVERY === FIRST_SLOW
        ? { full: true, samples: 'fast' }
        : SURVEYS[random.below(SURVEYS.length)]),
    })
    await engine.request('survey.get', { surveyId })
    // Spread evenly, so that the first ones lie among the surveys that warm up.
    if (Math.floor((survey * builds) / surveys) > built) {
      built += 1
      const out = join(scratch, `out-${built}`)
      const planId = await engine.job('plan.start', { surveyId, mediumId: 'custom:8MB' })
      await engine.job('plan.export', { planId, directory: join(out, 'plan') })
      await engine.job('run.build', { directory: join(out, 'plan') })
      await engine.job('run.verify', { directory: join(out, 'plan') })
      const variants = survey % SLOW_EVERY === FIRST_SLOW ? PACKED : SIMPLE
      const optionId = variants[random.below(variants.length)]
      await engine.job('options.build', { surveyId, optionId, path: join(out, 'built') })
      rmSync(out, { recursive: true })
    }
    if (survey !== 1 && survey !== WARM && survey % 20 !== 0 && survey !== surveys) continue
    // Threads that a job has just ended with are still on their way out.
    await setTimeout(1000)
    now = heldBy(engine.pid)
    if (survey === WARM) warm = now
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    row(survey, built, Math.round(now.rssBytes / 1e6), now.descriptors, now.threads, seconds)
  }
  const grown = now.rssBytes - (warm ?? now).rssBytes
  process.stdout.write(`memory since survey ${WARM}: ${(grown / 1e6).toFixed(1)} MB\n`)
  const isStable =
    grown <= MOST_GROWTH_BYTES &&
    now.descriptors <= (warm ?? now).descriptors &&
    now.threads <= (warm ?? now).threads
  if (!isStable) process.exitCode = 1
} finally {
  await engine.close()
  rmSync(scratch, { recursive: true, force: true })
}
