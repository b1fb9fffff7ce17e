import { Button } from 'react-aria-components'
import { t } from '../../copy'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'
import { ProjectSession } from './project/projectSession'
import { archivesOfSources } from './sameSources'

/**
 * The archives that keep the chosen folders already, while none is open: whoever opens one adds to
 * it, else the folders become an archive of their own.
 */
export function KnownArchives() {
  const project = useSession(ProjectSession)
  const isOpen = useStateOf(ProjectSession, ({ open }) => open !== null)
  const archives = useStateOf(CatalogSession, (state) => state.archives.archives)
  const { list } = useStateOf(SourceSession)
  const isReading = useIsRunning('survey')
  if (isOpen || isReading) return null
  const paths = list.map(({ path }) => path)
  return archivesOfSources(archives, paths).map(({ id, name }) => (
    <p key={id} className="known-archive">
      <span className="fills">{t('source.known', { name })}</span>
      <Button
        className="plain"
        aria-label={t('home.openNamed', { label: name })}
        onPress={() => void project.openArchive(id)}
      >
        {t('source.known.open')}
      </Button>
    </p>
  ))
}
