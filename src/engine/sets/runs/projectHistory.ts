import type { ProjectPlan } from '../../../domain/sets/projectPlan'
import { statesByRuns, stepOf, type VolumeStep } from '../../../domain/sets/volumeState'
import type { ProjectName } from '../../../domain/survey/projectName'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot, isFolder, joinPath, lstatAt } from '../../files/fileSystem'
import { openImage } from '../volume/image/image'
import { openFolder } from '../volume/lists/volume'
import { readmeFacts, readmeOf } from '../volume/open/givenVolumes'
import { volumeLists } from '../volume/open/volumeLists'
import { currentPlan } from '../volume/planned/currentPlan'
import { openPlanFolder } from '../volume/planned/planFolder'
import { runsOfFolder } from './knownRuns'

/**
 * The plan of a project in the folder that it was exported to, or on one of its volumes.
 * @param catalog takes runs that only the folder has
 * @throws AppError `bad-input` for one of another project or of none, `not-found`
 */
async function projectPlanAt(
  path: string,
  project: ProjectName,
  catalog: Parameters<typeof runsOfFolder>[1],
): Promise<ProjectPlan> {
  const found =
    lstatAt(joinPath(path, 'plan.json')) === null ? await onVolume(path) : await inFolder(path, catalog)
  if (found.project === project.id) return found.plan
  const whose = found.project === null ? 'no project' : `the project ${found.project}`
  throw cannot('bad-input', 'use', path, said`it is of ${whose}, not of ${project.name} (${project.id})`)
}

/**
 * The plans of a project that the catalog knows, and those in folders of plans and on volumes,
 * newest first.
 * @throws AppError as `projectPlanAt`
 */
export async function projectPlans(
  catalog: Pick<Catalog, 'projectPlans'> & Parameters<typeof runsOfFolder>[1],
  project: ProjectName,
  paths: readonly string[],
): Promise<ProjectPlan[]> {
  const known = catalog.projectPlans(project.id)
  const plans = new Map<string, ProjectPlan>()
  for (const path of paths) {
    const plan = await projectPlanAt(path, project, catalog)
    plans.set(plan.id, plans.get(plan.id) ?? plan)
  }
  // Checks of discs are in the catalog alone.
  for (const plan of known) plans.set(plan.id, plan)
  return [...plans.values()].toSorted((one, other) => (other.createdWallMs ?? 0) - (one.createdWallMs ?? 0))
}

interface Found {
  readonly project: string | null
  readonly plan: ProjectPlan
}

async function inFolder(directory: string, catalog: Parameters<typeof runsOfFolder>[1]): Promise<Found> {
  const planned = await openPlanFolder(directory)
  const { volumes } = (await currentPlan(planned)).plan
  const { id, createdWallMs, medium, project } = planned.plan
  const states = statesByRuns(
    createdWallMs,
    volumes.map(({ index }) => index),
    await runsOfFolder(planned, catalog),
  )
  return {
    project: project?.id ?? null,
    plan: {
      id,
      createdWallMs,
      medium: medium.name,
      directory,
      volumes: volumes.map(({ index, label }) => ({ index, label, state: stepAt(states, index) })),
    },
  }
}

function stepAt(states: ReturnType<typeof statesByRuns>, index: number): VolumeStep {
  const state = states.get(index)
  return state ? stepOf(state) : 'planned'
}

async function onVolume(path: string): Promise<Found> {
  const files = isFolder(path) ? await openFolder(path) : await openImage(path)
  const { index, own, planId } = await volumeLists(files)
  if (planId === null) throw cannot('bad-input', 'use', path, said`its README.txt names no plan`)
  return {
    project: readmeFacts(await readmeOf(files, own)).projectId,
    plan: {
      id: planId,
      createdWallMs: null,
      medium: null,
      directory: null,
      volumes: (index?.volumes ?? []).map(({ index: number, label }) => ({
        index: number,
        label,
        state: null,
      })),
    },
  }
}
