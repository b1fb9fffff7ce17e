import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { npmProgram } from './nodePackages.mjs'
import { CACHE, findCommand, ROOT } from './paths.mjs'
import { StepFailure } from './stepRunner.mjs'

/** The npm packages whose headers the native addon is compiled with. */
export const HEADERS = ['node-addon-api', 'node-api-headers', 'xxhash-addon']
/** Where CMake finds them, so that it need not wait for all other packages. */
const FOLDER = join(CACHE, 'headers')

/**
 * Puts the header packages of the lock into `.cache/headers`: from `node_modules` where they are installed, else by `npm pack`.
 * @throws StepFailure where one cannot be had, or its archive has not the lock's digest
 */
export async function headerPackages(runner) {
  const missing = lockedHeaders().filter(({ name, version }) => versionIn(join(FOLDER, name)) !== version)
  if (missing.length === 0) return
  mkdirSync(FOLDER, { recursive: true })
  const scratch = mkdtempSync(join(CACHE, 'headers-'))
  try {
    const packed = missing.filter(({ name, version }) => {
      const installed = join(ROOT, 'node_modules', name)
      if (versionIn(installed) !== version) return true
      cpSync(installed, join(scratch, name), { recursive: true })
      return false
    })
    if (packed.length > 0) await unpackInto(runner, scratch, packed)
    for (const { name } of missing) {
      rmSync(join(FOLDER, name), { recursive: true, force: true })
      renameSync(join(scratch, name), join(FOLDER, name))
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The header packages with their versions, as the lock has them. */
export function headerVersions() {
  return lockedHeaders()
    .map(({ name, version }) => `${name}@${version}`)
    .join(' ')
}

function lockedHeaders() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return HEADERS.map((name) => {
    const { version, integrity } = lock.packages[`node_modules/${name}`]
    return { name, version, integrity }
  })
}

async function unpackInto(runner, scratch, packages) {
  const names = packages.map(({ name, version }) => `${name}@${version}`)
  const [program, ...argv] = npmProgram()
  const pack = ['pack', ...names, '--pack-destination', scratch, '--ignore-scripts', '--loglevel=error']
  await runner.command('npm-pack', program, [...argv, ...pack], { what: 'npm pack', isLeashed: true })
  for (const { name, version, integrity } of packages) {
    const archive = `${name}-${version}.tgz`
    if (!readdirSync(scratch).includes(archive)) throw new StepFailure(`npm pack made no ${archive}`)
    requireLocked(join(scratch, archive), integrity)
    mkdirSync(join(scratch, name))
    const tar = ['-xzf', join(scratch, archive), '-C', join(scratch, name), '--strip-components=1']
    await runner.command('npm-pack', findCommand('tar') ?? 'tar', tar, { what: archive, append: true })
  }
}

/**
 * Checks that an archive is the one that the lock names.
 * @param {string} archive its path
 * @param {string} integrity `sha512-` and the digest in Base64
 * @throws StepFailure for another one
 */
export function requireLocked(archive, integrity) {
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (`sha512-${digest}` === integrity) return
  throw new StepFailure(
    `${basename(archive)} is not the package of package-lock.json: it has another SHA-512`,
  )
}

/** The version of the package in a folder; null where there is none. */
function versionIn(folder) {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null
}
