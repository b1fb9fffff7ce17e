import type { PlanEntry } from '../../../contract/dto/plan'
import type { FileDifference } from '../volume/open/difference'
import { byContainer, containerWith } from './packedContents'

/**
 * A difference for every file of a packed set whose container is on none of its volumes, or lacks a
 * part there: it takes the lists alone, so it needs neither the volumes nor a password.
 * @param members the files of the source with their containers
 * @param entries of all volumes of the set
 */
export function absentMembers(members: readonly PlanEntry[], entries: Iterable<PlanEntry>): FileDifference[] {
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
  return [...byContainer(members)].flatMap(([container, files]) => {
    if (held.has(container)) return []
    const code = parts.has(container) ? 'incomplete-container' : 'no-container'
    return files.map(({ path }) => ({ path, code, container }) as const)
  })
}
