/**
 * How well latency and rate of a synthetic device (fake clock) are recovered under 10 % heavy-tailed noise (Student's t with
 * three degrees of freedom), and how often the 95 % ranges hold the truth. Each trial draws sizes and noise anew: 160 files
 * of 2 MB to 2 GB and 200 of 10 KB. Run with Node 24: node tests/bench/speed/coverage.ts [--trials 500] [--resamples 400]
 * [--noise 0.1] [--latency 500000] [--rate 3e9]. Prints coverage, median width, bias and error; ends with 1 below 93 %.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import type { RobustFit } from '../../../src/domain/statistics/theilSen.ts'
import type { SyntheticDevice } from '../../unit/domain/devices/syntheticDevice.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const LEAST_COVERAGE = 0.93

const { values: given } = parseArgs({
  options: {
    trials: { type: 'string', default: '500' },
    resamples: { type: 'string', default: '400' },
    noise: { type: 'string', default: '0.1' },
    latency: { type: 'string', default: '500000' },
    rate: { type: 'string', default: '3e9' },
  },
})

type Fit = (
  device: SyntheticDevice,
  seed: number,
  resamples: number,
) => { fit: RobustFit; check: { latencyNs: number; nsPerByte: number } | null }

/** The sources are written for a bundler, so the part that is needed is bundled first. */
async function loadFit(folder: string): Promise<Fit> {
  const entry = 'virtual:fit'
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    root: ROOT,
    plugins: [
      {
        name: 'fit',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry
            ? `import { theilSen } from '/src/domain/statistics/theilSen'
               import { bisquareLine } from '/src/domain/statistics/bisquare'
               import { timedSeries } from '/tests/unit/domain/devices/syntheticDevice'
               export function fitOf(device, seed, resamples) {
                 const samples = timedSeries(device, seed)
                 return { fit: theilSen(samples, { seed, resamples }), check: bisquareLine(samples) }
               }`
            : null,
      },
    ],
    build: {
      ssr: true,
      outDir: folder,
      minify: false,
      rollupOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: 'fit.mjs' },
      },
    },
  })
  return ((await import(pathToFileURL(join(folder, 'fit.mjs')).href)) as { fitOf: Fit }).fitOf
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) /
    2
  )
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

const folder = mkdtempSync(join(tmpdir(), 'stowage-coverage-'))
try {
  const fitOf = await loadFit(folder)
  const trials = Number(given.trials)
  const device = {
    latencyNs: Number(given.latency),
    bytesPerSecond: Number(given.rate),
    noise: Number(given.noise),
  }
  const truths = { latency: device.latencyNs, rate: device.bytesPerSecond }
  const seen = {
    latency: { held: 0, widths: [] as number[], errors: [] as number[], checks: [] as number[] },
    rate: { held: 0, widths: [] as number[], errors: [] as number[], checks: [] as number[] },
  }
  const note = (what: 'latency' | 'rate', value: number, low: number, high: number, check: number): void => {
    const [truth, into] = [truths[what], seen[what]]
    if (low <= truth && truth <= high) into.held += 1
    into.widths.push((high - low) / truth)
    into.errors.push(value / truth - 1)
    into.checks.push(check / truth - 1)
  }
  for (let seed = 1; seed <= trials; seed++) {
    const { fit, check } = fitOf(device, seed, Number(given.resamples))
    note(
      'latency',
      fit.latencyNs,
      fit.latencyRange.low,
      fit.latencyRange.high,
      check?.latencyNs ?? Number.NaN,
    )
    const { low, high } = fit.nsPerByteRange
    note('rate', 1e9 / fit.nsPerByte, 1e9 / high, 1e9 / low, 1e9 / (check?.nsPerByte ?? Number.NaN))
  }
  console.log(`${trials} trials, ${given.resamples} resamples each, noise ${percent(device.noise)}`)
  for (const [what, { held, widths, errors, checks }] of Object.entries(seen)) {
    const within = errors.filter((error) => Math.abs(error) <= 0.02).length / trials
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / trials)
    console.log(
      `${what.padEnd(8)} range held the truth ${percent(held / trials)}, median width ${percent(median(widths))}; ` +
        `median error ${percent(median(errors))}, RMS ${percent(rms)}, within 2 % in ${percent(within)} of trials; ` +
        `bisquare median error ${percent(median(checks))}`,
    )
    if (held / trials < LEAST_COVERAGE) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
