/**
 * Surveys of a tree with ten rules, and of a copy that has only the files that the rules keep, in turn: the duration of
 * the pass, and the ratio of each pair.
 * Run with Node 24 after `npm run -s stowage -- --version`: node tests/bench/speed/rules.ts [--folders 2000] [--runs 7]
 * [--json FILE]. Everything it makes is removed at the end.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: {
    folders: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '7' },
    json: { type: 'string' },
  },
})
/** Ten, of which four match something. */
const RULES = [
  '*.tmp',
  '*.bak',
  'Thumbs.db',
  'node_modules/',
  '/a7/*/skip*',
  '**/deep/never',
  '!keep.tmp',
  '[Cc]ache/',
  '*.o',
  '*.part',
]
const FILES_A_FOLDER = 100

const bundle = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const scratch = mkdtempSync(join(tmpdir(), 'stowage-rules-'))
const kept = join(scratch, 'kept')
const ruled = join(scratch, 'ruled')

function makeTrees(): void {
  const random = seededRandom(1)
  for (let folder = 0; folder < Number(given.folders); folder++) {
    const path = join(kept, `a${folder % 50}`, `d${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const content = new Uint8Array(200 + random.below(900))
      random.fillBytes(content)
      writeFileSync(join(path, `f${file}.dat`), content)
    }
  }
  cpSync(kept, ruled, { recursive: true })
  for (let folder = 0; folder < Number(given.folders); folder++) {
    const path = join(ruled, `a${folder % 50}`, `d${folder}`)
    for (const name of ['x.tmp', 'Thumbs.db', 'y.bak']) writeFileSync(join(path, name), 'x'.repeat(300))
    if (folder % 4 !== 0) continue
    for (let module = 0; module < 5; module++) {
      mkdirSync(join(path, 'node_modules', `m${module}`), { recursive: true })
      writeFileSync(join(path, 'node_modules', `m${module}`, 'index.js'), 'y'.repeat(400))
    }
  }
}

interface Run {
  readonly passMs: number
  readonly files: number
}

function survey(folder: string, rules: readonly string[]): Run {
  const home = mkdtempSync(join(scratch, 'home-'))
  const excludes = rules.flatMap((rule) => ['--exclude', rule])
  const end = spawnSync(
    process.execPath,
    [bundle, 'survey', folder, '--quick', '--full', '--json', ...excludes],
    { env: { ...process.env, STOWAGE_HOME: home }, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  rmSync(home, { recursive: true })
  if (end.status !== 0) throw new Error(end.stderr)
  const { timing, totals } = JSON.parse(end.stdout) as {
    timing: { passMs: number }
    totals: { files: number }
  }
  return { passMs: timing.passMs, files: totals.files }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

try {
  makeTrees()
  survey(kept, [])
  survey(ruled, RULES)
  const plain: Run[] = []
  const withRules: Run[] = []
  for (let run = 0; run < Number(given.runs); run++) {
    plain.push(survey(kept, []))
    withRules.push(survey(ruled, RULES))
  }
  const [first, other] = [plain[0]?.files, withRules[0]?.files]
  if (first !== other) throw new Error(`not the same files: ${first} and ${other}`)
  const of = (runs: readonly Run[]): number[] => runs.map(({ passMs }) => Math.round(passMs))
  const ratios = plain.map(({ passMs }, at) => (withRules[at]?.passMs ?? 0) / passMs)
  const row = {
    files: first ?? 0,
    rules: RULES.length,
    passMsWithout: of(plain),
    passMsWith: of(withRules),
    ratioMedian: Number(median(ratios).toFixed(3)),
    ratioLeast: Number(Math.min(...ratios).toFixed(3)),
    ratioMost: Number(Math.max(...ratios).toFixed(3)),
  }
  console.log(JSON.stringify({ processor: cpus()[0]?.model, ...row }, null, 1))
  if (given.json !== undefined)
    writeResult(given.json, {
      question: 'Do rules slow a survey down?',
      rows: [row],
      notes: ['--quick --full, cached; the tree has 8,500 more files that the rules leave out'],
    })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
