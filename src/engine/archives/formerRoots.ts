import { hostname } from 'node:os'
import type { ProjectName } from '../../domain/survey/projectName'
import type { Catalog } from '../catalog/catalog'

/**
 * The places where the sources of an archive were when its last plan was made, for those that are
 * elsewhere on this computer now: by the path now, the one then.
 */
export function formerRoots(
  catalog: Pick<Catalog, 'archives' | 'archivePlaces'>,
  archive: ProjectName | undefined,
): ReadonlyMap<string, string> {
  const intent = catalog.archives().find(({ intent: { id } }) => id === archive?.id)?.intent
  if (!intent) return new Map()
  const places = catalog.archivePlaces(hostname()).filter((place) => place.archive === intent.id)
  return new Map(
    intent.sources.flatMap(({ name, path: then }) => {
      const now = places.find(({ source }) => source === name)?.path
      return now === undefined || now === then ? [] : [[now, then] as const]
    }),
  )
}
