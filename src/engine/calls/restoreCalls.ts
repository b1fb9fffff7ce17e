import type { RestoreDocument } from '../../contract/dto/restore'
import { wipe } from '../../primitives/secretBytes'
import { KeptResults } from '../jobs/keptResults'
import { wipingJob } from '../jobs/wipingJob'
import { keepAsked } from '../sets/queue/keepAsked'
import { queueOf } from '../sets/queue/queueOf'
import type { OpenedSets } from '../sets/restore/openedSets'
import { restoreJob } from '../sets/restore/restoreJob'
import type { CallsOf, EngineParts } from './engineParts'

/**
 * Answers the calls on sets that files are restored from, and on restores that were asked for.
 * Passwords of requests are overwritten.
 */
export function restoreCalls(
  { catalog, clock, start, giveMemoryBack }: EngineParts,
  openedSets: OpenedSets,
): CallsOf<'restore' | 'asked'> {
  const results = new KeptResults<RestoreDocument>('restore')
  return {
    restore: {
      start(given) {
        const request = { ...given, password: given.password ?? openedSets.passwordOf(given.opened) }
        return start(wipingJob(request, restoreJob({ results, notes: catalog, catalog }, request)))
      },
      get: ({ restoreId }) => results.get(restoreId),
      async open(request) {
        try {
          return await openedSets.open(request)
        } finally {
          wipe(request)
          giveMemoryBack()
        }
      },
      folder: (request) => openedSets.folder(request),
      search: (request) => openedSets.search(request),
      needs: (request) => openedSets.needs(request),
      identify: (request) => openedSets.identify(request),
      async queue(given) {
        const request = { ...given, password: given.password ?? openedSets.passwordOf(given.opened) }
        try {
          const queue = await queueOf(request, {
            catalog,
            notes: catalog,
            nowWallMs: clock.wallMs(),
            signal: new AbortController().signal,
          })
          keepAsked(catalog, request, queue)
          return queue
        } finally {
          wipe(request)
          giveMemoryBack()
        }
      },
      close: ({ id }) => openedSets.close(id),
    },
    asked: {
      list: () => catalog.askedRestores(),
      forget: ({ id }) => catalog.forgetAsked(id),
    },
  }
}
