import type { FileDifference } from '../volume/open/difference'
import type { Held, Member } from './packedContents'

/**
 * A difference for every file of a packed set whose container is on none of its volumes, or lacks a
 * part there: it takes the lists alone, so it needs neither the volumes nor a password.
 * @param held by all volumes of the set
 */
export function absentMembers(members: readonly Member[], held: Iterable<Held>): FileDifference[] {
  const parts = new Map<string, Set<number>>()
  const whole = new Set<string>()
  for (const { container, part } of held) {
    if (part === null) {
      whole.add(container)
      continue
    }
    const there = parts.get(container) ?? new Set()
    parts.set(container, there.add(part.number))
    if (there.size === part.of) whole.add(container)
  }
  return [...Map.groupBy(members, ({ container }) => container)].flatMap(([container, files]) => {
    if (whole.has(container)) return []
    const code = parts.has(container) ? 'incomplete-container' : 'no-container'
    return files.map(({ path }) => ({ path, code, container }) as const)
  })
}
