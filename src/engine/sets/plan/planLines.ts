import type { PlanEntry } from '../../../contract/dto/plan'
import type { Assignment } from '../../../domain/sets/packing/inventory'
import type { SurveyEntry } from '../../catalog/entry'
import { contentOf, type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import { UNKNOWN_SHA256 } from '../volume/lists/sha256Sums'

/** Digests of the parts of split files, by `partKey`. */
export type PartDigests = ReadonlyMap<string, string>

/** The facts that the lines of a plan have besides the source. */
interface LineFacts {
  /** Digests of whole files by the entry's id. */
  readonly files?: ReadonlyMap<number, string>
  readonly packed?: PackedFacts | undefined
}

/**
 * The facts that packing adds to entries, by the IDs of these: the container of a file, or the
 * recipe of a container.
 */
export type PackedFacts = ReadonlyMap<number, { readonly in?: string; readonly method?: string }>

export function partKey(index: number, offset: number): string {
  return `${index}:${offset}`
}

/**
 * The lines of a plan's volumes. Those of whole files, folders and links are made once, however
 * often the volumes are packed.
 */
export class PlanLines {
  readonly #source: SourceEntries
  readonly #facts: LineFacts
  readonly #paths: ReadonlyMap<number, string>
  readonly #whole = new Map<number, PlanEntry | null>()

  constructor(source: SourceEntries, facts: LineFacts = {}) {
    this.#source = source
    this.#facts = facts
    this.#paths = new Map(source.items.map(({ index, path }) => [index, path]))
  }

  /** Every entry of the source as one volume would have it. */
  all(): PlanEntry[] {
    return this.#source.items.map(({ index }) => this.#wholeLine(index)).filter((line) => line !== null)
  }

  /** The lines of one volume. Folders that only hold others have no source and no line. */
  of(assignments: readonly Assignment[] = [], parts: PartDigests = new Map()): PlanEntry[] {
    const lines: PlanEntry[] = []
    for (const assignment of assignments) {
      if (assignment.kind === 'impliedFolder') continue
      const whole = this.#wholeLine(assignment.index)
      if (whole === null) continue
      if (whole.kind !== 'file' || assignment.kind === 'whole') lines.push(whole)
      else if (assignment.kind === 'name') lines.push({ ...whole, linkOf: assignment.linkOf })
      else lines.push(partLine(whole, assignment, parts))
    }
    return lines
  }

  #wholeLine(index: number): PlanEntry | null {
    const known = this.#whole.get(index)
    if (known !== undefined) return known
    const line = this.#newLine(index)
    this.#whole.set(index, line)
    return line
  }

  #newLine(index: number): PlanEntry | null {
    const source = this.#source
    const entry = source.entries.get(index) as SurveyEntry
    const path = this.#paths.get(index) as string
    if (path === '') return null
    const from = sourcePath(source, entry)
    const content = contentOf(source, entry)
    const facts = this.#entryFacts(entry, content)
    const ownership = source.ownership?.get(content.id) ?? {}
    const packed = this.#facts.packed?.get(entry.id) ?? {}
    switch (entry.kind) {
      case 'folder': {
        const { mtimeNs, createdNs, mode } = facts
        const created = createdNs === undefined ? {} : { createdNs }
        return { kind: 'folder', path, source: from, ...ownership, mtimeNs, ...created, mode, ...packed }
      }
      case 'symlink': {
        const target = entry.linkTarget ?? ''
        return { kind: 'symlink', path, source: from, ...ownership, target, mtimeNs: facts.mtimeNs }
      }
      default: {
        const { bytes } = content
        const sha256 = this.#facts.files?.get(content.id) ?? UNKNOWN_SHA256
        return { kind: 'file', path, source: from, bytes, sha256, ...ownership, ...facts, ...packed }
      }
    }
  }

  /** Times, permissions, names and holes of an entry, as restoring puts them back. */
  #entryFacts(
    entry: SurveyEntry,
    content: SurveyEntry,
  ): { mtimeNs: string; createdNs?: string; mode: number; linkOf?: string; holes?: true } {
    const created = this.#source.created?.get(content.id)
    const linkOf = content === entry ? undefined : this.#paths.get(content.id)
    return {
      mtimeNs: String(this.#source.laterTimes?.get(content.id) ?? content.mtimeNs),
      ...(created === undefined ? {} : { createdNs: String(created) }),
      mode: content.mode & 0o7777,
      ...(linkOf === undefined ? {} : { linkOf }),
      ...(content.allocatedBytes < content.bytes ? { holes: true as const } : {}),
    }
  }
}

/** The line of a part of a split file. */
function partLine(
  whole: Extract<PlanEntry, { kind: 'file' }>,
  { index, path, bytes, offset, part, parts }: Extract<Assignment, { kind: 'part' }>,
  digests: PartDigests,
): PlanEntry {
  return {
    ...whole,
    kind: 'part',
    path,
    bytes,
    sha256: digests.get(partKey(index, offset)) ?? UNKNOWN_SHA256,
    offset,
    part,
    parts,
    wholePath: whole.path,
    wholeBytes: whole.bytes,
    wholeSha256: whole.sha256,
  }
}
