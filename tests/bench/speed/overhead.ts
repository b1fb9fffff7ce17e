import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import type * as Containers from '../../../src/engine/native/containers'

/**
 * What a container costs: sequential writing and reading through sparse bundles with 8 MiB bands beside a raw file on the
 * same disk, with the same requests and the same flushes, in turns. Prints medians and ratios to the raw file.
 *   node tests/bench/speed/overhead.ts [folder] [MiB] [runs]
 * Reading begins with the cache dropped where the process may do that (root on Linux), and says so.
 */

const MEBI = 1 << 20
const RAW = 'raw file'
const REQUEST_BYTES = 8 * MEBI
const FLUSH_BYTES = 256 * MEBI
const [parent = tmpdir(), size = '1024', rounds = '5'] = process.argv.slice(2)
const total = Number(size) * MEBI
const password = Buffer.from('measured here')

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
const { createContainer, openContainer } = (await server.ssrLoadModule(
  join(import.meta.dirname, '../../../src/engine/native/containers.ts'),
)) as typeof Containers
const folder = await mkdtemp(join(parent, 'stowage-overhead-'))

/** The container compared: what it is in the raw file's case is the file itself, reached by the same loop. */
async function make(kind: string): Promise<string> {
  const path = join(folder, kind)
  const encryption = kind.includes('AES')
    ? { encryption: { keyBits: 256, password, rounds: 1000 } as const }
    : {}
  await createContainer(path, { kind: kind === RAW ? 'UDRW' : 'UDSB', bytes: total, ...encryption })
  return path
}

function dropCache(): boolean {
  try {
    execFileSync('sh', ['-c', 'sync; echo 3 > /proc/sys/vm/drop_caches'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Bytes a second of going over it once. */
async function rateOf(path: string, writes: boolean): Promise<number> {
  const disk = await openContainer(path, { writable: writes, password })
  dropCache()
  const { nanoseconds } = await disk.timePass({
    writes,
    requestBytes: REQUEST_BYTES,
    flushBytes: FLUSH_BYTES,
  })
  await disk.close()
  return (total / nanoseconds) * 1e9
}

/** Of writing it anew, and of reading it. */
async function rates(kind: string): Promise<{ write: number; read: number }> {
  const path = await make(kind)
  const write = await rateOf(path, true)
  const read = await rateOf(path, false)
  await rm(path, { recursive: true, force: true })
  return { write, read }
}

const KINDS = [RAW, 'UDSB', 'UDSB AES-256']
const samples = new Map(KINDS.map((kind) => [kind, { write: [] as number[], read: [] as number[] }]))
try {
  console.log(
    `${total / MEBI} MiB in requests of 8 MiB, flushed every 256 MiB; ${cpus().length} cores; cache dropped: ${dropCache()}`,
  )
  await rates(RAW)
  for (let round = 0; round < Number(rounds); round++) {
    // Each goes first, second… equally often.
    for (let turn = 0; turn < KINDS.length; turn++) {
      const kind = KINDS[(turn + round) % KINDS.length] as string
      const { write, read } = await rates(kind)
      samples.get(kind)?.write.push(write)
      samples.get(kind)?.read.push(read)
    }
  }
  for (const [kind, found] of samples) {
    for (const way of ['write', 'read'] as const) {
      const ratios = found[way].map((rate, round) => rate / (samples.get(RAW)?.[way][round] as number))
      const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      console.log(
        `${kind.padEnd(13)} ${way.padEnd(5)} ${(median(found[way]) / 1e6).toFixed(0).padStart(5)} MB/s   ${median(ratios).toFixed(2)} x the raw file (${spread})`,
      )
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await server.close()
}
