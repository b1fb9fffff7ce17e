import { join } from 'node:path'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { cxxFiles, runClangTidy, runCxxTests } from './cxxParts.mjs'
import { runToEnd } from './process.mjs'
import { oneFailed, onePassed } from './tally.mjs'
import { runVitest } from './vitestPart.mjs'

const VITEST_PARTS = [
  { name: 'unit tests', project: 'unit', givesWay: true },
  { name: 'integration tests', project: 'integration', givesWay: true },
  { name: 'window tests in Chromium', project: 'chromium', isWindowed: true },
  { name: 'window tests in Electron', project: 'e2e', isWindowed: true },
  { name: 'latency tests', project: 'latency' },
]

/**
 * What `npm test` and `npm run test:native` run: stages one after another, each of lanes that run side by side, each lane's parts in
 * order. Tests of windows mostly wait: beside them the others run, which give way to them. Tests of how soon something answers come
 * last and alone, as a machine busy with other tests answers later. The sanitizers, whose builds take as long as all of these, are a
 * command of their own.
 * @param {'app' | 'native'} suite
 * @param {string | undefined} filter keeps the parts whose name holds it, or hands it to the tests' own filters
 */
export function testStages(suite, filter) {
  return (suite === 'native' ? nativeStages() : appStages()).map((lanes) =>
    lanes.map((lane) => lane.flatMap((part) => narrowed(part, filter))),
  )
}

function appStages() {
  const node = modernNode() ?? process.execPath
  const scripts = [
    check('type check', node, [inModules('typescript/bin/tsc'), '-b']),
    check('lint', node, [inModules('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']),
    check('format', node, [inModules('@biomejs/biome/bin/biome'), 'check']),
  ]
  const cxxFormat = check('C++ format', findCommand('clang-format-14') ?? 'clang-format-14', [
    '--dry-run',
    '-Werror',
    ...cxxFiles(),
  ])
  const vitest = VITEST_PARTS.map((part) => ({
    name: part.name,
    run: (inner) =>
      runVitest({
        argv: ['--project', part.project, ...(inner ? ['--passWithNoTests', inner] : [])],
        isWindowed: part.isWindowed ?? false,
        givesWay: part.givesWay ?? false,
      }),
  }))
  const [unit, integration, chromium, electron, latency] = vitest
  return [
    [
      [unit, integration],
      [...scripts, cxxFormat, chromium, electron],
    ],
    [[latency]],
  ]
}

function nativeStages() {
  const tests = (name, preset) => ({ name, run: (inner) => runCxxTests(preset, inner) })
  return [
    [
      [tests('C++ tests with ASan and UBSan', 'asan')],
      [
        tests('C++ tests with TSan', 'tsan'),
        { name: 'clang-tidy', run: () => runClangTidy(), isCheck: true },
      ],
    ],
  ]
}

function check(name, program, argv) {
  return { name, run: () => runCheck(name, program, argv), isCheck: true }
}

/** The part as the filter wants it: whole, when its name holds the filter; not at all, when it is one check; else filtered inside. */
function narrowed(part, filter) {
  if (filter === undefined || part.name.toLowerCase().includes(filter.toLowerCase())) return [part]
  return part.isCheck ? [] : [{ ...part, run: () => part.run(filter) }]
}

async function runCheck(name, program, argv) {
  const outcome = await runToEnd(program, argv)
  return { tally: outcome.ok ? onePassed() : oneFailed(outcome.ended), output: `${name}\n${outcome.output}` }
}

function inModules(path) {
  return join(ROOT, 'node_modules', path)
}
