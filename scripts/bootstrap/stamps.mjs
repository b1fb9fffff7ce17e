import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, ROOT } from './paths.mjs'

const STAMP_FILE = join(CACHE, 'bootstrap.json')

/** What was done last, by step. A file that cannot be read counts as nothing done: everything is only done once more. */
export function readStamps() {
  try {
    const stamps = JSON.parse(readFileSync(STAMP_FILE, 'utf8'))
    return typeof stamps === 'object' && stamps !== null && !Array.isArray(stamps) ? stamps : {}
  } catch {
    return {}
  }
}

/** Remembers one step; the file is replaced as a whole. */
export function writeStamp(step, value) {
  const stamps = { ...readStamps(), [step]: value }
  mkdirSync(CACHE, { recursive: true })
  const beside = `${STAMP_FILE}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(stamps, null, 2)}\n`)
  renameSync(beside, STAMP_FILE)
}

/** A digest of name, size and modification time of every file in or at the given places; a place that is missing counts as such. */
export function fingerprint(places) {
  const digest = createHash('sha256')
  const visit = (path) => {
    const stat = statSync(join(ROOT, path), { throwIfNoEntry: false })
    if (stat?.isDirectory()) {
      for (const name of readdirSync(join(ROOT, path)).toSorted()) visit(`${path}/${name}`)
    } else digest.update(stat ? `${path}\0${stat.size}\0${stat.mtimeMs}\0` : `${path}\0missing\0`)
  }
  for (const place of places) visit(place)
  return digest.digest('hex').slice(0, 32)
}
