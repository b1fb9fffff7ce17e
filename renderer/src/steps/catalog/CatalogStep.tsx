/**
 * The room `catalog` is the step Catalog: finding files, checking copies, earlier plans and
 * surveys.
 * How: panels read the catalog; `copies` has the copies of volumes and when to verify them.
 * Not here: restoring (`restore`), the sets on the home page (`home`).
 */

import { Button } from 'react-aria-components'
import { copyKey } from '../../../../src/contract/dto/copies'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CheckSession } from '../../state/catalog/checkSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useSession, useStateOf } from '../../state/sessionContext'
import { RestoreSession } from '../restore/restoreSession'
import { CheckPanel } from './CheckPanel'
import { ChecksPanel } from './ChecksPanel'
import { CalendarPanel } from './copies/CalendarPanel'
import { LostPanel } from './copies/LostPanel'
import { PlacePanel } from './copies/PlacePanel'
import { SafeVerdict } from './copies/SafePanel'
import { FoundArchives } from './FoundArchives'
import { FoundPanel } from './FoundPanel'
import { PlansPanel, SurveysPanel } from './HistoryPanels'

/** Answers of the search, copies that fall due, and plans and surveys of before. */
export function CatalogStep() {
  const checkSession = useSession(CheckSession)
  const restoreSession = useSession(RestoreSession)
  const catalog = useStateOf(CatalogSession)
  const isVerifying = useStateOf(CheckSession, ({ open }) => open)
  const placing = useStateOf(CopiesSession, (copies) => copies.placing)
  return (
    <StepPage
      step="catalog"
      says={
        catalog.isUnlisted
          ? t('catalog.says.unlisted')
          : t('catalog.says', {
              surveys: t('catalog.says.surveys', { count: catalog.surveys.length }),
              plans: t('catalog.says.plans', { count: catalog.plans.length }),
            })
      }
      action={
        <>
          <Button
            className="plain"
            isDisabled={isVerifying}
            onPress={() => checkSession.store.dispatch({ type: 'opened' })}
          >
            {t('check.open')}
          </Button>
          <Button className={isVerifying ? 'plain' : 'primary'} onPress={() => restoreSession.open()}>
            {t('restore.open')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {catalog.found !== null && (
          <>
            <FoundArchives pattern={catalog.searched} />
            <FoundPanel found={catalog.found} pattern={catalog.searched} searching={catalog.searching} />
          </>
        )}
        {isVerifying && <CheckPanel />}
        <SafeVerdict />
        {placing && <PlacePanel key={copyKey(placing.of)} placing={placing} />}
        <LostPanel />
        <ChecksPanel kind="due" />
        {(catalog.plans.length > 0 || !catalog.isUnlisted) && <PlansPanel plans={catalog.plans} />}
        <ChecksPanel kind="all" />
        <CalendarPanel />
        {(catalog.surveys.length > 0 || !catalog.isUnlisted) && <SurveysPanel surveys={catalog.surveys} />}
      </div>
    </StepPage>
  )
}
