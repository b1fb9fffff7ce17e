/**
 * Looks against sources that the programs compressed and that were compared whole, and their recommendations
 * against those of a survey. Run with Node 24 after the command line has been built:
 * node tests/bench/accuracy/looks.ts [NAME=]FOLDER… [--set NAME]… [--seeds 20] [--out FILE] [--no-survey] [--patient]
 * Each folder should hold 0.3 GB and more: smaller sources are read almost whole. Truths and surveys are kept in
 * .cache/truth, as are the sets of some 10 GB that `--set` makes (shoots, productions). `--patient` lets only CPU time end a look, not the clock: for machines that others use too.
 * Needs gzip and zstd.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeResult } from '../writeResult.ts'
import { CACHE, median, percent, withBundle } from './bundled.ts'

type Bench = typeof import('./looksOf.ts')
type LookChoice = import('./lookChoices.ts').LookChoice

const { values: given, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', multiple: true, default: [] },
    seeds: { type: 'string', default: '20' },
    out: { type: 'string' },
    'no-survey': { type: 'boolean', default: false },
    patient: { type: 'boolean', default: false },
  },
})

interface Row {
  readonly source: string
  readonly figure: string
  readonly error: number
  readonly half: number
  readonly covered: boolean
}

const choices: (LookChoice & { readonly source: string })[] = []
const rows: Row[] = []
const summary: Record<string, unknown>[] = []
mkdirSync(CACHE, { recursive: true })
await withBundle('looksOf.ts', async (bench: Bench) => {
  const made = given.set.map((name) => `${name}=${bench.largeFolder(CACHE, name)}`)
  for (const [number, source] of [...folders, ...made].entries()) {
    const [, name = `source ${number + 1}`, path = source] = /^(?:([^=/]+)=)?(.+)$/s.exec(source) ?? []
    const folder = resolve(path)
    const key = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    const truth = await bench.truthOf(folder, join(CACHE, `look-${key}.json`))
    const seconds: number[] = []
    let read = 0
    for (let draw = 0; draw < Number(given.seeds); draw++) {
      const startMs = performance.now()
      const found = await bench.lookAt(folder, draw, given.patient)
      seconds.push((performance.now() - startMs) / 1000)
      read = found.sample.readBytes
      for (const figure of bench.FIGURES) {
        const row = bench.forecastOf(found, figure)
        const actual = truth.compressed[figure] ?? 0
        if (row) rows.push(rowOf(name, figure, { ...row, value: row.predictedBytes }, actual, actual))
      }
      if (!given['no-survey'])
        for (const one of await bench.choicesOf(found, folder, join(CACHE, `look-${key}.survey.json`)))
          choices.push({ ...one, source: name })
      const { identical } = found
      if (identical) rows.push(rowOf(name, 'identical', identical.saved, truth.identical, truth.bytes))
    }
    for (const figure of [...bench.FIGURES, 'identical']) {
      const of = rows.filter((row) => row.source === name && row.figure === figure)
      const row = {
        source: name,
        files: truth.files,
        bytes: truth.bytes,
        figure,
        actualBytes: figure === 'identical' ? truth.identical : truth.compressed[figure],
        medianError: rounded(median(of.map(({ error }) => Math.abs(error))) ?? 0),
        meanError: rounded(of.reduce((sum, { error }) => sum + error, 0) / Math.max(1, of.length)),
        medianHalf: rounded(median(of.map(({ half }) => half)) ?? 0),
        covered: rounded(of.filter(({ covered }) => covered).length / Math.max(1, of.length)),
        medianSeconds: rounded(median(seconds) ?? 0),
        readBytes: read,
      }
      summary.push(row)
      console.log(
        `${name} ${figure.padEnd(14)} error ${percent(row.medianError)} mean ${percent(row.meanError)} half ${percent(row.medianHalf)} holds ${percent(row.covered)} ${row.medianSeconds} s`,
      )
    }
    tellChoices(name)
  }
})
const KINDS: Readonly<Record<string, (figure: string) => boolean>> = {
  'codecs per file': (figure) => figure !== 'identical' && !figure.includes('@'),
  'codecs per record': (figure) => figure.includes('@'),
  'identical files': (figure) => figure === 'identical',
}
for (const [kind, isOf] of Object.entries(KINDS)) {
  const of = rows.filter(({ figure }) => isOf(figure))
  console.log(
    `${kind}: median error ${percent(median(of.map(({ error }) => Math.abs(error))))}, half ${percent(median(of.map(({ half }) => half)))}, ranges hold in ${percent(of.filter(({ covered }) => covered).length / of.length)} of ${of.length}`,
  )
}
const shareOf = (of: readonly LookChoice[], holds: (one: LookChoice) => boolean): string =>
  percent(of.filter(holds).length / Math.max(1, of.length))
for (const listed of [choices, choices.filter(({ isListed }) => isListed)]) {
  console.log(
    `recommendations${listed === choices ? '' : ' that a look lists'}: near in ${shareOf(listed, ({ isNear }) => isNear)} of ${listed.length}, equal in ${shareOf(listed, ({ look, survey }) => look === survey)}, nothing recommended in ${shareOf(listed, ({ look }) => look === null)}`,
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

/** How often recommendations are near the survey's, by goal and medium. */
function tellChoices(source: string): void {
  const own = choices.filter((one) => one.source === source)
  const questions = new Set(own.map(({ goal, medium }) => `${goal} ${medium}`))
  for (const question of questions) {
    const of = own.filter(({ goal, medium }) => `${goal} ${medium}` === question)
    const first = of[0] as LookChoice
    const looks: Record<string, number> = {}
    for (const { look } of of) looks[look ?? 'nothing'] = (looks[look ?? 'nothing'] ?? 0) + 1
    const row = {
      source,
      goal: first.goal,
      medium: first.medium,
      survey: first.survey,
      look: looks,
      near: rounded(of.filter(({ isNear }) => isNear).length / of.length),
      abstained: rounded(of.filter(({ look }) => look === null).length / of.length),
      surveyIsListed: first.isListed,
    }
    summary.push(row)
    console.log(
      `  ${row.goal} on ${row.medium}: survey ${row.survey}${row.surveyIsListed ? '' : ' (only a survey lists it)'}, look ${JSON.stringify(row.look)}, near in ${percent(row.near)}`,
    )
  }
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
