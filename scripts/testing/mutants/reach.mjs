import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { withMarks } from './marks.mjs'
import { isModuleOf } from './replacement.mjs'

/** The environment variable that names the file of a `ReachRequest` as JSON. */
const REACH_VARIABLE = 'STOWAGE_MUTANT_REACH'

/**
 * Which places are watched, and where each test file leaves what it reached.
 * @typedef {object} ReachRequest
 * @property {Record<string, number[]>} places offsets by path from the repository's top
 * @property {string} folder
 */

/**
 * What a test file ran of the watched places.
 * @typedef {object} Reached
 * @property {string} test path from the repository's top
 * @property {number} ms how long its tests took
 * @property {boolean} isPassed
 * @property {string[]} places as `placeKey` writes them
 */

/** A place as one string. */
export function placeKey(path, offset) {
  return `${path}:${offset}`
}

/**
 * Runs tests on the unchanged code and says what each file of them reached.
 * @param {{ path: string, start: number }[]} places
 * @param {(env: Record<string, string>) => Promise<unknown>} run runs the tests in this environment
 * @param {string} root the repository's top folder
 * @returns {Promise<Reached[]>} the quickest files first
 */
export async function reachOf(places, run, root) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-reach-'))
  try {
    const offsets = {}
    for (const { path, start } of places) (offsets[path] ??= []).push(start)
    const request = join(folder, 'request.json')
    const results = join(folder, 'results')
    mkdirSync(results)
    writeFileSync(request, JSON.stringify({ places: offsets, folder: results }))
    await run({ [REACH_VARIABLE]: request })
    return readdirSync(results)
      .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')))
      .map(({ test, ms, isPassed, places: ran }) => ({
        test: relative(root, test).replaceAll('\\', '/'),
        ms,
        isPassed,
        places: ran,
      }))
      .toSorted((one, other) => one.ms - other.ms)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Leaves what a test file reached where the request wants it. @param {Reached} reached */
export function leaveReached(reached) {
  const { folder } = requestNow()
  const name = `${createHash('sha256').update(reached.test).digest('hex')}.json`
  writeFileSync(join(folder, name), JSON.stringify(reached))
}

/** The Vite plugin that marks the watched places; without the environment variable no plugin. */
export function reachPlugin(root) {
  const request = requestNow()
  if (request === null) return []
  const offsetsOf = (id) => Object.entries(request.places).find(([path]) => isModuleOf(root, path, id))
  return [
    {
      name: 'stowage-reach',
      enforce: 'pre',
      api: { vitest: { ignoreFsModuleCache: true } },
      configureVitest: ({ defineCacheKeyGenerator }) => {
        defineCacheKeyGenerator(({ id }) => (offsetsOf(id) ? false : null))
      },
      transform: (code, id) => {
        const watched = offsetsOf(id)
        if (!watched) return
        const [path, offsets] = watched
        const markOf = (offset) => `globalThis.stowageReached?.add(${JSON.stringify(placeKey(path, offset))})`
        return { code: withMarks(path, code, offsets, markOf), map: null }
      },
    },
  ]
}

/** Vitest's set-up files that note what was reached; none without the environment variable. */
export function reachSetup() {
  return requestNow() === null ? [] : [join(import.meta.dirname, 'reachRecorder.mjs')]
}

function requestNow() {
  const file = process.env[REACH_VARIABLE]
  return file === undefined || file === '' ? null : JSON.parse(readFileSync(file, 'utf8'))
}
