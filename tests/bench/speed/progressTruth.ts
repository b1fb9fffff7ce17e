/**
 * Records the progress of the jobs that carry a source to a restored folder, and compares the time left that was reported with the
 * time that was left. After building (node scripts/bootstrap.mjs test):
 *   node tests/bench/speed/progressTruth.ts [--bytes 300e6] [--place DIR] [--samples normal] [--recipe ID] [--curve NAME] [--json FILE]
 * For each job: its time, how much of it passed with a time left shown from a tenth of it on, how much of that was right within a factor
 * of two, and the worst factor (where more than 2 s were left). `--curve` prints the reports of one job.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { RecordedJob, recordedChain } from '../../support/recordedChain.ts'
import { withBundle } from '../accuracy/bundled.ts'
import { writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: {
    bytes: { type: 'string', default: '300e6' },
    place: { type: 'string', default: tmpdir() },
    samples: { type: 'string', default: 'normal' },
    recipe: { type: 'string', default: '7z-solid-4m-path' },
    curve: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
  },
})

/** Less is over before anybody has read it. */
const LEAST_LEFT_MS = 2000

function truthOf({ name, reports, tookMs }: RecordedJob) {
  const judged = reports.filter((each) => {
    return each.elapsedMs >= 0.1 * tookMs && tookMs - each.elapsedMs >= LEAST_LEFT_MS
  })
  const factors = judged.flatMap(({ etaMs, elapsedMs }) =>
    etaMs === null ? [] : [Math.max(etaMs, 1) / (tookMs - elapsedMs)],
  )
  const isRight = (factor: number): boolean => factor >= 0.5 && factor <= 2
  const shares = reports.flatMap(({ share }) => (share == null ? [] : [share]))
  return {
    name,
    tookMs: Math.round(tookMs),
    reports: reports.length,
    told: factors.length / Math.max(1, judged.length),
    right: factors.filter(isRight).length / Math.max(1, factors.length),
    least: Math.min(...factors),
    most: Math.max(...factors),
    isMonotone: shares.every((share, at) => share >= (shares[at - 1] ?? 0)),
    longestSilenceMs: Math.round(
      [...reports.map(({ elapsedMs }) => elapsedMs), tookMs].reduce(
        ({ last, longest }, at) => ({ last: at, longest: Math.max(longest, at - last) }),
        { last: 0, longest: 0 },
      ).longest,
    ),
  }
}

function printRow({
  name,
  tookMs,
  told,
  right,
  least,
  most,
  isMonotone,
  longestSilenceMs,
}: ReturnType<typeof truthOf>): void {
  const factors = Number.isFinite(least) ? `${least.toFixed(2)} to ${most.toFixed(2)}` : ''
  console.log(
    [
      name.padEnd(16),
      `${(tookMs / 1000).toFixed(1)} s`.padStart(8),
      `${Math.round(told * 100)} % with a time left`.padStart(24),
      `${Math.round(right * 100)} % right`.padStart(12),
      factors.padStart(15),
      `${(longestSilenceMs / 1000).toFixed(1)} s silent`.padStart(14),
      isMonotone ? '' : 'share falls',
    ].join('  '),
  )
}

/** Some forty reports of a job. */
function printCurve({ reports, tookMs }: RecordedJob): void {
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { elapsedMs, etaMs, share, phase, bytesDone, bytesTotal } of reports) {
    if (elapsedMs - lastMs < tookMs / 40) continue
    lastMs = elapsedMs
    const seconds = (ms: number | null): string => (ms === null ? '-' : (ms / 1000).toFixed(1)).padStart(7)
    const cells = [seconds(elapsedMs), seconds(tookMs - elapsedMs), seconds(etaMs), share?.toFixed(3) ?? '-']
    console.log('  ', phase.name.padEnd(10), ...cells, bytesDone, bytesTotal)
  }
}

const folder = mkdtempSync(join(given.place, 'stowage-progress-'))
try {
  await withBundle(
    '../../support/recordedChain.ts',
    async (module: { recordedChain: typeof recordedChain }) => {
      const samples = given.samples === 'fast' ? 'fast' : 'normal'
      const rows: ReturnType<typeof truthOf>[] = []
      const onJob = (job: RecordedJob): void => {
        rows.push(truthOf(job))
        printRow(rows.at(-1) as (typeof rows)[number])
        if (given.curve.includes(job.name)) printCurve(job)
      }
      await module.recordedChain({ folder, bytes: Number(given.bytes), samples, recipe: given.recipe, onJob })
      if (given.json !== undefined)
        writeResult(given.json, { question: 'Is the time left that jobs report right?', rows })
    },
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
