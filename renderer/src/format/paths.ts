import { pathForDisplay } from '../../../src/primitives/pathText'

/**
 * The last part of a path, as a person may see it; the whole path when there is no other part
 * (`/`).
 */
export function nameOf(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  return pathForDisplay(parts[parts.length - 1] ?? path)
}

/** The folder that a path is in; the path itself where it has none (`/`). */
export function aboveOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return cut <= 0 ? path.slice(0, cut + 1) || path : path.slice(0, cut)
}

/**
 * A path of at most `limit` characters: its middle gives way to one ellipsis, its end (the name)
 * keeps two thirds. Control characters and undecodable bytes are made visible; surrogate pairs are
 * never cut.
 */
export function shortenPath(path: string, limit: number): string {
  const characters = Array.from(pathForDisplay(path))
  if (characters.length <= limit) return characters.join('')
  const tail = Math.ceil(((limit - 1) * 2) / 3)
  const head = limit - 1 - tail
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - tail).join('')}`
}

/** The title of a source made of these paths: the first one's name, and how many more there are. */
export function titleOfRoots(roots: readonly string[]): string {
  const first = roots[0]
  if (first === undefined) return ''
  return roots.length === 1 ? nameOf(first) : `${nameOf(first)} +${roots.length - 1}`
}
