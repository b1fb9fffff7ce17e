import type { PlanEntry } from '../../../contract/dto/plan'
import type { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { mismatch } from '../volume/expectedTree'
import { byContainer, containerWith } from './packedContents'

/**
 * A failure for every file of a packed set whose container is on none of its volumes, or lacks a
 * part there: it takes the lists alone, so it needs neither the volumes nor a password.
 * @param members the files of the source with their containers
 * @param entries of all volumes of the set
 */
export function absentMembers(members: readonly PlanEntry[], entries: Iterable<PlanEntry>): AppError[] {
  const parts = new Map<string, Set<number>>()
  const held = new Set<string>()
  for (const entry of entries) {
    const path = containerWith(entry)
    if (path === null) continue
    if (entry.kind !== 'part') held.add(path)
    else {
      const there = parts.get(path) ?? new Set()
      parts.set(path, there.add(entry.part))
      if (there.size === entry.parts) held.add(path)
    }
  }
  return [...byContainer(members)].flatMap(([path, files]) => {
    if (held.has(path)) return []
    const lacks = parts.has(path) ? said`lacks a part on the volumes` : said`is on no volume`
    const because = said`its container ${pathForDisplay(path)} ${lacks}`
    return files.map((file) => mismatch('the set', file.path, because))
  })
}
