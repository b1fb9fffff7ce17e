import type { RunDocument } from '../../../contract/dto/run'
import type { Burn } from '../../../domain/sets/times/discModels'
import { AppError } from '../../../primitives/appError'
import type { Catalog } from '../../catalog/catalog'

export type BurnsCatalog = Pick<Catalog, 'runs' | 'plan'>

/**
 * Earlier burns to discs of a medium, at the speed of the last one; without the time that drives
 * waited for data. Runs whose plan is no longer in the catalog are left out, for nothing else has
 * their medium.
 */
export function earlierBurns(catalog: BurnsCatalog, mediumId: string): Burn[] {
  const burnt = catalog
    .runs()
    .filter(({ target, planId }) => target?.kind === 'drive' && mediumOf(catalog, planId) === mediumId)
  const [last] = burnt
  return burnt.filter(({ target }) => target?.speed === last?.target?.speed).flatMap(burnsOf)
}

function burnsOf({ volumes }: RunDocument): Burn[] {
  return volumes.flatMap(({ written, state }) => {
    if (!written || state !== 'done') return []
    const { bytes, writeMs, pipe } = written
    return [{ bytes, seconds: (writeMs - (pipe?.outputWaitedMs ?? 0)) / 1000 }]
  })
}

function mediumOf(catalog: BurnsCatalog, planId: string): string | null {
  try {
    return catalog.plan(planId).medium.id
  } catch (thrown) {
    if (AppError.from(thrown).code === 'internal') throw thrown
    return null
  }
}
