/**
 * `npm run test:mutants -- <folder or file below src>`: small wrong changes of the sources, and which
 * of them no unit test sees. HELP has the options.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, posix, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './bootstrap/paths.mjs'
import { chosenMutants, countPlaces } from './testing/mutants/choice.mjs'
import { TestImports } from './testing/mutants/nearTests.mjs'
import { placeKey } from './testing/mutants/reach.mjs'
import { scoreTable, survivorLine } from './testing/mutants/report.mjs'
import { isSeen, limitAfter, limitOf, testsThatReach } from './testing/mutants/trial.mjs'
import { killAll } from './testing/process.mjs'

const HELP = `usage: npm run test:mutants -- <folder or file below src>... [options]

Makes small wrong changes ("mutants") in TypeScript sources, one at a time, and
runs the unit tests that reach it. Lists the mutants that no test sees.

  --count N    mutants to make (default 40)
  --seed N     chooses them; the same seed and sources give the same (default 1)
  --all        also run tests of commands and tools
  --list       list the mutants and run nothing
  --json FILE  write all results to FILE

No file is changed: Vite loads the one module with the change. Tests that start
the built command or a worker do not load it, so they see no mutant. A mutant
counts as seen when its tests take more than 5 times as long as usual.
Some mutants change nothing that can be observed; 100 % is not the aim.
`

/** Runs at the same time; each starts one worker. */
const AT_ONCE = 2
/** On each mutant tests of one kind that together take no longer: it is sought to be seen, not seen by all. */
const MOST_MS = 30_000
const COMMAND_PROJECTS = ['command', 'tools', 'disk']

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    killAll()
    process.exit(130)
  })
}

async function main() {
  const request = requestOf(process.argv.slice(2))
  if (request.isHelp) return process.stdout.write(HELP)
  const sources = sourcesIn(request.places)
  const mutants = chosenMutants(sources, request)
  process.stdout.write(
    `${mutants.length} mutants of ${countPlaces(sources)} places in ${sources.size} files, seed ${request.seed}\n`,
  )
  if (request.isList) {
    for (const mutant of mutants) process.stdout.write(`${survivorLine({ mutant })}\n`)
    return
  }
  if (mutants.length === 0) return
  const results = await judged(mutants, request.isWhole)
  const survivors = results.filter(({ outcome }) => outcome === 'none' || outcome === 'untested')
  const lines = survivors.map((result) => survivorLine(result)).toSorted()
  process.stdout.write(`\nNot seen:\n${lines.map((line) => `${line}\n`).join('') || 'none\n'}\n`)
  process.stdout.write(`${scoreTable(results)}\n`)
  if (request.json) writeFileSync(request.json, `${JSON.stringify({ ...request, results }, null, 2)}\n`)
}

function requestOf(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      all: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  for (const name of ['count', 'seed']) {
    if (!/^\d+$/.test(values[name])) throw new Error(`--${name} ${values[name]}: not a whole number`)
  }
  return {
    isHelp: values.help || positionals.length === 0,
    places: positionals,
    count: Number(values.count),
    seed: Number(values.seed),
    isWhole: values.all,
    isList: values.list,
    json: values.json,
  }
}

/** The sources in folders and files below src, by path from the repository's top. */
function sourcesIn(places) {
  const found = new Map()
  for (const place of places) {
    const top = relative(ROOT, resolve(ROOT, place)).replaceAll('\\', '/')
    if (top !== 'src' && !top.startsWith('src/')) throw new Error(`${place}: not below src`)
    const stat = statSync(join(ROOT, top), { throwIfNoEntry: false })
    if (!stat) throw new Error(`${place}: no such file or folder`)
    const names = stat.isDirectory()
      ? readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
          .map((name) => posix.join(top, name.replaceAll('\\', '/')))
          .toSorted()
      : [top]
    for (const name of names.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))) {
      found.set(name, readFileSync(join(ROOT, name), 'utf8'))
    }
  }
  return found
}

/**
 * Every mutant with its outcome. The nearest unit tests run on all first; then, on those left, the
 * other tests that ran their place on the unchanged code.
 */
