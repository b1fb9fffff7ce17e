import type { PlanEntry } from '../../../contract/dto/plan'
import type { Assignment } from '../../../domain/sets/packing/inventory'
import type { SurveyEntry } from '../../catalog/entry'
import { contentOf, type SourceEntries, sourcePath } from '../../survey/sourceEntries'

/**
 * Digests that entries are written with: of whole files by the entry's id, of parts by `partKey`.
 */
export interface Digests {
  readonly files: ReadonlyMap<number, string>
  readonly parts: ReadonlyMap<string, string>
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

/** Stands for a digest that is not known yet, where only its length matters. */
export const UNKNOWN_SHA256 = '0'.repeat(64)

/** The lines of one volume. Folders that only hold others have no source and no line. */
export function planEntries(
  source: SourceEntries,
  paths: ReadonlyMap<number, string>,
  assignments: readonly Assignment[],
  digests: Digests,
): PlanEntry[] {
  return assignments.flatMap((assignment): PlanEntry[] => {
    if (assignment.kind === 'impliedFolder') return []
    const entry = source.entries.get(assignment.index) as SurveyEntry
    const path = paths.get(assignment.index) as string
    const from = sourcePath(source, entry)
    const content = contentOf(source, entry)
    const sha256 = digests.files.get(content.id) ?? UNKNOWN_SHA256
    const facts = factsOf(source, entry, paths)
    const ownership = source.ownership?.get(content.id) ?? {}
    const packed = digests.packed?.get(entry.id) ?? {}
    if (assignment.kind === 'part') {
      const { part, parts, offset, bytes } = assignment
      return [
        {
          kind: 'part',
          path: assignment.path,
          source: from,
          bytes,
          sha256: digests.parts.get(partKey(assignment.index, offset)) ?? UNKNOWN_SHA256,
          ...ownership,
          ...facts,
          ...packed,
          offset,
          part,
          parts,
          wholePath: path,
          wholeBytes: content.bytes,
          wholeSha256: sha256,
        },
      ]
    }
    if (path === '') return []
    switch (entry.kind) {
      case 'folder':
        return [
          {
            kind: 'folder',
            path,
            source: from,
            ...ownership,
            mtimeNs: facts.mtimeNs,
            mode: facts.mode,
            ...packed,
          },
        ]
      case 'symlink': {
        const target = entry.linkTarget ?? ''
        return [{ kind: 'symlink', path, source: from, ...ownership, target, mtimeNs: facts.mtimeNs }]
      }
      default:
        return [
          {
            kind: 'file',
            path,
            source: from,
            bytes: content.bytes,
            sha256,
            ...ownership,
            ...facts,
            ...(assignment.kind === 'name' ? { linkOf: assignment.linkOf } : {}),
            ...packed,
          },
        ]
    }
  })
}

/** Times, permissions, names and holes of an entry, as restoring puts them back. */
function factsOf(
  source: SourceEntries,
  entry: SurveyEntry,
  paths: ReadonlyMap<number, string>,
): { mtimeNs: string; mode: number; linkOf?: string; holes?: true } {
  const content = contentOf(source, entry)
  const linkOf = content === entry ? undefined : paths.get(content.id)
  return {
    mtimeNs: String(source.laterTimes?.get(content.id) ?? content.mtimeNs),
    mode: content.mode & 0o7777,
    ...(linkOf === undefined ? {} : { linkOf }),
    ...(content.allocatedBytes < content.bytes ? { holes: true as const } : {}),
  }
}
