import { comparablePath } from '../../../primitives/pathText'
import { cutName, nameBytes } from './nameBytes'

/** The names that a target can hold, as trying has shown. */
export interface NameLimits {
  /** Names that differ in upper and lower case are one name. */
  readonly foldsCase: boolean
  /** Names that differ in how accents are encoded (NFC, NFD) are one name. */
  readonly foldsAccents: boolean
  readonly utf8Only: boolean
  /** Names cannot have code points that Unicode assigns to no character. */
  readonly assignedOnly: boolean
  /** Characters that no name can have. */
  readonly forbidden: ReadonlySet<string>
  /** Dots and spaces at the end of a name are cut off or refused. */
  readonly cutsEnds: boolean
  /** A file cannot have the name of a DOS device, such as `CON` or `aux.txt`. */
  readonly hasDevices: boolean
  readonly longest: { readonly count: number; readonly of: 'bytes' | 'utf16' }
}

/** Where the entries of a set are in a target. */
export interface TargetNames {
  /** The path in the target for a path of the set. */
  pathIn(path: string): string
  /** Entries whose own name is another in the target, in the order in which they were given. */
  readonly renamed: readonly { readonly restored: string; readonly original: string }[]
}

/**
 * At the root of a target that limits names: lists those that were changed. A file of the set gets
 * another name.
 */
export const RESTORED_NAMES = 'RESTORED-NAMES.tsv'

/** A name that Windows keeps for a device, with any ending. */
export const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i

/** True when Windows takes a name of a path for a device unless the path is marked (`\\?\`). */
export function isDeviceName(path: string): boolean {
  return path.split('/').some((name) => DEVICE.test(name))
}

/** Longer endings are no file types. */
const LONGEST_ENDING_BYTES = 16

/** The names as they are. */
export const SAME_NAMES: TargetNames = { pathIn: (path) => path, renamed: [] }

/**
 * Gives each entry of a set a name that a target can hold, different from all others in its folder.
 * In each folder the first of several names that are one in the target keeps it, in the given
 * order. In the others each character that the target refuses becomes `_`, as does a dot or space
 * at the end that it cuts; `_` precedes the name of a device, and `~1`, `~2`, … before the ending
 * keeps names apart.
 * @param paths of all entries of the set, so that a part of it gets the same names; folders above
 *   them are found by themselves
 */
export function targetNames(paths: Iterable<string>, limits: NameLimits): TargetNames {
  const entries = new Set<string>()
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      entries.add(path.slice(0, slash))
    entries.add(path)
  }
  const taken = new Set<string>([keyOf('', RESTORED_NAMES, limits)])
  const others: string[] = []
  for (const path of entries) {
    const [folder, name] = split(path)
    const key = keyOf(folder, name, limits)
    if (taken.has(key) || heldForm(name, limits) !== name) others.push(path)
    else taken.add(key)
  }
  const own = new Map<string, string>()
  for (const path of others) {
    const [folder, name] = split(path)
    const held = heldForm(name, limits)
    let chosen = held
    for (let number = 1; taken.has(keyOf(folder, chosen, limits)); number++)
      chosen = numbered(held, `~${number}`, limits)
    taken.add(keyOf(folder, chosen, limits))
    own.set(path, chosen)
  }
  if (own.size === 0) return SAME_NAMES
  const places = new Map<string, string>([['', '']])
  const pathIn = (path: string): string => {
    const known = places.get(path)
    if (known !== undefined) return known
    const [folder, name] = split(path)
    const above = pathIn(folder)
    const place = `${above === '' ? '' : `${above}/`}${own.get(path) ?? name}`
    if (entries.has(path)) places.set(path, place)
    return place
  }
  return { pathIn, renamed: others.map((original) => ({ restored: pathIn(original), original })) }
}

function split(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/')
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)]
}

/**
 * A key that is equal for names that are one in the target; it may be equal for some that are not.
 */
function keyOf(folder: string, name: string, { foldsCase, foldsAccents }: NameLimits): string {
  const folded = foldsAccents ? comparablePath(name) : name
  return `${folder}/${foldsCase ? Array.from(folded, caseless).join('') : folded}`
}

/** One letter for all cases of a letter, as file systems have them: never several for one. */
function caseless(letter: string): string {
  const upper = one(letter.toUpperCase(), letter)
  return one(upper.toLowerCase(), upper)
}

function one(changed: string, letter: string): string {
  return changed.length === letter.length ? changed : letter
}

function heldForm(name: string, limits: NameLimits): string {
  let held = ''
  for (const character of name) held += isHeld(character, limits) ? character : '_'
  if (limits.cutsEnds) held = held.replace(/[. ]+$/, (end) => '_'.repeat(end.length))
  if (limits.hasDevices && DEVICE.test(held)) held = `_${held}`
  return lengthOf(held, limits) <= limits.longest.count ? held : numbered(held, '', limits)
}

function isHeld(character: string, { utf8Only, assignedOnly, forbidden }: NameLimits): boolean {
  if (forbidden.has(character)) return false
  if (utf8Only && /[\ud800-\udfff]/u.test(character)) return false
  return !assignedOnly || !/\p{Cn}/u.test(character)
}

function lengthOf(name: string, { longest }: NameLimits): number {
  return longest.of === 'bytes' ? nameBytes(name) : name.length
}

/**
 * The name with a suffix before its ending; its stem is cut so that the whole has as many bytes as
 * the longest name.
 */
function numbered(name: string, suffix: string, limits: NameLimits): string {
  const dot = name.lastIndexOf('.')
  const isEnding = dot > 0 && nameBytes(name.slice(dot)) <= LONGEST_ENDING_BYTES
  const [stem, ending] = isEnding ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const cut = cutName(stem, limits.longest.count - nameBytes(suffix + ending))
  // Cutting must not leave a dot or a space at the end.
  return (suffix + ending === '' && limits.cutsEnds ? cut.replace(/[. ]$/, '_') : cut) + suffix + ending
}
