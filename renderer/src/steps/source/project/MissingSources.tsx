import { Button } from 'react-aria-components'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { ProjectSession } from './projectSession'

/** The sources of the project that are not there, each with the way to find it. */
export function MissingSources() {
  const session = useSession(ProjectSession)
  const missing = useStateOf(ProjectSession, ({ open }) => open?.missing)
  return missing?.map(({ name, path }) => (
    <li key={name} className="missing-source">
      <span className="notice-sign" aria-hidden="true">
        !
      </span>
      <div className="source-words fills">
        <span className="source-name ellipsis given-name" title={t('project.missing', { name })}>
          {t('project.missing', { name })}
        </span>
        <PathText path={path} />
      </div>
      <Button
        className="plain"
        aria-label={t('project.locateNamed', { name })}
        onPress={() => void session.locate(name)}
      >
        {t('project.locate')}
      </Button>
      <Button
        className="quiet"
        aria-label={t('project.missing.removeNamed', { name })}
        onPress={() => void session.removeMissing(name)}
      >
        {t('source.remove')}
      </Button>
    </li>
  ))
}
