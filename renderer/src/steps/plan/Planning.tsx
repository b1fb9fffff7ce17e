import type { JobProgress } from '../../../../src/contract/dto/job'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'

/** The plan that is being made; null while none is. */
export function usePlanning(): { readonly progress: JobProgress | null } | null {
  return useStore(useSession().jobs, (jobs) => runningOf(jobs, 'plan'))
}

/** The progress of a plan that is being made, in words. */
export function planningWords(progress: JobProgress | null): string {
  const { filesDone: done, filesTotal: count, phase } = progress ?? { filesDone: 0, filesTotal: null }
  switch (phase?.name) {
    case 'hashing':
      return count === null ? t('planning.begins') : t('planning.hashing', { done, count })
    case 'sizing':
      return count === null ? t('planning.packing') : t('planning.sizing', { done, count })
    case 'hashingParts':
      return t('planning.parts')
    case 'packing':
      return t('planning.packing')
    default:
      return t('planning.begins')
  }
}

/** The discs of a plan that is being made, where they are known. */
export function discsPlanned(progress: JobProgress | null): number | null {
  return progress?.phase.name === 'sizing' ? progress.filesTotal : null
}
