/**
 * Kills every command that writes at chosen system calls and has others fail (a full disk, EIO, EACCES), and looks whether
 * anything was lost or half done was called done, or whether the catalog calls a copy good that is not. Linux,
 * with cc. Run with Node 24 after building (node scripts/bootstrap.mjs test):
 *   node tests/bench/faults/run.ts [--kills 200] [--errors 100] [--seed 1] [--only COMMAND]… [--jobs 2] [--place DIR] [--list]
 * Ends with 1 if anything was violated. What has to hold:
 *   after a kill or an error      each target is the old one or the new one, whole; files of the person's exist unchanged;
 *                                 exit code 0 only with all targets new; the error is named in one line and leaves
 *                                 nothing else behind; the catalog is sound and names nothing that is not there
 *   after the next, quiet run     it succeeds with the result of a run without faults, the person's files are in their
 *                                 places, and no other name is left beside the targets, in the data folder or in TMPDIR
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { compileFaults } from './faultedCommand.ts'
import { makeSource, scenarios } from './scenarios.ts'
import { type Tally, tryScenario } from './tryScenario.ts'
import { plainOrThrow } from './workplace.ts'

const { values: given } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    errors: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    place: { type: 'string', default: tmpdir() },
    list: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(resolve(given.place), 'stowage-faults-'))
const startedMs = performance.now()
try {
  const seed = Number(given.seed)
  const source = join(folder, 'source')
  mkdirSync(source)
  makeSource(source, seededRandom(seed))
  const surveyFile = join(folder, 'survey.json')
  const otherSketch = join(folder, 'other.sketch')
  const all = scenarios(surveyFile, otherSketch, seededRandom(seed + 1)).filter(
    ({ name }) => given.only === undefined || given.only.some((part) => name.includes(part)),
  )
  if (given.list) for (const { name } of all) console.log(name)
  else {
    const library = compileFaults(folder)
    const first = { folder, source, out: folder, home: join(folder, 'home'), tmp: folder }
    await plainOrThrow(first, ['survey', source, '--samples', 'fast', '--sha256', '--out', surveyFile])
    const other = join(folder, 'other')
    mkdirSync(other)
    makeSource(other, seededRandom(seed + 2))
    await plainOrThrow(first, ['survey', other, '--samples', 'none', '--sketch', otherSketch])
    const shares = all.reduce((sum, { share = 1 }) => sum + share, 0)
    const of = (wanted: string, share: number) => Math.ceil((Number(wanted) * share) / shares)
    const tallies = new Map<string, Tally>()
    const waiting = all.map((scenario, index) => ({ scenario, index }))
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { scenario, index } = next
        const { name, share = 1 } = scenario
        const tally = await tryScenario(scenario, {
          library,
          source,
          folder: join(folder, String(index)),
          kills: of(given.kills, share),
          errors: of(given.errors, share),
          random: seededRandom(seed * 1000 + index),
        }).catch((thrown: unknown) => {
          const failed = `it cannot be tried: ${thrown instanceof Error ? thrown.message : String(thrown)}`
          return { calls: 0, kills: 0, errors: 0, violations: [failed] }
        })
        tallies.set(name, tally)
        for (const violation of tally.violations) console.log(`${name}: ${violation}`)
        rmSync(join(folder, String(index)), { recursive: true, force: true })
      }
    }
    await Promise.all(Array.from({ length: Number(given.jobs) }, work))
    report(all.map(({ name }) => [name, tallies.get(name) as Tally]))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function report(rows: readonly (readonly [string, Tally])[]): void {
  const line = (cells: readonly (string | number)[]) =>
    `${String(cells[0]).padEnd(32)}${cells
      .slice(1)
      .map((cell) => String(cell).padStart(11))
      .join('')}`
  console.log(`\n${line(['command', 'calls', 'kills', 'errors', 'violations'])}`)
  const total: Tally = { calls: 0, kills: 0, errors: 0, violations: [] }
  for (const [name, { calls, kills, errors, violations }] of rows) {
    console.log(line([name, calls, kills, errors, violations.length]))
    total.calls += calls
    total.kills += kills
    total.errors += errors
    total.violations.push(...violations)
  }
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  console.log(
    `${rows.length} commands, ${total.calls} calls, ${total.kills} kills, ${total.errors} errors, ` +
      `${total.violations.length} violations; ${minutes} min`,
  )
  process.exitCode = total.violations.length === 0 ? 0 : 1
}
