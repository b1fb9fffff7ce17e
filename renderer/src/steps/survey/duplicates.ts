import type { DuplicateGroup } from '../../../../src/contract/dto/survey'

/**
 * A line of the list of duplicates: a group, one of its further paths, or how many paths are not
 * listed.
 */
export type DuplicateLine = { readonly key: string; readonly group: number } & (
  | { readonly kind: 'group'; readonly of: DuplicateGroup; readonly open: boolean }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'more'; readonly count: number }
)

/**
 * The lines of the list, opened groups with their paths beneath; the first path is in the group's
 * own line.
 */
export function linesOf(groups: readonly DuplicateGroup[], open: ReadonlySet<number>): DuplicateLine[] {
  return groups.flatMap((of, group): DuplicateLine[] => {
    const isOpen = open.has(group)
    const head: DuplicateLine = { kind: 'group', key: `${group}`, group, of, open: isOpen }
    if (!isOpen) return [head]
    const paths = of.paths
      .slice(1)
      .map((path, index): DuplicateLine => ({ kind: 'path', key: `${group} ${index}`, group, path }))
    const count = of.copies - of.paths.length
    return count > 0
      ? [head, ...paths, { kind: 'more', key: `${group} more`, group, count }]
      : [head, ...paths]
  })
}
