import type { AskedRestore } from '../../../contract/dto/askedRestore'
import type { QueueRequest, RestoreQueue } from '../../../contract/dto/restoreQueue'
import type { Catalog } from '../../catalog/catalog'
import { newId } from '../../jobs/newId'

/**
 * Keeps a queue for a target until no disc of it is left, so that it goes on after the application
 * was closed. Neither password nor files are kept: the target has those that are restored.
 */
export function keepAsked(
  catalog: Pick<Catalog, 'askedRestores' | 'keepAsked' | 'forgetAsked'>,
  {
    volumes,
    chosen = { paths: [''], except: [] },
    asOf,
    to,
    given: all,
    without,
    near,
    force,
    trust,
  }: QueueRequest,
  { atWallMs, volumes: left }: RestoreQueue,
): void {
  if (to === undefined) return
  // A disc that is asked for again was not read.
  const given = all.filter((label) => !left.some((volume) => volume.label === label))
  const before = catalog.askedRestores().find((asked) => asked.to === to)
  const [next] = left
  if (next === undefined) {
    if (before) catalog.forgetAsked(before.id)
    return
  }
  const asked: AskedRestore = {
    id: before?.id ?? newId('q'),
    askedWallMs: atWallMs,
    volumes,
    chosen,
    ...(asOf === undefined ? {} : { asOf }),
    to,
    force,
    trust,
    given,
    without,
    near,
    discs: given.length + left.length,
    next: { label: next.label, place: next.place },
  }
  catalog.keepAsked(asked)
}
