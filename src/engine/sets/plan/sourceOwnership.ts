import type { Ownership } from '../../../domain/sets/ownership'
import type { PlanProblem } from '../../../domain/sets/planDocument'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { readAttributes } from '../../native/attributes'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'

/** Looked at together. */
const BATCH = 10_000

/**
 * Owners, extended attributes and creation times of a source, and what a person should know of
 * attributes that are not kept.
 */
interface SourceOwnership {
  /** By the entry's id; further names of a file have those of the first. */
  readonly byEntry: ReadonlyMap<number, Ownership>
  /** By the entry's id, in nanoseconds since 1970, where the file system keeps them. */
  readonly created: ReadonlyMap<number, bigint>
  readonly problems: readonly PlanProblem[]
}

/**
 * Owners, extended attributes and creation times of every file, folder and link, as they are now.
 * @throws AppError `cancelled`
 */
export async function sourceOwnership(source: SourceEntries, signal: AbortSignal): Promise<SourceOwnership> {
  const entries = [...source.entries.values()].filter(({ kind }) => kind !== 'hardLink')
  const byEntry = new Map<number, Ownership>()
  const created = new Map<number, bigint>()
  const left = new Map<string, { count: number; first: string }>()
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH)
    const paths = batch.map((entry) => sourcePath(source, entry))
    for (const [at, found] of (await readAttributes(paths, signal)).entries()) {
      const entry = batch[at]
      if (!entry || !found) continue
      const { owner, attributes, createdNs } = found
      byEntry.set(entry.id, { owner, ...(attributes.length === 0 ? {} : { attributes: [...attributes] }) })
      if (createdNs !== null) created.set(entry.id, createdNs)
      for (const name of found.left) {
        const others = left.get(name) ?? { count: 0, first: paths[at] ?? '' }
        left.set(name, { ...others, count: others.count + 1 })
      }
    }
  }
  return {
    byEntry,
    created,
    problems: [...left].map(([name, { count, first }]) => leftOut(name, count, first)),
  }
}

function leftOut(name: string, count: number, first: string): PlanProblem {
  const more = count === 1 ? '' : said` and of ${count - 1} more`
  const message = said`the extended attribute ${pathForDisplay(name)} of ${pathForDisplay(first)}${more} is not kept: it belongs to this system, is too large or cannot be read`
  return { code: 'attributes-left-out', message, path: first, blocking: false }
}
