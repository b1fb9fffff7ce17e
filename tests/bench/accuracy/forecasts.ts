/**
 * Forecasts of options beside what programs.ts found: bytes, work of all cores, memory. Run with Node 24 after it:
 * node tests/bench/accuracy/forecasts.ts --scratch DIR. A star marks what its range does not hold.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { median, percent, withBundle } from './bundled.ts'

const { values: given } = parseArgs({ options: { scratch: { type: 'string', default: '.cache/programs' } } })
const STORE = resolve(given.scratch)
type Run = { bytes: number; cpuSeconds: number; ramBytes: number }
const real = JSON.parse(readFileSync(join(STORE, 'programs.json'), 'utf8')) as Record<
  string,
  Record<string, Run>
>

await withBundle('./optionsOfSurvey.ts', async (module: never) => {
  const { factsOf, allVariants } = module as typeof import('./optionsOfSurvey.ts')
  const errors: Record<'bytes' | 'work' | 'ram', number[]> = { bytes: [], work: [], ram: [] }
  for (const [set, runs] of Object.entries(real)) {
    const document = JSON.parse(readFileSync(join(STORE, `survey-${set}.json`), 'utf8')) as never
    const folder = join(STORE, 'sets', set === 'roms' ? 'solid-roms' : set)
    for (const variant of allVariants(factsOf(document, folder, 1))) {
      const run = runs[variant.name]
      if (!run) continue
      const cell = (
        of: keyof typeof errors,
        forecast: { value: number; low: number; high: number },
        actual: number,
      ): string => {
        const error = forecast.value / actual - 1
        errors[of].push(Math.abs(error))
        const held = actual >= forecast.low && actual <= forecast.high
        return `${percent(error)}${held ? ' ' : '*'}`
      }
      const line = [
        cell('bytes', variant.storedBytes, run.bytes),
        cell('work', variant.packSeconds, run.cpuSeconds),
        // Stowage packs these by itself, which takes more memory than the program.
        /^(files-(zstd|lz4)|tar-zst)/.test(variant.name)
          ? ''
          : cell('ram', variant.packRamBytes, run.ramBytes),
      ]
      process.stdout.write(`${set.padEnd(10)} ${variant.name.padEnd(24)} ${line.join('  ')}\n`)
    }
  }
  for (const [of, all] of Object.entries(errors))
    process.stdout.write(
      `${of}: median ${percent(median(all))}, most ${percent(Math.max(...all))}, ${all.length} runs\n`,
    )
})
