import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCommand, ROOT } from '../bootstrap/paths.mjs'
import { tallyOfJunit } from './junit.mjs'
import { runToEnd } from './process.mjs'
import { addTallies, oneFailed, onePassed } from './tally.mjs'

const NATIVE = join(ROOT, 'native')

/** Every C++ source and header of ours, from the repository's top. */
export function cxxFiles() {
  if (!existsSync(NATIVE)) return []
  return readdirSync(NATIVE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cc|h)$/.test(name))
    .map((name) => `native/${name}`)
    .toSorted()
}

/**
 * Builds a preset with sanitizers and runs its GoogleTest cases through CTest, each counted by itself.
 * A case that crashes or that a sanitizer stops is a failure, and so is a build that fails or a run without any case.
 * @param {'asan' | 'tsan'} preset
 * @param {string | undefined} filter keeps the cases whose name matches it
 */
export async function runCxxTests(preset, filter) {
  const cmake = findCommand('cmake') ?? 'cmake'
  let output = ''
  for (const argv of [
    ['--preset', preset],
    ['--build', '--preset', preset],
  ]) {
    const outcome = await runToEnd(cmake, argv, { cwd: NATIVE, givesWay: true })
    output += outcome.output
    if (!outcome.ok) return { tally: oneFailed(`build: ${outcome.ended}`), output }
  }
  const folder = mkdtempSync(join(tmpdir(), 'stowage-ctest-'))
  try {
    const report = join(folder, 'report.xml')
    const narrowed =
      filter === undefined ? ['--no-tests=error'] : ['--no-tests=ignore', '-R', literal(filter)]
    const argv = ['--preset', preset, '--output-junit', report, '--timeout', '120', ...narrowed]
    const outcome = await runToEnd(findCommand('ctest') ?? 'ctest', argv, { cwd: NATIVE })
    return { tally: tallyOf(report, outcome), output: output + outcome.output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tallyOf(report, outcome) {
  let tally
  try {
    tally = tallyOfJunit(readFileSync(report, 'utf8'))
  } catch (error) {
    return oneFailed(`no report from CTest (${outcome.ended}; ${error.message})`)
  }
  if (outcome.ok || tally.failed > 0) return tally
  return addTallies([tally, oneFailed(`no test failed, yet CTest ended with ${outcome.ended}`)])
}

/** Runs clang-tidy on every source that the addon is built of, in a few units; all of them together are one check. */
export async function runClangTidy() {
  const configured = await runToEnd(findCommand('cmake') ?? 'cmake', ['--preset', 'tidy'], { cwd: NATIVE })
  let { output } = configured
  if (!configured.ok) return { tally: oneFailed(`configuring: ${configured.ended}`), output }
  const commands = join(ROOT, '.cache/cmake/tidy')
  const queue = JSON.parse(readFileSync(join(commands, 'compile_commands.json'), 'utf8')).map(
    (entry) => entry.file,
  )
  const failures = []
  const work = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const argv = ['-p', commands, '--quiet', '--warnings-as-errors=*', file]
      const outcome = await runToEnd(findCommand('clang-tidy-14') ?? 'clang-tidy-14', argv, {
        givesWay: true,
      })
      output += outcome.output
      if (!outcome.ok) failures.push(`${file.slice(ROOT.length + 1)}: ${outcome.ended}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return { tally: failures.length === 0 ? onePassed() : oneFailed(failures.join('; ')), output }
}

function literal(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
