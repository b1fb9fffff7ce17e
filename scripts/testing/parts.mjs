import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FRESH } from '../bootstrap/builds.mjs'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { WITHOUT_LONG } from './longTests.mjs'
import { cmake, runCheck, runCtest, runVitest } from './runs.mjs'

/**
 * What `npm test` and `npm run test:native` run: stages one after another, each of lanes that run side by side, each lane's parts in
 * order. Tests of windows mostly wait: beside them the others run, which give way to them; both lanes take about as long. Tests of how soon something answers by the
 * clock come last and alone, as a machine busy with other tests answers later. The sanitizers, whose builds take as long as all of
 * these, are a command of their own.
 * @param {'app' | 'native' | 'windows' | 'arm' | 'packages'} suite
 * @param {string | undefined} filter keeps the parts whose name holds it, or hands it to the tests' own filters
 * @param {boolean} isWhole with the parts that are too long for every change, which a filter always looks into
 */
export function testStages(suite, filter, isWhole = false) {
  const withLong = isWhole || filter !== undefined
  const isWanted = (part) => withLong || !part.isLong
  return STAGES[suite](withLong).map((lanes) =>
    lanes.map((lane) => lane.filter(isWanted).flatMap((part) => narrowed(part, filter))),
  )
}

function appStages(withLong) {
  const vitest = withLong ? vitestPart : withoutLong
  const script = (name, file, ...argv) =>
    check(name, [modernNode() ?? process.execPath, join(ROOT, 'node_modules', file), ...argv])
  const clangFormat = [findCommand('clang-format-14') ?? 'clang-format-14', '--dry-run', '-Werror']
  return [
    [
      [
        vitest('tests with tools and disks', ['tools', 'disk'], { givesWay: true }),
        vitest('tests of commands', 'command', { givesWay: true }),
      ],
      [
        script('type check', 'typescript/bin/tsc', '-b'),
        script('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
        script('format', '@biomejs/biome/bin/biome', 'check'),
        check('C++ format', [...clangFormat, ...cxxFiles()]),
        vitest('window tests in Chromium', 'chromium', { isWindowed: true }),
        vitest('window tests in Electron', 'e2e', { isWindowed: true }),
        vitest('looks in Chromium', 'looks', { isWindowed: true, isLong: true }),
        vitest('CPU time of the window in Electron', 'window-cpu-time', { isWindowed: true, isLong: true }),
        vitest('CPU time tests', 'cpu-time', { isWindowed: true }),
        vitest('unit tests', 'unit', { givesWay: true }),
      ],
    ],
    [[vitest('latency tests', 'latency')]],
  ]
}

function packagesStages() {
  return [[[vitestPart('packages', 'packages')]]]
}

function windowsStages() {
  return [[[vitestPart('Windows command line under Wine', 'windows')]]]
}

function armStages() {
  return [[[vitestPart('command line for ARM in an emulator', 'arm')]]]
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
  app: appStages,
  native: nativeStages,
  windows: windowsStages,
  arm: armStages,
  packages: packagesStages,
}

/** A part whose tests of the tag `long` are left out. */
function withoutLong(name, given, options) {
  return vitestPart(name, given, { ...options, argv: WITHOUT_LONG })
}

function vitestPart(name, given, { isLong = false, argv = [], ...options } = {}) {
  const projects = [given].flat()
  const chosen = [...projects.flatMap((project) => ['--project', project]), ...argv]
  const narrow = (inner) => (inner === undefined ? [] : ['--passWithNoTests', inner])
  return {
    name,
    isLong,
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
