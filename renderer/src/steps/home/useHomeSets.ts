import { useMemo } from 'react'
import { lostCopies } from '../../../../src/contract/dto/copies'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CheckSession } from '../../state/catalog/checkSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { runningOf } from '../../state/jobs'
import { useSession, useStateOf } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { RunSession } from '../building/runSession'
import { type HomeSet, homeSets } from './homeSets'

/** All sets, kept up to date. */
export function useHomeSets(): readonly HomeSet[] {
  const plans = useStateOf(CatalogSession, (catalog) => catalog.plans)
  const volumes = useStateOf(CheckSession, (check) => check.volumes)
  const nowWallMs = useStateOf(CheckSession, (check) => check.askedWallMs)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const directory = useStateOf(RunSession, (build) => build.directory)
  const isBusy = useStore(useSession().jobs, (jobs) => runningOf(jobs, 'build', 'write') !== null)
  const busyDirectory = isBusy ? directory : null
  return useMemo(
    () => homeSets({ plans, volumes, lost: lostCopies(copies), nowWallMs, busyDirectory }),
    [plans, volumes, copies, nowWallMs, busyDirectory],
  )
}

/** How many sets need attention. */
export function useAttention(): number {
  const sets = useHomeSets()
  return useMemo(() => sets.filter(({ problem }) => problem !== null).length, [sets])
}
