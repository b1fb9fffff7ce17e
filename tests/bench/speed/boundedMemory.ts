/**
 * Unique bytes of every block size with little memory against the exact ones. Run with Node 24 after
 * `vite build --mode cli`, with folders such as those that tests/bench/accuracy/codecs.ts makes in .cache/truth:
 *   node tests/bench/speed/boundedMemory.ts [--memory 16MiB] FOLDER…
 * Prints, for each folder and size, the signed error, the half-width of the stated range, and whether it holds the truth.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: given, positionals } = parseArgs({
  options: { memory: { type: 'string', default: '16MiB' } },
  allowPositionals: true,
})

interface Level {
  blockSize: number
  uniqueBytes: number
  low: number
  high: number
  exact: boolean
}

const scratch = mkdtempSync(join(tmpdir(), 'stowage-bench-'))
const bundle = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')

function fixedBlocks(folder: string, memory: string): Level[] {
  const env = { ...process.env, STOWAGE_HOME: join(scratch, 'home') }
  // Nothing of the survey before is to be trusted, which had other memory.
  const argv = ['survey', folder, '--json', '--full', '--samples', 'none', '--max-memory', memory]
  const json = execFileSync(process.execPath, [bundle, ...argv], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return (JSON.parse(json) as { fixedBlocks: Level[] }).fixedBlocks
}

try {
  const halves: number[] = []
  let worst = 0
  let held = 0
  let sampled = 0
  for (const folder of positionals.map((one) => resolve(one))) {
    const name = basename(folder)
    const truth = fixedBlocks(folder, '4GiB')
    for (const [index, level] of fixedBlocks(folder, given.memory).entries()) {
      const exact = truth[index]?.uniqueBytes ?? 0
      const error = ((level.uniqueBytes - exact) / exact) * 100
      const half = ((level.high - level.low) / 2 / exact) * 100
      const holds = level.low <= exact && exact <= level.high
      worst = Math.max(worst, Math.abs(error))
      if (!level.exact) {
        sampled += 1
        held += holds ? 1 : 0
        halves.push(half)
      }
      console.log(
        `${name.padEnd(12)} ${String(level.blockSize).padStart(8)} B ${level.exact ? 'exact  ' : 'sampled'} error ${error.toFixed(3)} % range ±${half.toFixed(3)} % ${holds ? 'holds' : 'MISSES'}`,
      )
    }
  }
  const median = halves.toSorted((a, b) => a - b)[halves.length >> 1] ?? 0
  console.log(
    `with ${given.memory}: worst error ${worst.toFixed(3)} %, ${held} of ${sampled} sampled figures in their range, median half-width ${median.toFixed(3)} %`,
  )
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
