import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useSession, useStateOf } from '../../state/sessionContext'
import { foundArchives } from './foundArchives'

/** The archives and discs that a search found, each with the way to its page. */
export function FoundArchives({ pattern }: { pattern: string }) {
  const session = useSession(CatalogSession)
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const found = useMemo(() => foundArchives(pattern, known, copies), [pattern, known, copies])
  if (found.length === 0) return null
  return (
    <Panel title={t('catalog.foundArchives', { count: found.length })}>
      <ul className="source-list">
        {found.map(({ key, name, labels }) => (
          <li key={key}>
            <div className="source-words fills">
              <Button
                className="link"
                aria-label={t('home.copiesNamed', { label: name })}
                onPress={() => session.openArchive(key)}
              >
                <span className="ellipsis given-name" title={name}>
                  {name}
                </span>
              </Button>
              {labels.length > 0 && <span className="muted small">{sayRanges(labels)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
