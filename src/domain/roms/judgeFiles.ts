import type { Stepwise } from '../../primitives/stepwise'
import { isSameContent } from './dat'
import type { RomSet } from './romSets'
import type { RomFileState, RomSetState } from './romsDocument'
import { type Content, formed, isDumped, type Wanted, WantedFiles } from './wantedFiles'

/** A file that was found: on its own, or inside an archive. */
export interface FoundFile {
  /** The folders above it and its name; of a member the archive's name without its ending first. */
  readonly parts: readonly string[]
  readonly isMember: boolean
  readonly bytes: number
  /** Its content; behind a copier header a second one. None where its size is not wanted. */
  readonly contents: readonly Content[]
}

/** A judgement on a found file, in the order in which they were given. */
export interface FileJudgement {
  readonly state: RomFileState
  /** The file of a ROM set that it is, or whose bad dump it is; null for none. */
  readonly wanted: Wanted | null
  /** How a bad dump is tied to its game. */
  readonly by: 'name' | 'size' | null
}

export interface SetJudgement {
  readonly set: RomSet
  readonly state: RomSetState | 'undumped'
  /** Files that it needs, and those of them whose content was found anywhere. */
  readonly files: number
  readonly present: number
  /** Files under the right name in the right place. */
  readonly right: number
  readonly missing: readonly Wanted[]
  /** Files that nobody has dumped, or that the DAT does not describe. */
  readonly undumped: number
}

/**
 * Compares files with the ROM sets of all DATs. A file is *right* in its place, *renamed* where its
 * content has an empty place elsewhere, and a *duplicate* where it has none. A *bad dump* has
 * another content than the file of its name; or, by size, than the only missing file of its ROM
 * set that is as long.
 */
export function* judgeFiles(
  sets: readonly RomSet[],
  wanted: WantedFiles,
  found: readonly FoundFile[],
): Stepwise<{ files: FileJudgement[]; sets: SetJudgement[] }> {
  const matches = new Matches(wanted)
  const present = new Set<Wanted>()
  const filled = new Set<Wanted>()
  const judged: (FileJudgement | null)[] = []
  for (const [at, file] of found.entries()) {
    if (at % STEP === 0) yield
    for (const one of matches.firstOf(file)) present.add(one)
    const here = placesOf(file, wanted).find(
      (one) => !filled.has(one) && file.contents.some((content) => isSameContent(one.held.file, content)),
    )
    if (here) filled.add(here)
    judged.push(here ? { state: 'right', wanted: here, by: null } : null)
  }
  const files: FileJudgement[] = []
  const right = new Map<RomSet, number>()
  for (const [at, file] of found.entries()) {
    if (at % STEP === 0) yield
    const judgement = judged[at] ?? matched(matches.of(file), filled) ?? unmatched(file, wanted, present)
    files.push(judgement)
    const { state, wanted: one } = judgement
    if (state === 'right' && one) right.set(one.set, (right.get(one.set) ?? 0) + 1)
  }
  const judgedSets: SetJudgement[] = []
  let from = 0
  for (const set of sets) {
    if (judgedSets.length % STEP === 0) yield
    let to = from
    while (wanted.all[to]?.set === set) to++
    judgedSets.push(judgedSet(set, wanted.all.slice(from, to), present, right.get(set) ?? 0))
    from = to
  }
  return { files, sets: judgedSets }
}

/** Judged without a pause. */
const STEP = 256

/**
 * The wanted files of a content. In large DATs one content has thousands of places: they are looked
 * up once.
 */
class Matches {
  readonly #wanted: WantedFiles
  readonly #known = new Map<string, Match>()

  constructor(wanted: WantedFiles) {
    this.#wanted = wanted
  }

  of({ contents }: FoundFile): Match[] {
    return contents.map((content) => {
      const { bytes, crc, md5, sha1, sha256 } = content
      const key = `${bytes} ${crc} ${md5} ${sha1} ${sha256}`
      let match = this.#known.get(key)
      if (!match)
        this.#known.set(key, (match = { all: this.#wanted.withContent(content), next: 0, isNew: true }))
      return match
    })
  }

  /** The same, of contents that no earlier file had. */
  firstOf(file: FoundFile): Wanted[] {
    return this.of(file).flatMap((match) => {
      if (!match.isNew) return []
      match.isNew = false
      return match.all
    })
  }
}

interface Match {
  readonly all: readonly Wanted[]
  /** All places before it are filled. */
  next: number
  isNew: boolean
}

/** A file whose content is wanted, but not where it is; null for any other. */
function matched(matches: readonly Match[], filled: Set<Wanted>): FileJudgement | null {
  for (const match of matches) {
    const { all } = match
    while (match.next < all.length && filled.has(all[match.next] as Wanted)) match.next++
    const empty = all[match.next]
    if (!empty) continue
    filled.add(empty)
    return { state: 'renamed', wanted: empty, by: null }
  }
  const first = matches.flatMap(({ all }) => all[0] ?? [])[0]
  return first ? { state: 'duplicate', wanted: first, by: null } : null
}

function placesOf({ parts, isMember }: FoundFile, wanted: WantedFiles): Wanted[] {
  return wanted.atPlace(parts.map(formed), isMember)
}

function unmatched(file: FoundFile, wanted: WantedFiles, present: ReadonlySet<Wanted>): FileJudgement {
  const { bytes } = file
  const own = file.parts.map(formed)
  const [named] = placesOf(file, wanted)
  if (named) return { state: 'bad-dump', wanted: named, by: 'name' }
  const isMissing = (one: Wanted): boolean => !present.has(one)
  const sameName = wanted.withName(own.at(-1) ?? '').filter(isMissing)
  if (sameName.length === 1 && sameName[0]) return { state: 'bad-dump', wanted: sameName[0], by: 'name' }
  const isAlike = (one: Wanted): boolean => isMissing(one) && one.held.file.bytes === bytes
  const ofSet = wanted.ofSet(own.at(-2) ?? '').filter(isAlike)
  if (bytes > 0 && ofSet.length === 1 && ofSet[0]) return { state: 'bad-dump', wanted: ofSet[0], by: 'size' }
  return { state: 'unneeded', wanted: null, by: null }
}

function judgedSet(
  set: RomSet,
  all: readonly Wanted[],
  present: ReadonlySet<Wanted>,
  right: number,
): SetJudgement {
  const needed = all.filter(({ held }) => !held.file.isOptional)
  const missing = needed.filter((one) => !present.has(one))
  const has = needed.length - missing.length
  return {
    set,
    state: stateOf(needed.length, has),
    files: needed.length,
    present: has,
    right,
    missing,
    undumped: set.files.filter(({ file }) => !isDumped(file)).length,
  }
}

function stateOf(needed: number, present: number): SetJudgement['state'] {
  if (needed === 0) return 'undumped'
  if (present === needed) return 'complete'
  return present === 0 ? 'missing' : 'partial'
}
