/**
 * The room `catalog` is the step Catalog: finding files, checking copies, earlier plans and
 * surveys.
 * How: panels read the catalog; `copies` has the copies of volumes and when to verify them.
 * Not here: restoring (`restore`), the sets on the home page (`home`).
 */

import type { FormEvent } from 'react'
import { Button, Input, Label, SearchField } from 'react-aria-components'
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
import { FoundPanel } from './FoundPanel'
import { PlansPanel, SurveysPanel } from './HistoryPanels'

/** Where is it? Search first; then what was planned and surveyed before. */
export function CatalogStep() {
  const catalogSession = useSession(CatalogSession)
  const checkSession = useSession(CheckSession)
  const restoreSession = useSession(RestoreSession)
  const catalog = useStateOf(CatalogSession)
  const isVerifying = useStateOf(CheckSession, ({ open }) => open)
  const placing = useStateOf(CopiesSession, (copies) => copies.placing)
  const search = (event: FormEvent) => {
    event.preventDefault()
    void catalogSession.find()
  }
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
        {isVerifying && <CheckPanel />}
        <SafeVerdict />
        {placing && <PlacePanel key={copyKey(placing.of)} placing={placing} />}
        <LostPanel />
        <ChecksPanel kind="due" />
        <form className="search" onSubmit={search}>
          <SearchField
            className="field search-field"
            value={catalog.pattern}
            onChange={(pattern) => catalogSession.typePattern(pattern)}
          >
            <Label>{t('catalog.search')}</Label>
            <div className="search-row">
              <Input className="input" placeholder={t('catalog.example')} />
              <Button className="plain" type="submit" slot={null} isDisabled={catalog.pattern.trim() === ''}>
                {t('catalog.find')}
              </Button>
            </div>
          </SearchField>
          <p className="field-note">{t('catalog.hint')}</p>
        </form>
        {catalog.found !== null && (
          <FoundPanel found={catalog.found} pattern={catalog.searched} searching={catalog.searching} />
        )}
        {(catalog.plans.length > 0 || !catalog.isUnlisted) && <PlansPanel plans={catalog.plans} />}
        <ChecksPanel kind="all" />
        <CalendarPanel />
        {(catalog.surveys.length > 0 || !catalog.isUnlisted) && <SurveysPanel surveys={catalog.surveys} />}
      </div>
    </StepPage>
  )
}
