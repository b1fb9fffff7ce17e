import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEADERS } from './headerPackages.mjs'
import { CACHE, findCommand, ROOT } from './paths.mjs'

/** This machine's folder below `build/native`, by Node's names. */
export const HERE = `${process.platform}-${process.arch}`
/** In the folder of the archives: their digests, in the form of sha256sum. */
export const SUMS = 'SHA256SUMS'

/** What an addon is compiled from besides the static libraries; tests are not part of it. */
const SOURCES = ['CMakeLists.txt', 'CMakePresets.json', 'libraries', 'src', 'toolchains']
const FETCH_TIMEOUT_MS = 5 * 60_000

/** Where an addon is, below the repository's top folder. */
export function addonPlace(target) {
  return `build/native/${target}/stowage.node`
}

/** The archive of a target's addon, named after the sources that it is compiled from. */
export function archiveName(target) {
  return `stowage-addon-${target}-${sourceDigest()}.tar.gz`
}

/** The folder of prebuilt addons that a person or the package names: an address with `file:` or `https:`, or null. */
export function prebuiltAddress() {
  const declared = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).stowage?.prebuilt
  return process.env.STOWAGE_PREBUILT || declared || null
}

/**
 * Puts the prebuilt addon for this machine into its place, if the folder at `address` has one of these very sources. Its SHA-256 must be
 * that of the list, and it must load.
 * @param {string} address the folder's, with `file:` or `https:`
 * @param {string} place the file to make
 * @returns {Promise<string | null>} null, or why there is none
 */
export async function takePrebuilt(address, place) {
  const archive = archiveName(HERE)
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'prebuilt-'))
  try {
    const base = address.endsWith('/') ? address : `${address}/`
    const list = (await read(new URL(SUMS, base))).toString('utf8')
    const wanted = list.split('\n').find((line) => line.endsWith(` ${archive}`))
    if (wanted === undefined) return `${address} has none for ${HERE} of these sources`
    const content = await read(new URL(archive, base))
    if (createHash('sha256').update(content).digest('hex') !== wanted.slice(0, 64))
      return `${archive} is damaged: its SHA-256 is not that of ${SUMS}`
    writeFileSync(join(folder, archive), content)
    const tar = findCommand('tar') ?? 'tar'
    execFileSync(tar, ['-xzf', archive, 'stowage.node'], { cwd: folder, stdio: 'pipe' })
    const reason = refusal(join(folder, 'stowage.node'))
    if (reason !== null) return `${archive} does not load: ${reason}`
    mkdirSync(join(place, '..'), { recursive: true })
    renameSync(join(folder, 'stowage.node'), place)
    return null
  } catch (error) {
    return firstLine(error.stderr?.toString() || error.message)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function read(url) {
  if (url.protocol === 'file:') return readFileSync(fileURLToPath(url))
  if (url.protocol !== 'https:') throw new Error(`${url} is neither file: nor https:`)
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Why this Node cannot load an addon, or null. Tried in a process of its own, which it may end. */
function refusal(addon) {
  const tries =
    'try { require(process.argv[1]) } catch (error) { console.error(error.message); process.exit(1) }'
  try {
    execFileSync(process.execPath, ['-e', tries, addon], { stdio: 'pipe' })
    return null
  } catch (error) {
    return firstLine(error.stderr.toString() || error.message)
  }
}

/** A digest of names and contents, so that an addon of other sources is never taken. */
function sourceDigest() {
  const digest = createHash('sha256')
  const visit = (path, isFolder) => {
    if (!isFolder)
      return digest
        .update(`${path}\0`)
        .update(readFileSync(join(ROOT, path)))
        .update('\0')
    const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      visit(`${path}/${entry.name}`, entry.isDirectory())
  }
  for (const name of SOURCES) visit(`native/${name}`, !name.includes('.'))
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of HEADERS) digest.update(`${name} ${devDependencies[name]}\0`)
  return digest.digest('hex').slice(0, 16)
}

function firstLine(text) {
  return text.trim().split('\n')[0]
}
