import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import type * as Containers from '../../../src/engine/native/containers'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import type * as Killing from '../../support/containers/killedWriter'
import type * as Varieties from '../../support/containers/varieties'

/**
 * Random operations on every kind of container, plain and encrypted, against a model in memory, with reopening, compacting
 * and resizing between them; then a writer that is killed again and again at different moments:
 *   node tests/bench/speed/operations.ts [--operations 10000] [--kills 10] [--seed 1] [--only "UDSB AES-256"]
 * It stops with exit 1 at the first difference and prints the seed that shows it again.
 */
const { values: given } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
const load = (file: string) => server.ssrLoadModule(join(import.meta.dirname, '../../..', file))
const { createContainer, openContainer } = (await load(
  'src/engine/native/containers.ts',
)) as typeof Containers
const { killAndLook } = (await load('tests/support/containers/killedWriter.ts')) as typeof Killing
const { VARIETIES, wishOf, PASSWORD, MEBI } = (await load(
  'tests/support/containers/varieties.ts',
)) as typeof Varieties
const folder = await mkdtemp(join(tmpdir(), 'stowage-operations-'))

/** Carries out random operations; what differs from the model, or null. */
async function compare(
  variety: Varieties.Variety,
  path: string,
  seed: number,
  operations: number,
): Promise<string | null> {
  const random = seededRandom(seed)
  const mostBytes = 9 * MEBI
  let bytes = 6 * MEBI + 512 * random.below(2000)
  const model = Buffer.alloc(mostBytes)
  const bandBytes = variety.kind === 'UDSB' ? MEBI + 512 * random.below(100) : 65_536 + 4096 * random.below(8)
  await createContainer(path, wishOf(variety, bytes, bandBytes))
  let disk = await openContainer(path, { writable: true, password: PASSWORD })
  for (let step = 0; step < operations; step++) {
    const start = random.below(bytes)
    const length = random.below(Math.min(bytes - start, random.below(10) === 0 ? MEBI : 9000) + 1)
    const what = random.below(100)
    if (what < 45) {
      const content = Buffer.alloc(length)
      random.fillBytes(content)
      await disk.write(start, content)
      content.copy(model, start)
    } else if (what < 60) {
      await disk.write(start, Buffer.alloc(length))
      model.fill(0, start, start + length)
    } else if (what < 92) {
      const found = await disk.read(start, length)
      if (!found.equals(model.subarray(start, start + length)))
        return `operation ${step}: other bytes at ${start}`
    } else if (what < 94) {
      await disk.flush()
    } else if (what < 96) {
      await disk.close()
      disk = await openContainer(path, { writable: true, password: PASSWORD })
    } else if (what < 97) {
      await disk.compact()
    } else if (what < 98) {
      await disk.write(bytes >> 1, Buffer.alloc(bytes - (bytes >> 1)))
      model.fill(0, bytes >> 1)
    } else {
      const wished = 512 * (1 + random.below(mostBytes / 512 - 1))
      const fits = wished >= bytes || model.subarray(wished, bytes).every((byte) => byte === 0)
      const outcome = await disk.resize(wished).then(
        () => 'done',
        (error: Error & { code?: string }) => error.code,
      )
      if (outcome !== (fits ? 'done' : 'cannot-fit'))
        return `operation ${step}: resizing to ${wished} ended as ${outcome}`
      if (fits) bytes = wished
    }
  }
  const whole = await disk.read(0, bytes)
  const { problems } = await disk.verify()
  await disk.close()
  if (!whole.equals(model.subarray(0, bytes))) return 'the whole disk differs at the end'
  return problems.length > 0 ? problems.join('; ') : null
}

try {
  for (const variety of VARIETIES.filter((one) => given.only === undefined || one.name === given.only)) {
    const path = join(folder, 'disk')
    const start = performance.now()
    let fault = await compare(variety, path, Number(given.seed), Number(given.operations))
    const taken = ((performance.now() - start) / 1000).toFixed(0)
    await rm(path, { recursive: true, force: true })
    for (let kill = 0; kill < Number(given.kills) && fault === null; kill++) {
      const how = {
        seed: Number(given.seed) + kill,
        diskBytes: 6 * MEBI + 512,
        bandBytes: MEBI,
        killAfter: 20 + 37 * kill,
      }
      fault = await killAndLook(variety, path, how)
      await rm(path, { recursive: true, force: true })
    }
    console.log(
      `${variety.name.padEnd(13)} ${fault ?? `${given.operations} operations (${taken} s) and ${given.kills} kills: all as it must be`}`,
    )
    if (fault !== null) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await server.close()
}
