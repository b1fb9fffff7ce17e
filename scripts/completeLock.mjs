/**
 * Completes package-lock.json: a lock made against a registry that offers only some platforms' packages lacks the optional
 * packages of the others, and `npm ci` then refuses it everywhere. Each one missing gets an entry with its version,
 * operating system and processor, read off its name; npm fills in the rest where that platform installs it.
 * Run after every change of the dependencies: `node scripts/completeLock.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './bootstrap/paths.mjs'

const LOCK_FILE = join(ROOT, 'package-lock.json')
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'x64', 'ppc64', 'riscv64', 's390x', 'loong64']

/** The lock with an entry for every optional dependency, and the names of those added. The given one is not changed. */
export function completeLock(lock) {
  const packages = { ...lock.packages }
  const added = []
  for (const [parent, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isResolved(lock.packages, parent, name)) continue
      const stub = stubOf(name, version)
      // Nested as npm would nest it never happens for platform packages: their one parent is at the top.
      packages[`node_modules/${name}`] = entry.dev ? { ...stub, dev: true } : stub
      added.push(name)
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')))
  return { lock: { ...lock, packages: sorted }, added }
}

function isResolved(packages, parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

function stubOf(name, version) {
  if (!/^\d+\.\d+\.\d+/.test(version))
    throw new Error(`${name}@${version}: only exact versions can be completed`)
  const words = name.split(/[/-]/)
  const os = SYSTEMS.find((system) => words.includes(system)) ?? (words.includes('win') ? 'win32' : undefined)
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  if (os === undefined || cpu === undefined)
    throw new Error(`${name}: its name tells no platform; install it where it is offered`)
  const libc = words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {}
  return { version, cpu: [cpu], ...libc, optional: true, os: [os] }
}

if (process.argv[1]?.endsWith('completeLock.mjs')) {
  const { lock, added } = completeLock(JSON.parse(readFileSync(LOCK_FILE, 'utf8')))
  if (added.length > 0) writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`)
  process.stdout.write(`${added.length} entries added to package-lock.json\n`)
}
