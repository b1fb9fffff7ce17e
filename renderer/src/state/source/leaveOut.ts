import { patternFor, type Rules } from '../../../../src/contract/dto/survey'
import { isBelow } from '../../../../src/primitives/isBelow'

/** A file or folder below its source. */
export interface Place {
  /** Its path below the source, with slashes and without one at its start. */
  readonly below: string
  readonly isFolder: boolean
}

/** The place of a path in its source; null for a source itself and for what is in none. */
export function placeOf(path: string, isFolder: boolean, roots: readonly string[]): Place | null {
  const root = roots.find((each) => isBelow(path, each))
  if (root === undefined) return null
  return { below: path.slice(root.endsWith('/') ? root.length : root.length + 1), isFolder }
}

/**
 * Leaves out exactly this file or folder. Rules that keep something in the folder go: the engine
 * would refuse them.
 */
export function leaveOut(rules: Rules, { below, isFolder }: Place): Rules {
  const pattern = patternFor(below, isFolder)
  const isMoot = (each: string): boolean =>
    each === `!${pattern}` ||
    (isFolder && (each.startsWith(`!${pattern}`) || each.startsWith(`!${pattern.slice(1)}`)))
  const others = rules.patterns.filter((each) => each !== pattern && !isMoot(each))
  return { ...rules, patterns: [...others, pattern] }
}

/**
 * Takes a file or folder back: its own rule goes, or, where another rule leaves it out, one that
 * keeps it is added as the last.
 */
export function takeBack(rules: Rules, { below, isFolder }: Place): Rules {
  const pattern = patternFor(below, isFolder)
  const others = rules.patterns.filter((each) => each !== pattern && each !== `!${pattern}`)
  return { ...rules, patterns: rules.patterns.includes(pattern) ? others : [...others, `!${pattern}`] }
}

/**
 * True when a place is left out by these rules, judged by what an earlier walk found by others: the
 * answer until the next walk is there.
 */
export function isLeftOut(place: Place | null, wasLeftOut: boolean, walked: Rules, rules: Rules): boolean {
  if (place === null || walked === rules) return wasLeftOut
  const pattern = patternFor(place.below, place.isFolder)
  const has = (of: Rules, each: string): boolean => of.patterns.includes(each)
  if (has(rules, pattern) !== has(walked, pattern)) return has(rules, pattern)
  if (has(rules, `!${pattern}`) && !has(walked, `!${pattern}`)) return false
  return wasLeftOut
}

/**
 * The first pattern that names this place or a folder above it, and whether it is the place's own;
 * null for none. Other patterns that match it are not looked for.
 */
export function patternOver(
  { patterns }: Rules,
  { below, isFolder }: Place,
): { readonly pattern: string; readonly isOwn: boolean } | null {
  const own = patternFor(below, isFolder)
  const names = below.split('/')
  const all = new Set([
    own,
    ...names.slice(1).map((_, at) => patternFor(names.slice(0, at + 1).join('/'), true)),
  ])
  const pattern = patterns.find((each) => all.has(each))
  return pattern === undefined ? null : { pattern, isOwn: pattern === own }
}

/** The folders between a path and its source, the outermost first. */
export function foldersAbove(path: string, roots: readonly string[]): string[] {
  const root = roots.find((each) => isBelow(path, each))
  if (root === undefined) return []
  const start = root.endsWith('/') ? root : `${root}/`
  const names = path.slice(start.length).split('/').slice(0, -1)
  return names.map((_, index) => start + names.slice(0, index + 1).join('/'))
}

/** A pattern moved one place up in the list. */
export function movedUp(patterns: readonly string[], index: number): string[] {
  const [moved] = patterns.slice(index, index + 1)
  const rest = patterns.filter((_, at) => at !== index)
  if (moved === undefined || index === 0) return [...patterns]
  return [...rest.slice(0, index - 1), moved, ...rest.slice(index - 1)]
}
