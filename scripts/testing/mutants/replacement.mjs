import { join } from 'node:path'

/** The environment variable that holds a mutant as JSON: path, start, end, old, replacement. */
export const MUTANT_VARIABLE = 'STOWAGE_MUTANT'

/** The start of the plugin's error when the source is not the one that the mutant was made of. */
export const MISFIT = 'the mutant does not fit'

/**
 * The source with a mutant's change in it.
 * @throws Error when what the mutant replaces is not there
 */
export function replaced(source, { path, start, end, old, replacement }) {
  if (source.slice(start, end) !== old) throw new Error(`${MISFIT}: ${path} has changed`)
  return source.slice(0, start) + replacement + source.slice(end)
}

/**
 * The Vite plugin that loads the one module which a mutant changes with that change; the file is
 * left as it is. Without the environment variable no plugin.
 * @param {string} root the repository's top folder
 */
export function mutantPlugin(root, given = process.env[MUTANT_VARIABLE]) {
  if (given === undefined || given === '') return []
  const mutant = JSON.parse(given)
  const isChanged = (id) => isModuleOf(root, mutant.path, id)
  return [
    {
      name: 'stowage-mutant',
      enforce: 'pre',
      // All other modules come from Vitest's cache, as without a mutant.
      api: { vitest: { ignoreFsModuleCache: true } },
      configureVitest: ({ defineCacheKeyGenerator }) => {
        defineCacheKeyGenerator(({ id }) => (isChanged(id) ? false : null))
      },
      transform: (code, id) => (isChanged(id) ? { code: replaced(code, mutant), map: null } : undefined),
    },
  ]
}

/** True when Vite's ID of a module names the source. @param {string} path from the repository's top */
export function isModuleOf(root, path, id) {
  return id.split('?')[0] === join(root, path).replaceAll('\\', '/')
}
