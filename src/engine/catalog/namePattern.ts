import { comparablePath } from '../../primitives/pathText'

/** A search pattern of a person, once for SQL and once exactly. */
interface NamePattern {
  /** A LIKE pattern (escaped by `\`) that fits every path that matches, and perhaps more. */
  readonly like: string
  matches(path: string): boolean
}

/**
 * A pattern for paths, without regard to case and to how letters with accents are composed. `*`
 * stands for any characters, `?` for one. With a slash it is compared with the path, from any
 * folder on; without one with the name at the path's end. A pattern without wildcards matches
 * anywhere in the path.
 */
export function namePattern(typed: string): NamePattern {
  const pattern = comparablePath(typed)
  const source = pattern.replaceAll(/[$()*+.?[\\\]^{|}/]/g, (special) =>
    special === '*' ? '[^]*' : special === '?' ? '[^]' : `\\${special}`,
  )
  if (!/[*?]/.test(pattern)) return exactly(source, pattern, '%')
  if (pattern.includes('/')) return exactly(`(?:^|/)${source}$`, pattern, '')
  return exactly(`(?:^|/)${source.replaceAll('[^]', '[^/]')}$`, pattern, '')
}

function exactly(source: string, pattern: string, after: string): NamePattern {
  const exact = new RegExp(source, 'iu')
  // LIKE knows the case of ASCII letters alone, and no bytes that are not UTF-8.
  const like = pattern
    .replaceAll(/[\\%_]/g, (character) => `\\${character}`)
    .replaceAll(/[*?]|[^\0-\x7f]+/g, '%')
  return { like: `%${like}${after}`, matches: (path) => exact.test(comparablePath(path)) }
}
