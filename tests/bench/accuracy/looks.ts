/**
 * Looks against sources that were compressed and compared whole. Run with Node 24:
 * node tests/bench/accuracy/looks.ts FOLDER… [--seeds 20] [--out FILE]
 * Each folder should hold 0.3 GB and more: smaller sources are read almost whole. Truths are kept in .cache/truth.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeResult } from '../writeResult.ts'
import { CACHE, median, percent, withBundle } from './bundled.ts'

type Bench = typeof import('./looksOf.ts')

const { values: given, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '20' }, out: { type: 'string' } },
})

interface Row {
  readonly source: string
  readonly figure: string
  readonly error: number
  readonly half: number
  readonly covered: boolean
}

const rows: Row[] = []
const summary: Record<string, unknown>[] = []
mkdirSync(CACHE, { recursive: true })
await withBundle('looksOf.ts', async (bench: Bench) => {
  for (const [number, folder] of folders.map((each) => resolve(each)).entries()) {
    const name = `source ${number + 1}`
    const key = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    const truth = await bench.truthOf(folder, join(CACHE, `look-${key}.json`))
    const seconds: number[] = []
    let read = 0
    for (let draw = 0; draw < Number(given.seeds); draw++) {
      const startMs = performance.now()
      const found = await bench.lookAt(folder, draw)
      seconds.push((performance.now() - startMs) / 1000)
      read = found.sample.readBytes
      for (const codec of bench.TRIED) {
        const row = found.compression.find((one) => one.codec === codec && one.recordSize === null)
        const actual = truth.compressed[codec] ?? 0
        if (row) rows.push(rowOf(name, codec, { ...row, value: row.predictedBytes }, actual, actual))
      }
      const { identical } = found
      if (identical) rows.push(rowOf(name, 'identical', identical.saved, truth.identical, truth.bytes))
    }
    for (const figure of [...bench.TRIED, 'identical']) {
      const of = rows.filter((row) => row.source === name && row.figure === figure)
      const row = {
        source: name,
        files: truth.files,
        bytes: truth.bytes,
        figure,
        actualBytes: figure === 'identical' ? truth.identical : truth.compressed[figure],
        medianError: rounded(median(of.map(({ error }) => Math.abs(error))) ?? 0),
        medianHalf: rounded(median(of.map(({ half }) => half)) ?? 0),
        covered: rounded(of.filter(({ covered }) => covered).length / Math.max(1, of.length)),
        medianSeconds: rounded(median(seconds) ?? 0),
        readBytes: read,
      }
      summary.push(row)
      console.log(
        `${folder} ${figure.padEnd(10)} error ${percent(row.medianError)} half ${percent(row.medianHalf)} holds ${percent(row.covered)} ${row.medianSeconds} s`,
      )
    }
  }
})
for (const isCodec of [true, false]) {
  const of = rows.filter(({ figure }) => (figure !== 'identical') === isCodec)
  console.log(
    `${isCodec ? 'codecs' : 'identical files'}: median error ${percent(median(of.map(({ error }) => Math.abs(error))))}, half ${percent(median(of.map(({ half }) => half)))}, ranges hold in ${percent(of.filter(({ covered }) => covered).length / of.length)} of ${of.length}`,
  )
}
if (given.out !== undefined) {
  writeResult(given.out, {
    question: 'How close is a look to what the whole source compresses to, and do its ranges hold?',
    rows: summary,
  })
}

/** @param unit of the error and of the range */
function rowOf(
  source: string,
  figure: string,
  { value, low, high }: { value: number; low: number; high: number },
  actual: number,
  unit: number,
): Row {
  return {
    source,
    figure,
    error: value / unit - actual / unit,
    half: (high - low) / 2 / unit,
    covered: low <= actual && actual <= high,
  }
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
