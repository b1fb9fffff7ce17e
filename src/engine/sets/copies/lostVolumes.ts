import { type CopyCatalog, knownCopies } from './knownCopies'

/** Tells of which volumes every copy that the catalog knows was noted as lost. */
export function lostVolumes(
  catalog: CopyCatalog,
  nowWallMs: number,
): (planId: string, volume: number) => boolean {
  const all = Map.groupBy(knownCopies(catalog, nowWallMs), ({ planId, volume }) => `${planId} ${volume}`)
  return (planId, volume) => all.get(`${planId} ${volume}`)?.every(({ state }) => state === 'lost') === true
}
