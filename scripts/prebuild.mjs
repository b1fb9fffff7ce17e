/**
 * `npm run prebuild [-- <target>…]`: compiles the native addon for all platforms, or those named, on Debian 12 (x64), and packs each
 * into `build/prebuilt` with SHA256SUMS. Libraries and compilers are kept in `.cache`.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { FRESH } from './bootstrap/builds.mjs'
import { headerPackages } from './bootstrap/headerPackages.mjs'
import { nodePackages } from './bootstrap/nodePackages.mjs'
import { osPackages } from './bootstrap/osPackages.mjs'
import { findCommand, ROOT } from './bootstrap/paths.mjs'
import { archiveName } from './bootstrap/prebuiltAddon.mjs'
import { singleRun } from './bootstrap/singleRun.mjs'
import { StepFailure, StepRunner } from './bootstrap/stepRunner.mjs'
import { packAddon, writeSums } from './prebuild/archive.mjs'
import { DebianArchive } from './prebuild/debian.mjs'
import { ensureLibraries } from './prebuild/libraries.mjs'
import { TARGETS } from './prebuild/targets.mjs'
import { ensureZig } from './prebuild/zig.mjs'

const INTO = join(ROOT, 'build', 'prebuilt')

const runner = new StepRunner()
const asked = process.argv.slice(2)
const targets = asked.length === 0 ? Object.keys(TARGETS) : asked
try {
  const unknown = targets.find((target) => TARGETS[target] === undefined)
  if (unknown !== undefined)
    throw new StepFailure(`unknown target ${unknown}; there are ${Object.keys(TARGETS).join(', ')}`)
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new StepFailure(
      'the addons of all platforms are compiled on Linux x64, with the packages of Debian 12',
    )
  await singleRun(runner, prebuild)
} catch (error) {
  if (!(error instanceof StepFailure)) throw error
  process.stderr.write(`stowage: ${error.message}\n`)
  process.exitCode = 1
}

async function prebuild() {
  const installations = [
    nodePackages(runner),
    osPackages(runner, 'prebuild', { display: false, compiles: true }),
  ]
  for (const installation of installations) {
    for (const line of installation?.announced ?? []) runner.say(`  ${line}`)
    await installation?.install()
  }
  await headerPackages(runner)
  const debian = new DebianArchive(runner)
  if (targets.some((target) => TARGETS[target].zig !== undefined)) await ensureZig(runner)
  mkdirSync(INTO, { recursive: true })
  for (const target of targets) {
    await ensureLibraries(runner, debian, target)
    await runner.step(`addon of ${target}`, () => compile(target))
    // Those of other sources would never be taken.
    for (const name of readdirSync(INTO))
      if (name.startsWith(`stowage-addon-${target}-`) && name !== archiveName(target))
        rmSync(join(INTO, name))
    const archive = packAddon(target, INTO)
    runner.say(`  ${relative(ROOT, archive)}: ${statSync(archive).size} bytes`)
  }
  writeSums(INTO)
}

async function compile(target) {
  const cmake = findCommand('cmake') ?? 'cmake'
  const options = { cwd: join(ROOT, 'native'), what: `addon of ${target}` }
  await runner.command(`native-${target}`, cmake, [FRESH, '--preset', target], options)
  await runner.command(`native-${target}`, cmake, ['--build', '--preset', target], {
    ...options,
    append: true,
  })
}
