import type { PlanEntry } from '../../contract/dto/plan'
import { isImageTarget } from '../../domain/sets/naming/linkTargets'
import { hexBytes, pathToBytes } from '../../primitives/pathText'

interface XorrisoListing {
  readonly label: string
  readonly dateWallMs: number
  /**
   * Our own folder on the volume, and where it is relative to the folder in which xorriso is
   * started; null for none.
   */
  readonly payload: { readonly name: string; readonly directory: string } | null
}

/** An entry of a volume in the list. */
type ListedEntry =
  | { readonly kind: 'file' | 'folder'; readonly path: string; readonly source: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly source: string; readonly target: string }
  | Pick<Extract<PlanEntry, { kind: 'part' }>, 'kind' | 'path' | 'source' | 'offset' | 'bytes'>

/**
 * xorriso takes at most 4,095 bytes of one command, escapes included (found by trying with 1.5.4).
 * Longer ones are written with the paths entered step by step.
 */
const LONGEST_COMMAND = 3500
/**
 * A step is a few folder names: at most so many bytes before escaping makes them up to four times
 * as long.
 */
const LONGEST_STEP = 800

/**
 * The command list from which xorriso masters a volume (`-options_from_file`). Everything that
 * matters for the bytes of the image is in it or in the start options, so that the same list,
 * sources and xorriso give the same image.
 *
 * Rock Ridge only, no Joliet: Joliet cuts names at 64 characters, leaves out deep paths and
 * symbolic links, and readers that know both prefer it, so that a volume could not be verified to
 * hold what was planned.
 */
export function* xorrisoList(
  listing: XorrisoListing,
  entries: Iterable<ListedEntry>,
  ordered: (entries: Iterable<ListedEntry>) => Iterable<Step> = lastNamesFirst,
): Generator<string> {
  const { label, dateWallMs, payload } = listing
  yield '# Command list for xorriso 1.5.4 or newer: see build.sh\n'
  for (const command of SETTINGS) yield `${command}\n`
  yield `-volid ${quoteWord(label)}\n`
  yield `-volume_date uuid ${isoDate(dateWallMs)}\n`
  yield '-volume_date all_file_dates set_to_mtime\n'
  // Relative to the folder where xorriso starts, hence before any command changes where relative paths begin.
  if (payload) yield `-map ${quoteWord(payload.directory)} ${quoteWord(`/${payload.name}`)}\n`
  for (const { path, entry } of ordered(entries)) {
    // xorriso would end with the whole list; only the index of the volume has such a link.
    if (entry?.kind === 'symlink' && !isImageTarget(entry.target)) continue
    yield entry === null ? making(path) : mapping(entry)
  }
  if (payload) {
    const payloadPath = quoteWord(`/${payload.name}`)
    yield `-alter_date_r b ${quoteWord(`=${Math.floor(dateWallMs / 1000)}`)} ${payloadPath} --\n`
  }
  yield '-find / -exec mkisofs_r --\n'
}

const SETTINGS = [
  '-follow off',
  '-acl off',
  '-xattr off',
  '-md5 off',
  '-hardlinks off',
  '-joliet off',
  '-rockridge on',
  '-local_charset UTF-8',
  '-charset UTF-8',
  '-compliance iso_9660_level=3:no_emul_toc:deep_paths:long_paths',
  '-padding 300k',
  '-padding included',
  '-preparer_id STOWAGE',
] as const

/**
 * The addition of one command: an entry, or a folder that nothing lists but that holds something.
 */
interface Step {
  readonly path: string
  readonly entry: ListedEntry | null
}

/**
 * The order in which xorriso adds names fastest. It keeps the names of a folder in a sorted list
 * and looks for each from the beginning, when it is added and when something is added below it:
 * 70,000 names in their order took 3 minutes, backwards 5 seconds. So the last name of a folder
 * comes first, and what a folder holds directly behind it. The image is the same.
 */
export function lastNamesFirst(entries: Iterable<ListedEntry>): Step[] {
  return [...withParents(entries)]
    .map((step) => ({ step, key: step.path.replaceAll('/', '\0') }))
    .toSorted((one, other) => {
      if (isBelow(one.key, other.key)) return 1
      if (isBelow(other.key, one.key)) return -1
      return one.key < other.key ? 1 : -1
    })
    .map(({ step }) => step)
}

function isBelow(key: string, folder: string): boolean {
  return key.length > folder.length && key[folder.length] === '\0' && key.startsWith(folder)
}

/**
 * The entries in their order, folders that nothing lists before what they hold: as older versions
 * exported plans.
 */
export function* withParents(entries: Iterable<ListedEntry>): Generator<Step> {
  const made = new Set<string>([''])
  for (const entry of entries) {
    yield* missingParents(entry.path, made)
    if (entry.kind === 'folder') made.add(entry.path)
    yield { path: entry.path, entry }
  }
}

function* missingParents(path: string, made: Set<string>): Generator<Step> {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  if (made.has(parent)) return
  yield* missingParents(parent, made)
  made.add(parent)
  yield { path: parent, entry: null }
}

function making(path: string): string {
  const line = `-mkdir ${quoteWord(`/${path}`)} --\n`
  if (textLength(line) <= LONGEST_COMMAND) return line
  const to = inSteps(`/${path}`, '-cd')
  return `${to.steps}-mkdir ${quoteWord(`./${to.name}`)} --\n`
}

function mapping(entry: ListedEntry): string {
  const range = entry.kind === 'part' ? ` ${entry.offset} ${entry.bytes}` : ''
  const command = entry.kind === 'part' ? '-cut_out' : '-map_single'
  const line = `${command} ${quoteWord(entry.source)}${range} ${quoteWord(`/${entry.path}`)}\n`
  if (textLength(line) <= LONGEST_COMMAND) return line
  const from = inSteps(entry.source, '-cdx')
  const to = inSteps(`/${entry.path}`, '-cd')
  return `${from.steps}${to.steps}${command} ${quoteWord(`./${from.name}`)}${range} ${quoteWord(`./${to.name}`)}\n`
}

/**
 * Commands that enter the folder of an absolute path a few names at a time, and the name left over.
 */
function inSteps(path: string, command: '-cdx' | '-cd'): { steps: string; name: string } {
  const names = path.split('/').filter((name) => name !== '')
  const last = names.pop() ?? ''
  let steps = `${command} "/"\n`
  let step = ''
  for (const name of names) {
    const longer = step === '' ? name : `${step}/${name}`
    if (step !== '' && textLength(longer) > LONGEST_STEP) {
      steps += `${command} ${quoteWord(step)}\n`
      step = name
    } else step = longer
  }
  if (step !== '') steps += `${command} ${quoteWord(step)}\n`
  return { steps, name: last }
}

/**
 * A word of xorriso's quoted input with `-backslash_codes in_double_quotes`: any byte but 0 can be
 * in it.
 */
export function quoteWord(text: string): string {
  return `"${text.replace(/[\\"\p{Cc}]/gu, hexBytes)}"`
}

function textLength(text: string): number {
  return text.length * 3 <= LONGEST_STEP ? text.length : pathToBytes(text).length
}

/** YYYYMMDDhhmmsscc in GMT, whole seconds. */
export function isoDate(wallMs: number): string {
  const seconds = new Date(Math.floor(wallMs / 1000) * 1000).toISOString()
  return `${seconds.slice(0, 19).replace(/[-:T]/g, '')}00`
}
