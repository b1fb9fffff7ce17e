import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const ROOMS = ['src', 'renderer/src', 'tests', 'scripts']
const IS_SOURCE = /\.(ts|tsx|mjs)$/
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx']
const UNIT_TEST = /^tests\/(unit|conformance|security)\/.*\.test\.tsx?$/
/** They read sources as text, or test what is not loaded through Vitest: no mutant reaches them. */
const UNTOUCHED = /^tests\/unit\/(house|scripts)\//

/** Which tests load which sources, by the imports in their texts. */
export class TestImports {
  /**
   * Files by the file that they import.
   * @type {Map<string, string[]>}
   */
  #importers = new Map()

  /** @param {ReadonlyMap<string, string>} texts of all files, by path from the repository's top */
  constructor(texts) {
    for (const [path, text] of texts) {
      for (const target of importedIn(path, text, texts)) {
        const importers = this.#importers.get(target)
        if (importers) importers.push(path)
        else this.#importers.set(target, [path])
      }
    }
  }

  /** Reads the files of a repository. */
  static of(root) {
    const texts = new Map()
    for (const room of ROOMS) {
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
        const path = posix.join(room, name.replaceAll('\\', '/'))
        if (IS_SOURCE.test(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
      }
    }
    return new TestImports(texts)
  }

  /**
   * The unit tests of a source, each list sorted and none in two of them.
   * @returns {{ nearest: string[], unit: string[] }} `nearest` are those in the folder that mirrors
   * the source's and those that import it directly, `unit` the others that load it
   */
  testsOf(path) {
    const loading = [...this.#loading(path)].filter((test) => UNIT_TEST.test(test) && !UNTOUCHED.test(test))
    const mirror = posix.dirname(path).replace(/^src/, 'tests/unit')
    const direct = new Set(this.#importers.get(path))
    const isNear = (test) => direct.has(test) || posix.dirname(test) === mirror
    return {
      nearest: loading.filter(isNear).toSorted(),
      unit: loading.filter((test) => !isNear(test)).toSorted(),
    }
  }

  /** All files that load a file, directly or through others. @param {string} path */
  #loading(path) {
    const found = new Set([path])
    for (const file of found) for (const importer of this.#importers.get(file) ?? []) found.add(importer)
    return found
  }
}

/** The files that a file names in its imports, those of types left out. */
function importedIn(path, text, texts) {
  const targets = new Set()
  for (const [, isType, specifier] of text.matchAll(
    /(?:\b(?:import|export)\s+(type)\s[^'"]*?\bfrom\s*)?['"`](\.{1,2}\/[^'"`\n]+)['"`]/g,
  )) {
    if (isType) continue
    const bare = posix.join(posix.dirname(path), specifier.split('?')[0])
    const target = ENDINGS.map((ending) => bare + ending).find((name) => texts.has(name))
    if (target && target !== path) targets.add(target)
  }
  return targets
}
