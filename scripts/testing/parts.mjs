import { join } from 'node:path'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { cxxFiles, runClangTidy, runCxxTests } from './cxxParts.mjs'
import { runToEnd } from './process.mjs'
import { oneFailed, onePassed } from './tally.mjs'
import { runVitest } from './vitestPart.mjs'

const VITEST_PARTS = [
  { name: 'unit tests', project: 'unit' },
  { name: 'integration tests', project: 'integration' },
  { name: 'window tests in Chromium', project: 'chromium', isWindowed: true },
  { name: 'window tests in Electron', project: 'e2e', isWindowed: true },
]

/**
 * What `npm test` runs, as lanes that run side by side, each lane's parts in order. Tests of real tools and of windows mostly
 * wait: beside them C++ is built and looked through, which gives way to them (see `givesWay`).
 * @param {string | undefined} filter keeps the parts whose name holds it, or hands it to the tests' own filters
 */
export function testParts(filter) {
  const node = modernNode() ?? process.execPath
  const scripts = [
    check('type check', node, [inModules('typescript/bin/tsc'), '-b']),
    check('lint', node, [inModules('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']),
    check('format', node, [inModules('@biomejs/biome/bin/biome'), 'check']),
  ]
  const cxx = [
    check('C++ format', findCommand('clang-format-14') ?? 'clang-format-14', [
      '--dry-run',
      '-Werror',
      ...cxxFiles(),
    ]),
    { name: 'C++ tests with ASan and UBSan', run: (inner) => runCxxTests('asan', inner) },
    { name: 'C++ tests with TSan', run: (inner) => runCxxTests('tsan', inner) },
  ]
  const tidy = { name: 'clang-tidy', run: () => runClangTidy(), isCheck: true }
  const vitest = VITEST_PARTS.map((part) => ({
    name: part.name,
    run: (inner) =>
      runVitest({
        argv: ['--project', part.project, ...(inner ? ['--passWithNoTests', inner] : [])],
        isWindowed: part.isWindowed ?? false,
      }),
  }))
  const lanes = [
    [...scripts, ...vitest],
    [...cxx, tidy],
  ]
  return lanes.map((lane) => lane.flatMap((part) => narrowed(part, filter)))
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
