/**
 * A tree of a million small files through the real engine process: wall time, peak memory, files a second, for how long
 * the engine's JavaScript thread was blocked at most, and how long the channel let a ping wait; then the same again, which
 * must read nothing, and once more with one file in a hundred changed. After each survey all options for it are asked for, on five
 * media, and asked again.
 * Run after `vite build --mode engine` with Node 24: node tests/bench/speed/millionFiles.ts [--files 1000000]
 * [--folder FOLDER (the tree is made below it; default: the system's temporary folder)] [--tree FOLDER (made there once,
 * and kept)] [--samples none] [--skip-again]. Everything it makes is removed at the end.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'

const { values: given } = parseArgs({
  options: {
    files: { type: 'string', default: '1000000' },
    folder: { type: 'string', default: tmpdir() },
    tree: { type: 'string' },
    samples: { type: 'string', default: 'none' },
    sha256: { type: 'boolean', default: false },
    'skip-again': { type: 'boolean', default: false },
  },
})
const FILES_A_FOLDER = 100
const PING_MS = 20
const root = resolve(import.meta.dirname, '../../..')
/** The sources import each other without endings, which Node by itself does not resolve: what is needed of them is read. */
const readNumber = (file: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? ''
const protocol = Number(readNumber('src/contract/engineSchema.ts', /ENGINE_PROTOCOL = (\d+)/))
const version = readNumber('package.json', /"version": "([^"]+)"/)

const scratch = mkdtempSync(join(resolve(given.folder), 'stowage-million-'))
const tree = resolve(given.tree ?? join(scratch, 'tree'))
const files = Number(given.files)

function nameOf(index: number): string {
  return join(tree, `folder ${Math.floor(index / FILES_A_FOLDER)}`, `file ${index}.dat`)
}

/** Sizes of 0 to 4 KiB; one file in ten is the copy of an earlier one. */
function makeTree(): number {
  const random = seededRandom(20_261_121)
  const noise = new Uint8Array(1 << 20)
  random.fillBytes(noise)
  let bytes = 0
  for (let index = 0; index < files; index++) {
    if (index % FILES_A_FOLDER === 0) mkdirSync(join(nameOf(index), '..'), { recursive: true })
    const seed = index > 0 && random.unit() < 0.1 ? random.below(index) : index
    const own = seededRandom(seed)
    const size = own.below(4097)
    const content = Buffer.from(noise.subarray(own.below(noise.length - 4096)).subarray(0, size))
    if (size >= 4) content.writeUInt32LE(seed)
    writeFileSync(nameOf(index), content)
    bytes += size
  }
  return bytes
}

interface Outcome {
  readonly wallMs: number
  readonly longestPingMs: number
  readonly longestMs: number
  readonly longestCpuMs: number
  readonly p999Ms: number
  readonly peakRssBytes: number
  /** Until the options were here, and when they were asked for again. */
  readonly optionsMs: readonly [first: number, again: number]
  readonly document: {
    totals: { files: number; bytes: number; skipped: number }
    timing: { passMs: number; peakRssBytes: number }
    trusted?: { files: number } | null
  }
}

/** One survey by a fresh engine process, asked over its channel as main asks it. */
function survey(): Promise<Outcome> {
  const probeFile = join(scratch, 'probe.json')
  const engine = spawn(
    process.execPath,
    ['--require', join(import.meta.dirname, 'loopProbe.cjs'), join(root, 'dist/engine/engine.cjs')],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, STOWAGE_BENCH_PROBE: probeFile },
    },
  )
  return new Promise((done, fail) => {
    let nextId = 1
    let longestPingMs = 0
    let startedMs = 0
    let document: Outcome['document'] | null = null
    let optionsMs: Outcome['optionsMs'] = [0, 0]
    let wallMs = 0
    const waiting = new Map<number, (value: never) => void>()
    const pings = new Map<number, number>()
    const ask = <T>(channel: string, params: unknown): Promise<T> =>
      new Promise((answered) => {
        waiting.set(nextId, answered)
        engine.send({ type: 'request', id: nextId++, channel, params })
      })
    const pinging = setInterval(() => {
      if (startedMs === 0 || document !== null) return
      pings.set(nextId, performance.now())
      engine.send({ type: 'ping', id: nextId++ })
    }, PING_MS)
    const optionsFor = async (surveyId: string): Promise<number> => {
      const askedMs = performance.now()
      await ask('options.list', { surveyId, mediumIds: ['disk', 'bd-r-25', 'bdxl-100', 'dvd-r', 'cd-700'] })
      return performance.now() - askedMs
    }
    const start = async (): Promise<void> => {
      startedMs = performance.now()
      await ask('survey.start', { paths: [tree], samples: given.samples, sha256: given.sha256 })
    }
    engine.on('message', (message: { type: string; id: number; channel: string; [key: string]: unknown }) => {
      if (message.type === 'hello') void start()
      else if (message.type === 'pong') {
        longestPingMs = Math.max(longestPingMs, performance.now() - (pings.get(message.id) ?? 0))
      } else if (message.type === 'answer') {
        const result = message['result'] as { ok: boolean; value: never; error?: { message: string } }
        if (!result.ok) fail(new Error(result.error?.message))
        waiting.get(message.id)?.(result.value)
      } else if (message.channel === 'job.ended') {
        const end = message['payload'] as { outcome: string; resultId: string; error?: { message: string } }
        if (end.outcome !== 'done') return fail(new Error(end.error?.message ?? end.outcome))
        wallMs = performance.now() - startedMs
        const finish = async (): Promise<void> => {
          optionsMs = [await optionsFor(end.resultId), await optionsFor(end.resultId)]
          document = await ask('survey.get', { surveyId: end.resultId })
          engine.send({ type: 'close' })
        }
        void finish()
      } else if (message.type === 'refused') fail(new Error(JSON.stringify(message)))
    })
    engine.on('exit', () => {
      clearInterval(pinging)
      if (document === null) return fail(new Error('the engine ended early'))
      done({ wallMs, longestPingMs, optionsMs, ...JSON.parse(readFileSync(probeFile, 'utf8')), document })
    })
    engine.send({
      type: 'hello',
      protocol,
      version,
      dataDir: join(scratch, 'home'),
    })
  })
}

function tell(what: string, { document, ...end }: Outcome): void {
  const { totals, timing, trusted } = document
  const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
  console.log(
    [
      `${what}: ${totals.files} files, ${mb(totals.bytes)}, ${totals.skipped} skipped`,
      `trusted ${trusted?.files ?? 0}`,
      `${(end.wallMs / 1000).toFixed(1)} s (pass ${(timing.passMs / 1000).toFixed(1)} s)`,
      `${Math.round(totals.files / (end.wallMs / 1000))} files/s`,
      `peak RSS ${mb(end.peakRssBytes)}`,
      `JS thread blocked at most ${end.longestMs} ms (99.9 %: ${end.p999Ms} ms), of it processor time at most ${end.longestCpuMs} ms`,
      `longest ping ${end.longestPingMs.toFixed(0)} ms`,
      `options on five media after ${end.optionsMs.map((ms) => ms.toFixed(0)).join(' and ')} ms`,
    ].join(', '),
  )
}

try {
  if (!existsSync(tree)) {
    const startMs = performance.now()
    const bytes = makeTree()
    console.log(
      `made ${files} files, ${bytes} bytes in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
    )
  }
  tell('first', await survey())
  if (!given['skip-again']) {
    tell('again', await survey())
    for (let index = 0; index < files; index += 100)
      writeFileSync(nameOf(index), `changed ${index} ${Date.now()}`)
    tell('1 % changed', await survey())
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
