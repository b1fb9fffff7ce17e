/**
 * Kills `stowage measure` with SIGKILL at random moments and looks, after the next start, whether every file of it is gone
 * and no other file has changed. Run with Node 24 after building: node tests/bench/speed/kill.ts [--kills 50] [--seed 1]
 * [--within 300 (milliseconds; the measurement takes about so long)]. Ends with 1 if anything was left or changed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const { values: given } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    within: { type: 'string', default: '300' },
  },
})

const root = join(import.meta.dirname, '../../..')
const server = await createServer({
  configFile: false,
  root,
  logLevel: 'error',
  server: { middlewareMode: true },
})
const folder = mkdtempSync(join(tmpdir(), 'stowage-kill-'))
try {
  const { contentsOf, foreignFolder, killedOnce, SMALL_SPEC } = (await server.ssrLoadModule(
    '/tests/support/killedMeasurement.ts',
  )) as typeof import('../../support/killedMeasurement.ts')
  const { seededRandom } = (await server.ssrLoadModule(
    '/src/primitives/seededRandom.ts',
  )) as typeof import('../../../src/primitives/seededRandom.ts')
  const directory = join(folder, 'target')
  mkdirSync(directory)
  foreignFolder(directory)
  const spec = join(folder, 'spec.yaml')
  writeFileSync(spec, SMALL_SPEC)
  const before = JSON.stringify(contentsOf(directory))
  const random = seededRandom(Number(given.seed))
  const kills = Number(given.kills)
  let [running, withFiles, wrong] = [0, 0, 0]
  for (let kill = 1; kill <= kills; kill++) {
    const { killedAfterMs, wasRunning, left, after } = await killedOnce(
      directory,
      join(folder, 'home'),
      spec,
      random,
      Number(given.within),
    )
    const isClean = JSON.stringify(after) === before
    if (wasRunning) running += 1
    if (left > 0) withFiles += 1
    if (!isClean) wrong += 1
    const verdict = isClean ? 'clean after the next start' : 'NOT CLEAN after the next start'
    console.log(
      `${kill}: ${wasRunning ? 'killed' : 'had ended'} after ${killedAfterMs} ms, ${left} names left by the kill, ${verdict}`,
    )
  }
  console.log(
    `${kills} kills, ${running} of them before the end, ${withFiles} with files left; not clean afterwards: ${wrong}`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
