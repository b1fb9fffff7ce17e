/**
 * The throughput of `stowage pipe` against mbuffer and pv on the same stream, each with the same buffer. Linux, after building:
 *   node tests/bench/speed/pipe.ts [--bytes 2000000000]… [--rounds 7] [--json FILE]
 * The programs run in turn, in another order each round; printed are the medians and the spread of the rates, and the medians of
 * the ratios to the others of the same round. A round is `head -c BYTES /dev/zero | PROGRAM | cat > /dev/null`.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ResultRow, rounded, writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: {
    bytes: { type: 'string', multiple: true, default: ['2000000000', '20000000000'] },
    rounds: { type: 'string', default: '7' },
    json: { type: 'string' },
  },
})
const STOWAGE = `'${process.execPath}' '${resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')}'`
const PROGRAMS = {
  stowage: `${STOWAGE} pipe --quiet --buffer 256MiB`,
  mbuffer: 'mbuffer -q -m 256M',
  pv: 'pv -q -B 256M',
} as const
type Program = keyof typeof PROGRAMS
const NAMES = Object.keys(PROGRAMS) as Program[]

function secondsOf(program: Program, bytes: string): number {
  const line = `set -o pipefail; head -c ${bytes} /dev/zero | ${PROGRAMS[program]} | cat > /dev/null`
  const began = performance.now()
  const { status, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return (performance.now() - began) / 1000
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
}

const spread = (values: readonly number[], digits: number): string =>
  `${quantile(values, 0.5).toFixed(digits)} [${quantile(values, 0).toFixed(digits)}, ${quantile(values, 1).toFixed(digits)}]`

/** The median and the ends of some values, as fields of a result's row. */
function fields(name: string, values: readonly number[]): ResultRow {
  const at = (share: number): number => rounded(quantile(values, share), 2)
  return { [name]: at(0.5), [`${name}Low`]: at(0), [`${name}High`]: at(1) }
}

const rows: ResultRow[] = []
for (const bytes of given.bytes) {
  const seconds: Record<Program, number[]> = { stowage: [], mbuffer: [], pv: [] }
  for (let round = 0; round < Number(given.rounds); round++) {
    const turn = NAMES.map((_, at) => NAMES[(at + round) % NAMES.length] as Program)
    for (const program of turn) seconds[program].push(secondsOf(program, bytes))
  }
  console.log(`${Number(bytes) / 1e9} GB, ${given.rounds} rounds`)
  for (const program of NAMES) {
    const rates = seconds[program].map((each) => Number(bytes) / each / 1e9)
    const ratios = seconds[program].map((each, round) => each / (seconds.stowage[round] as number))
    console.log(`  ${program}: ${spread(rates, 2)} GB/s; stowage at ${spread(ratios, 2)} of its rate`)
    const against = program === 'stowage' ? {} : fields('stowageAgainstIt', ratios)
    rows.push({ program, GB: Number(bytes) / 1e9, ...fields('GBPerSecond', rates), ...against })
  }
}
if (given.json !== undefined)
  writeResult(given.json, {
    question: 'Is the buffer of stowage pipe as fast as mbuffer and pv?',
    rows,
    notes: [`Each with a buffer of 256 MiB, ${given.rounds} rounds in turn: medians, least and most.`],
  })
