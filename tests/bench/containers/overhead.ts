import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import type * as Containers from '../../../src/engine/native/containers'

/**
 * What a container costs: sequential writing and reading through sparse bundles with 8 MiB bands beside a raw file on the
 * same disk, with the same requests and the same flushes, in turns. Prints medians and ratios to the raw file.
 *   node tests/bench/containers/overhead.ts [folder] [MiB] [runs]
 * Reading begins with the cache dropped where the process may do that (root on Linux), and says so.
 */

const MEBI = 1 << 20
const REQUEST_BYTES = 8 * MEBI
const FLUSH_BYTES = 256 * MEBI
const [parent = tmpdir(), size = '1024', rounds = '5'] = process.argv.slice(2)
const total = Number(size) * MEBI
const password = Buffer.from('measured here')

/** Something that can be written and read like a disk. */
interface Target {
  write(offset: number, bytes: Uint8Array): Promise<unknown>
  read(offset: number, bytes: number): Promise<unknown>
  flush(): Promise<unknown>
  close(): Promise<unknown>
}

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
const { createContainer, openContainer } = (await server.ssrLoadModule(
  join(import.meta.dirname, '../../../src/engine/native/containers.ts'),
)) as typeof Containers
const folder = await mkdtemp(join(parent, 'stowage-overhead-'))

function fileTarget(file: FileHandle): Target {
  const buffer = Buffer.allocUnsafe(REQUEST_BYTES)
  return {
    write: (offset, bytes) => file.write(bytes, 0, bytes.length, offset),
    read: (offset, bytes) => file.read(buffer, 0, bytes, offset),
    flush: () => file.datasync(),
    close: () => file.close(),
  }
}

/** Opens one of the things compared; a new, empty one first if asked. */
async function openTarget(kind: string, isNew: boolean): Promise<Target> {
  const path = join(folder, kind)
  if (kind === 'raw file') return fileTarget(await open(path, isNew ? 'w+' : 'r'))
  if (isNew) {
    const encryption = kind.includes('AES')
      ? { encryption: { keyBits: 256, password, rounds: 1000 } as const }
      : {}
    const format = kind.startsWith('UDRW') ? ('UDRW' as const) : ('UDSB' as const)
    await createContainer(path, { kind: format, bytes: total, ...encryption })
  }
  return openContainer(path, { writable: isNew, password })
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

/** Bytes a second of writing it anew, and of reading it. */
async function rates(kind: string, source: Buffer): Promise<{ write: number; read: number }> {
  await rm(join(folder, kind), { recursive: true, force: true })
  const target = await openTarget(kind, true)
  dropCache()
  let start = performance.now()
  for (let at = 0; at < total; at += REQUEST_BYTES) {
    await target.write(at, source.subarray(at % source.length, (at % source.length) + REQUEST_BYTES))
    if ((at + REQUEST_BYTES) % FLUSH_BYTES === 0) await target.flush()
  }
  await target.flush()
  const write = (total / (performance.now() - start)) * 1000
  await target.close()
  dropCache()
  const again = await openTarget(kind, false)
  start = performance.now()
  for (let at = 0; at < total; at += REQUEST_BYTES) await again.read(at, REQUEST_BYTES)
  const read = (total / (performance.now() - start)) * 1000
  await again.close()
  await rm(join(folder, kind), { recursive: true, force: true })
  return { write, read }
}

const KINDS = ['raw file', 'UDRW', 'UDSB', 'UDSB AES-256']
const samples = new Map(KINDS.map((kind) => [kind, { write: [] as number[], read: [] as number[] }]))
try {
  const source = randomFillSync(Buffer.alloc(64 * MEBI))
  console.log(
    `${total / MEBI} MiB in requests of 8 MiB, flushed every 256 MiB; ${cpus().length} cores; cache dropped: ${dropCache()}`,
  )
  await rates('raw file', source)
  for (let round = 0; round < Number(rounds); round++) {
    // Each goes first, second… equally often.
    for (let turn = 0; turn < KINDS.length; turn++) {
      const kind = KINDS[(turn + round) % KINDS.length] as string
      const { write, read } = await rates(kind, source)
      samples.get(kind)?.write.push(write)
      samples.get(kind)?.read.push(read)
    }
  }
  for (const [kind, found] of samples) {
    for (const way of ['write', 'read'] as const) {
      const ratios = found[way].map((rate, round) => rate / (samples.get('raw file')?.[way][round] as number))
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
