import { useEffect } from 'react'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { Check, Choice } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { canGrow } from './growing'
import { PlanSession } from './planSession'

/** Looks for the plan that the next one of the open project adds to. */
export function useEarlier(): void {
  const session = useSession(PlanSession)
  const archives = useStateOf(CatalogSession, (catalog) => catalog.archives.archives)
  const projectId = useStore(session.project, ({ open }) => open?.id)
  useEffect(() => {
    void session.findEarlier(archives, projectId)
  }, [session, archives, projectId])
}

/** The choice between adding to the archive of the open project and planning everything. */
export function GrowthChoice() {
  const session = useSession(PlanSession)
  const isBusy = useIsRunning('plan')
  const plan = useStateOf(PlanSession)
  const { earlier, anew, recordNames } = plan
  if (earlier === null) return null
  const values = {
    labels: sayRanges(earlier.labels),
    count: earlier.labels.length,
    date: formatDay(earlier.createdWallMs),
  }
  if (!canGrow(plan)) return <p className="muted growth-not">{t('growing.packed', values)}</p>
  return (
    <section className="growth-choice" aria-label={t('growing.title')}>
      <h2>{t('growing.title')}</h2>
      <RadioGroup
        className="choices"
        label={t('growing.title')}
        value={anew ? 'anew' : 'add'}
        isDisabled={isBusy}
        onChange={(key) => session.store.dispatch({ type: 'anew', anew: key === 'anew' })}
      >
        <Choice id="add" note={t('growing.add.note', values)}>
          {t('growing.add', values)}
        </Choice>
        <Choice id="anew" note={t('growing.anew.note')}>
          {t('growing.anew')}
        </Choice>
      </RadioGroup>
      {!anew && (
        <Check
          words={t('growing.recordNames')}
          note={t('growing.recordNames.note')}
          isOn={recordNames}
          isDisabled={isBusy}
          onChange={(on) => session.store.dispatch({ type: 'recordNames', recordNames: on })}
        />
      )}
    </section>
  )
}
