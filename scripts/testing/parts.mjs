import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FRESH } from '../bootstrap/builds.mjs'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { LONG_ALONE, WITHOUT_LONG } from './longTests.mjs'
import { cmake, runCheck, runCtest, runVitest } from './runs.mjs'

/**
 * What the parts of a project of `npm test` may take together, in CPU seconds on an idle machine:
 * whoever changes something waits for all of them.
 */
export const BUDGETS = { static: 110, unit: 150, command: 300, tools: 150, window: 300 }

/**
 * What `npm test` and `npm run test:native` run: stages one after another, each of lanes that run side by side, each lane's parts in
 * order. Tests of windows mostly wait: beside them the others run, which give way to them; both lanes take about as long. With
 * `isWhole` follow the tests that are too long for every change; those of how soon something answers by the clock come last and
 * alone, as a machine busy with other tests answers later. The sanitizers, whose builds take as long as all of these, are a command
 * of their own.
 * @param {'app' | 'native' | 'windows' | 'arm' | 'packages' | 'spark'} suite
 * @param {string | undefined} filter keeps the parts whose name holds it, or hands it to the tests' own filters; it looks into all parts
 */
export function testStages(suite, filter, isWhole = false) {
  const stages = suite === 'app' ? appStages(filter !== undefined, isWhole) : STAGES[suite]()
  return stages.map((lanes) => lanes.map((lane) => lane.flatMap((part) => narrowed(part, filter))))
}

function appStages(isFiltered, isWhole) {
  if (isFiltered) return [[[...checks(), ...tests()], longTests()]]
  const [tools, command, chromium, electron, unit] = tests(WITHOUT_LONG)
  const daily = [
    [tools, command],
    [...checks(), chromium, electron, unit],
  ]
  if (!isWhole) return [daily]
  const [longTools, longCommand, longChromium, longElectron, longUnit] = tests(LONG_ALONE, true)
  const [latency, ...others] = longTests()
  const rest = [
    [longTools, longCommand],
    [longChromium, longElectron, longUnit, ...others],
  ]
  return [daily, rest, [[latency]]]
}

function checks() {
  const script = (name, file, ...argv) =>
    check(name, [modernNode() ?? process.execPath, join(ROOT, 'node_modules', file), ...argv])
  const clangFormat = [findCommand('clang-format-14') ?? 'clang-format-14', '--dry-run', '-Werror']
  const parts = [
    // Several checkers each check the types that all rooms share: one takes half of the CPU time.
    script('type check', 'typescript/bin/tsc', '-b', '--checkers', '1'),
    script('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
    script('format', '@biomejs/biome/bin/biome', 'check'),
    check('C++ format', [...clangFormat, ...cxxFiles()]),
  ]
  for (const part of parts) part.budget = 'static'
  return parts
}

/**
 * @param {string[]} argv Vitest's options that choose by tag
 * @param {boolean} isLong of the tests tagged `long` alone: they have no budget
 */
function tests(argv = [], isLong = false) {
  const part = (budget, name, projects, options) => {
    const named = vitest(isLong ? `${name}, long` : name, projects, { ...options, argv })
    return isLong ? named : { ...named, budget }
  }
  return [
    part('tools', 'tests with tools and disks', ['tools', 'disk'], { givesWay: true }),
    part('command', 'tests of commands', ['command'], { givesWay: true }),
    part('window', 'window tests in Chromium', ['chromium'], { isWindowed: true }),
    part('window', 'window tests in Electron', ['e2e'], { isWindowed: true }),
    part('unit', 'unit tests', ['unit'], { givesWay: true }),
  ]
}

/** Projects that are too long for every change as a whole. */
function longTests() {
  return [
    vitest('latency tests', ['latency']),
    vitest('looks in Chromium', ['looks'], { isWindowed: true }),
    vitest('CPU time of the window in Electron', ['window-cpu-time'], { isWindowed: true }),
    vitest('CPU time tests', ['cpu-time'], { isWindowed: true }),
  ]
}

function packagesStages() {
  return [[[vitest('packages', ['packages'])]]]
}

function sparkStages() {
  return [[[vitest('fingerprints on Spark', ['spark'])]]]
}

function windowsStages() {
  return [[[vitest('Windows command line under Wine', ['windows'])]]]
}

function armStages() {
  return [[[vitest('command line for ARM in an emulator', ['arm'])]]]
}

function nativeStages() {
  const clangTidy = (name, preset, ...argv) =>
    check(name, cmake(FRESH, '-S', 'native', '--preset', preset), [
      findCommand('run-clang-tidy-14') ?? 'run-clang-tidy-14',
      '-quiet',
      '-p',
      join(ROOT, '.cache/cmake', preset),
      ...argv,
    ])
  return [
    [
      [{ name: 'C++ tests with ASan and UBSan', run: (inner) => runCtest('asan', inner) }],
      [
        { name: 'C++ tests with TSan', run: (inner) => runCtest('tsan', inner) },
        clangTidy('clang-tidy', 'tidy'),
        // Each file by itself: it includes what it uses, and no name hides another.
        clangTidy(
          'C++ files one by one',
          'single',
          '-checks=-*,clang-diagnostic-*,readability-duplicate-include',
        ),
      ],
    ],
  ]
}

const STAGES = {
  native: nativeStages,
  windows: windowsStages,
  arm: armStages,
  packages: packagesStages,
  spark: sparkStages,
}

function vitest(name, projects, { argv = [], ...options } = {}) {
  const chosen = [...projects.flatMap((project) => ['--project', project]), ...argv]
  const narrow = (inner) => (inner === undefined ? [] : ['--passWithNoTests', inner])
  return {
    name,
    projects,
    run: (inner) => runVitest({ argv: [...chosen, ...narrow(inner)], ...options }),
  }
}

function check(name, ...commands) {
  return { name, run: () => runCheck(commands, { givesWay: true }), isCheck: true }
}

/** Every C++ source and header of ours, from the repository's top. */
function cxxFiles() {
  return readdirSync(join(ROOT, 'native'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cc|h)$/.test(name))
    .map((name) => `native/${name}`)
    .toSorted()
}

/** The part as the filter wants it: whole, when its name holds the filter; not at all, when it is one check; else filtered inside. */
function narrowed(part, filter) {
  if (filter === undefined || part.name.toLowerCase().includes(filter.toLowerCase())) return [part]
  return part.isCheck ? [] : [{ ...part, run: () => part.run(filter) }]
}
