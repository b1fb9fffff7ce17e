import type { Project } from './project'

/** True when two projects hold the same, whatever the order of their keys. */
export function areSameProjects(one: Project, other: Project): boolean {
  return areSameValues(one, other)
}

/** Keys without a value are as good as none. */
export function areSameValues(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => areSameValues(each, other[at]))
  if (!isRecord(one) || !isRecord(other)) return (one ?? undefined) === (other ?? undefined)
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    areSameValues(one[key], other[key]),
  )
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
