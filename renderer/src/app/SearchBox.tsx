import type { FormEvent } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { t } from '../copy'
import { CatalogSession } from '../state/catalog/catalogSession'
import { useSession, useStateOf } from '../state/sessionContext'

/** The one search of the window: for archives, discs and files, whichever page is shown. */
export function SearchBox() {
  const session = useSession()
  const catalog = useSession(CatalogSession)
  const pattern = useStateOf(CatalogSession, (state) => state.pattern)
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (pattern.trim() === '') return
    session.goTo('catalog')
    void catalog.find()
  }
  return (
    <form className="top-search" onSubmit={search}>
      <SearchField
        className="field"
        aria-label={t('search.label')}
        value={pattern}
        onChange={(words) => catalog.typePattern(words)}
      >
        <Input className="input" placeholder={t('search.label')} title={t('catalog.hint')} />
      </SearchField>
    </form>
  )
}
