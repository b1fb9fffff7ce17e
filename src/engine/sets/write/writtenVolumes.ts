import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type RunDocument, runDocumentSchema, type WriteTarget } from '../../../contract/dto/run'
import { volumeStates } from '../../../domain/sets/volumeState'
import type { Catalog } from '../../catalog/catalog'
import { fsPath, joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import type { PlanFolder } from '../planFolder'
import { placeIn } from './writeFolder'

/**
 * When the volumes of a plan were written that are written already, by the runs in the catalog and in the plan's folder: those on discs for a drive,
 * those in the same folder for a folder. A volume that was built again since then is not written. What only the plan's folder has,
 * from a run that was killed between the two, is brought to the catalog.
 */
export async function writtenVolumes(
  { directory, plan }: PlanFolder,
  target: Pick<WriteTarget, 'kind' | 'path'>,
  catalog: Pick<Catalog, 'run' | 'runs' | 'saveRun'>,
): Promise<Map<number, number>> {
  const known = new Map(catalog.runs(plan.id).map((run) => [run.id, run]))
  for (const run of await runsIn(directory)) {
    const there = known.get(run.id)
    // A folder may come from anyone: it changes nothing that is known of other plans.
    if (run.planId !== plan.id || (!there && isKnown(catalog, run.id))) continue
    if (there && (run.kind !== 'write' || isDeepStrictEqual(there, run))) continue
    catalog.saveRun(run)
    known.set(run.id, run)
  }
  const runs = [...known.values()]
    .filter((run) => run.kind !== 'write' || isSamePlace(run.target, target))
    .toSorted((one, other) => other.startedWallMs - one.startedWallMs)
  const states = volumeStates(
    plan.createdWallMs,
    plan.volumes.map(({ index }) => index),
    runs,
  )
  const isThere = (index: number): boolean => {
    if (target.kind !== 'folder') return true
    const label = plan.volumes.find((volume) => volume.index === index)?.label ?? ''
    return lstatAt(placeIn(target.path, label, plan.medium.kind)) !== null
  }
  return new Map(
    [...states].flatMap(([index, { writtenWallMs }]): [number, number][] =>
      writtenWallMs !== null && isThere(index) ? [[index, writtenWallMs]] : [],
    ),
  )
}

function isKnown(catalog: Pick<Catalog, 'run'>, id: string): boolean {
  try {
    return catalog.run(id).id === id
  } catch {
    return false
  }
}

function isSamePlace(written: RunDocument['target'], target: Pick<WriteTarget, 'kind' | 'path'>): boolean {
  if (target.kind !== 'folder') return written?.kind === 'drive' || written?.kind === 'file'
  return written?.kind === 'folder' && written.path === target.path
}

/** The runs in the folder of a plan, for a machine whose catalog does not know them; what is no run is left out. */
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