async function judged(mutants, isWhole) {
  const imports = TestImports.of(ROOT)
  const testsOf = new Map(mutants.map(({ path }) => [path, imports.testsOf(path)]))
  const outcomes = new Map()
  await judgeByNearest(mutants, (path) => testsOf.get(path).nearest, outcomes)
  const left = mutants.filter((mutant) => !outcomes.has(mutant))
  const unit = [...new Set(left.flatMap(({ path }) => testsOf.get(path).unit))]
  await judgeByReach(left, { outcome: 'unit', projects: ['unit'], tests: unit }, outcomes)
  if (isWhole)
    await judgeByReach(left, { outcome: 'commands', projects: COMMAND_PROJECTS, tests: [] }, outcomes)
  return mutants.map((mutant) => {
    const isLoaded = testsOf.get(mutant.path).nearest.length > 0
    return { mutant, outcome: outcomes.get(mutant) ?? (isLoaded ? 'none' : 'untested') }
  })
}

async function judgeByNearest(mutants, testsOf, outcomes) {
  const tried = mutants.filter(({ path }) => testsOf(path).length > 0)
  if (tried.length === 0) return
  const tests = [...new Set(tried.flatMap(({ path }) => testsOf(path)))]
  process.stdout.write(`nearest tests: ${tests.length} files on the unchanged code\n`)
  const limitMs = await limitOf(['unit'], tests)
  const progress = new Progress('nearest tests', tried.length)
  await eachOf(tried, async (mutant) => {
    const seen = await isSeen(mutant, ['unit'], testsOf(mutant.path), limitMs)
    if (seen) outcomes.set(mutant, 'nearest')
    progress.step(seen ? '' : survivorLine({ mutant }))
  })
}

/** Runs tests on the mutants without an outcome that is better than `none`. */
async function judgeByReach(given, { outcome, projects, tests }, outcomes) {
  const mutants = given.filter((mutant) => (outcomes.get(mutant) ?? 'none') === 'none')
  if (mutants.length === 0 || (outcome === 'unit' && tests.length === 0)) return
  const what = `${outcome === 'unit' ? 'other unit' : 'command'} tests`
  process.stdout.write(`${what}: what they run on the unchanged code\n`)
  const reached = await testsThatReach(projects, tests, mutants)
  const progress = new Progress(what, mutants.length)
  await eachOf(mutants, async (mutant) => {
    const key = placeKey(mutant.path, mutant.start)
    const reaching = quickest(reached.filter(({ places }) => places.includes(key)))
    if (reaching.length > 0) {
      const limitMs = limitAfter(reaching.reduce((sum, { ms }) => sum + ms, 0))
      const files = reaching.map(({ test }) => test)
      outcomes.set(mutant, (await isSeen(mutant, projects, files, limitMs)) ? outcome : 'none')
    }
    const isLeft = outcomes.get(mutant) !== outcome
    progress.step(isLeft ? survivorLine({ mutant }) : '')
  })
}

/** Of files in the order of their time as many as take MOST_MS together, and one at least. */
function quickest(files) {
  let sum = 0
  const end = files.findIndex(({ ms }, at) => (sum += ms) > MOST_MS && at > 0)
  return end === -1 ? files : files.slice(0, end)
}

/** Does something with each item, a few at a time. */
async function eachOf(items, run) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Lines such as `nearest tests 12/40, 3 min left`. */
class Progress {
  #name
  #total
  #done = 0
  #began = performance.now()

  constructor(name, total) {
    this.#name = name
    this.#total = total
  }

  step(survivor) {
    this.#done += 1
    const leftMs = ((performance.now() - this.#began) / this.#done) * (this.#total - this.#done)
    const left = leftMs < 90_000 ? `${Math.ceil(leftMs / 1000)} s` : `${Math.ceil(leftMs / 60_000)} min`
    const note = survivor === '' ? '' : `, not seen: ${survivor}`
    process.stdout.write(`${this.#name} ${this.#done}/${this.#total}, ${left} left${note}\n`)
  }
}

try {
  await main()
} catch (error) {
  killAll()
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
