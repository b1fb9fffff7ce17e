import type { RunDocument } from '../../../contract/dto/run'
import type { VolumeCopy } from '../../../domain/sets/copies/copy'
import { skippedBy } from '../../../domain/sets/skippedFile'
import { eventsOfSet, newestSet } from '../../../domain/sets/volumeEvent'
import type { Catalog } from '../../catalog/catalog'
import type { HeldVolumes } from '../../catalog/heldFile'

/** The volumes of plans that have copies, with what was left out of any of them. */
export function heldVolumes(known: readonly VolumeCopy[], { runs }: Pick<Catalog, 'runs'>): HeldVolumes {
  const byPlan = Map.groupBy(known, ({ planId }) => planId ?? '')
  byPlan.delete('')
  return new Map(
    [...byPlan].map(([planId, copies]) => {
      const all = runs(planId)
      const ofSet = eventsOfSet(
        all.map((run) => ({ ...run, setId: run.setId ?? null })),
        newestSet(all, []),
      )
      return [planId, new Map(copies.map(({ volume }) => [volume, leftOutOf(ofSet, volume)]))]
    }),
  )
}

/** The paths that are not on each copy of a volume, by the last runs that made or read them. */
function leftOutOf(
  runs: readonly Pick<RunDocument, 'target' | 'kind' | 'volumes'>[],
  volume: number,
): Set<string> {
  const byCopy = Map.groupBy(runs, ({ target }) => target?.copy ?? 1)
  const lists = [runs, ...[...byCopy.values()].map((own) => own.filter(({ kind }) => kind === 'write'))]
  const paths = new Set<string>()
  for (const own of lists) for (const path of skippedBy(own, volume).keys()) paths.add(path)
  return paths
}
