import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { headerVersions } from './headerPackages.mjs'
import { findCommand, modernNode, ROOT } from './paths.mjs'
import { addonPlace, HERE, prebuiltAddress, takePrebuilt } from './prebuiltAddon.mjs'
import { fingerprint, readStamps, writeStamp } from './stamps.mjs'
import { StepFailure } from './stepRunner.mjs'

const ADDON = addonPlace(HERE)
/** The contract is built from the shapes of the domain, so that every bundle has some of it. */
const SHARED = [
  'src/language',
  'vite.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
  'src/primitives',
  'src/domain',
  'src/contract',
]
const ENGINE = [...SHARED, 'src/engine', 'fleet', 'assets']

/** Every bundle: what it is made of, and the file that shows that it is there. */
const BUNDLES = {
  main: { inputs: [...SHARED, 'src/files', 'src/main', 'assets'], output: 'dist/main/main.cjs' },
  preload: { inputs: [...SHARED, 'src/preload'], output: 'dist/preload/preload.cjs' },
  engine: { inputs: ENGINE, output: 'dist/engine/engine.cjs' },
  cli: { inputs: [...ENGINE, 'src/files', 'src/cli'], output: 'dist/cli/stowage.cjs' },
  renderer: { inputs: [...SHARED, 'renderer', 'assets'], output: 'dist/renderer/index.html' },
}

/** The bundles that a goal runs. */
export function neededBundles(goal, { display }) {
  if (goal === 'test' || goal === 'package') return Object.keys(BUNDLES)
  return goal === 'start' && display ? ['main', 'preload', 'engine', 'renderer'] : ['cli']
}

/**
 * Whether the native addon must be compiled: it is missing or a source of it changed, and no prebuilt one could be taken. Without an
 * address of prebuilt ones nothing is tried; with one that has none, a line says why.
 */
export async function mustCompile(runner) {
  const current = nativeFingerprint()
  if (readStamps().native === current && existsSync(join(ROOT, ADDON))) return false
  const address = prebuiltAddress()
  if (address === null) return true
  const reason = await takePrebuilt(address, join(ROOT, ADDON))
  runner.say(
    reason === null
      ? `  native addon taken from ${address}`
      : `  no prebuilt native addon, it will be compiled: ${reason}`,
  )
  if (reason === null) writeStamp('native', current)
  return reason !== null
}

/**
 * Compiles the native addon in its release form.
 * @throws StepFailure naming the compiler's first error.
 */
export async function compileNative(runner) {
  const cmake = findCommand('cmake')
  if (cmake === null) throw new StepFailure('native addon: cmake is missing')
  await runner.step('native addon built', async () => {
    const options = { cwd: join(ROOT, 'native'), what: 'native build' }
    await runner.command('native-configure', cmake, [FRESH, '--preset', 'release'], options)
    await runner.command('native-release', cmake, ['--build', '--preset', 'release'], {
      ...options,
      onLog: compilingLine,
    })
    if (!existsSync(join(ROOT, ADDON))) throw new StepFailure(`native build failed: it made no ${ADDON}`)
  })
  writeStamp('native', nativeFingerprint())
}

/** Settings of before are not read: those of a checkout that was moved or copied name the other place. */
export const FRESH = '--fresh'

/**
 * How far Ninja is by its log, and about how long it still takes; null before it has done anything.
 * @param {string} log
 * @param {number} elapsedMs since it began
 */
export function compilingLine(log, elapsedMs) {
  const [, done, total] = [...log.matchAll(/^\[(\d+)\/(\d+)\] (?!Re-checking)/gm)].at(-1) ?? []
  if (done === undefined) return null
  const leftSeconds = Math.ceil((elapsedMs * (total - done)) / done / 5000) * 5
  return `compiling the native addon: ${done} of ${total} steps, about ${leftSeconds} s left`
}

function nativeFingerprint() {
  return `${process.arch} ${fingerprint(['native'])} ${headerVersions()}`
}

/**
 * Makes the named bundles whose sources changed or that are missing, side by side.
 * @throws StepFailure naming the first bundle that failed and why.
 */
export async function ensureBundles(runner, names) {
  const stamps = readStamps()
  const due = names
    .map((name) => ({ name, ...BUNDLES[name], current: fingerprint(BUNDLES[name].inputs) }))
    .filter(
      (bundle) =>
        stamps[`bundle ${bundle.name}`] !== bundle.current || !existsSync(join(ROOT, bundle.output)),
    )
  if (due.length === 0) return
  const node = modernNode()
  if (node === null)
    throw new StepFailure('bundles: Node 24 or newer is needed on this platform; install it and try again')
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  await runner.step(`bundles made: ${due.map((bundle) => bundle.name).join(', ')}`, async () => {
    const outcomes = await Promise.allSettled(
      due.map(async (bundle) => {
        const what = `bundle ${bundle.name}`
        const how =
          bundle.name === 'renderer' ? ['--config', 'renderer/vite.config.ts'] : ['--mode', bundle.name]
        const argv = [vite, 'build', ...how, '--logLevel', 'warn']
        await runner.command(`bundle-${bundle.name}`, node, argv, { what })
        if (!existsSync(join(ROOT, bundle.output)))
          throw new StepFailure(`${what} failed: it made no ${bundle.output}`)
        writeStamp(what, bundle.current)
      }),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  })
}
