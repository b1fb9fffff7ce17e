import type { Removed } from '../catalog/removable'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on the catalog as a whole. */
export function catalogCalls(
  { catalog }: EngineParts,
  remove: (ids: readonly string[]) => Removed[],
): CallsOf<'catalog'> {
  return {
    catalog: {
      find: ({ pattern, limit, planIds }) => catalog.find(pattern, limit, planIds),
      remove: ({ id }) => {
        remove([id])
      },
    },
  }
}
