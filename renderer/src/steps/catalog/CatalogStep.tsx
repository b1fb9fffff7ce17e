import type { FormEvent } from 'react'
import { Button, Input, Label, SearchField } from 'react-aria-components'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { CheckPanel } from './CheckPanel'
import { ChecksPanel } from './ChecksPanel'
import { dueOf } from './checkState'
import { FoundPanel } from './FoundPanel'
import { PlansPanel, SurveysPanel } from './HistoryPanels'
import { RestorePanel } from './RestorePanel'

/** Where is it? Search first; then what was planned and surveyed before. */
export function CatalogStep() {
  const session = useSession()
  const catalog = useStore(session.stores.catalog)
  const isRestoring = useStore(session.stores.restore, ({ open }) => open)
  const check = useStore(session.stores.check)
  const due = dueOf(check)
  const search = (event: FormEvent) => {
    event.preventDefault()
    void session.find()
  }
  return (
    <StepPage
      step="catalog"
      says={t('catalog.says', {
        surveys: t('catalog.says.surveys', { count: catalog.surveys.length }),
        plans: t('catalog.says.plans', { count: catalog.plans.length }),
      })}
      action={
        <>
          <Button
            className="plain"
            isDisabled={check.open}
            onPress={() => session.stores.check.dispatch({ type: 'opened' })}
          >
            {t('check.open')}
          </Button>
          <Button
            className={check.open ? 'plain' : 'primary'}
            isDisabled={isRestoring}
            onPress={() => session.restore.open()}
          >
            {t('restore.open')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {isRestoring && <RestorePanel />}
        {check.open && <CheckPanel />}
        {due.length > 0 && <ChecksPanel kind="due" volumes={due} />}
        <form className="search" onSubmit={search}>
          <SearchField
            className="field search-field"
            value={catalog.pattern}
            onChange={(pattern) => session.typePattern(pattern)}
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
        <PlansPanel plans={catalog.plans} />
        {check.volumes.length > 0 && <ChecksPanel kind="all" volumes={check.volumes} />}
        <SurveysPanel surveys={catalog.surveys} />
      </div>
    </StepPage>
  )
}
