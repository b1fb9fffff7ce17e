import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { PlanDocument } from '../../../contract/dto/plan'
import { type RunDocument, runDocumentSchema } from '../../../contract/dto/run'
import { lastRuns } from '../../../domain/sets/lastRuns'
import type { Catalog } from '../../catalog/catalog'
import { fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { currentPlan } from '../volume/planned/currentPlan'
import { builtPath, type PlanFolder, setIdOf, volumesWithParity } from '../volume/planned/planFolder'

type RunCatalog = Pick<Catalog, 'run' | 'runs' | 'saveRun'>

/**
 * Returns what was done with the volumes of a plan, by its runs and the images or folders that are
 * there: at most one document of each kind (see `lastRuns`).
 * @throws AppError `bad-input` for a damaged plan of packed files
 */
export async function runsOfFolder(planned: PlanFolder, catalog: RunCatalog): Promise<RunDocument[]> {
  const folder = await currentPlan(planned)
  const { plan } = folder
  const runs = (await knownRuns(planned, catalog)).filter((run) => isOfSet(run, plan))
  const isThere = (index: number): boolean => {
    const volume = volumesWithParity(plan).find((each) => each.index === index)
    const stats = volume && lstatAt(builtPath(folder, index))
    if (!volume || !stats) return false
    return plan.medium.kind === 'folder' ? stats.isDirectory() : Number(stats.size) === volume.sectors * 2048
  }
  const last = lastRuns(runs, isThere)
  // The folder may have been moved since then.
  for (const run of last) run.directory = planned.directory
  return last
}

/**
 * The same of a plan whose folder is not at hand, by the catalog alone: what was built counts as
 * still there.
 */
export function runsOfPlan(planId: string, catalog: Pick<Catalog, 'runs'>): RunDocument[] {
  const runs = catalog.runs(planId)
  const setId = runs.find((run) => run.setId !== undefined)?.setId
  return lastRuns(
    runs.filter((run) => run.setId === undefined || run.setId === setId),
    () => true,
  )
}

/**
 * The runs of a plan in the catalog and in the plan's folder, newest first. What only the folder
 * has, from another machine or from a run that was killed between the two, is brought to the
 * catalog: it counts as having happened now, as its order among what the catalog knows is not
 * known.
 */
export async function knownRuns(
  { directory, plan }: Pick<PlanFolder, 'directory' | 'plan'>,
  catalog: RunCatalog,
): Promise<RunDocument[]> {
  const known = new Map(catalog.runs(plan.id).map((run) => [run.id, run]))
  const found = await runsIn(directory)
  for (const run of found.toSorted((one, other) => one.startedWallMs - other.startedWallMs)) {
    const there = known.get(run.id)
    // A folder may come from anyone: it changes nothing that is known of other plans.
    if (run.planId !== plan.id || (!there && isKnown(catalog, run.id))) continue
    if ((there && isKept(there, run)) || isDeepStrictEqual(there, run)) continue
    catalog.saveRun(run)
  }
  return catalog.runs(plan.id)
}

/** A plan that was packed again has other volumes under the same numbers. */
function isOfSet({ setId }: RunDocument, plan: PlanDocument): boolean {
  const now = setIdOf(plan)
  return setId === undefined || now === undefined || setId === now
}

/** A write is in its folder first, other runs in the catalog. */
function isKept(there: RunDocument, run: RunDocument): boolean {
  if (there.kind === 'write') return false
  return there.outcome !== 'interrupted' || there.elapsedMs >= run.elapsedMs
}

function isKnown(catalog: Pick<Catalog, 'run'>, id: string): boolean {
  try {
    return catalog.run(id).id === id
  } catch {
    return false
  }
}

/**
 * The runs in the folder of a plan, for a machine whose catalog does not know them; what is no run
 * is left out.
 */
async function runsIn(directory: string): Promise<RunDocument[]> {
  const folder = joinPath(directory, 'runs')
  const names = await readdir(fsPath(folder)).catch(() => [])
  const runs = await Promise.all(
    names.map(async (name): Promise<RunDocument | null> => {
      if (!name.endsWith('.json')) return null
      try {
        const text = await readFile(fsPath(joinPath(folder, name)), 'utf8')
        // Whatever folder it names: the window may use the folder of a run.
        return Object.assign(runDocumentSchema.parse(JSON.parse(text)), { directory })
      } catch {
        return null
      }
    }),
  )
  return runs.filter((run) => run !== null)
}
