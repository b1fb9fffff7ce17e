import { Button } from 'react-aria-components'
import type { RecentProject } from '../../../../../src/contract/dto/project'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { ProjectSession } from './projectSession'

/** The last work as one line, and projects before it behind a click. Nothing for a newcomer. */
export function RecentProjects() {
  const { recents } = useStateOf(ProjectSession)
  const last = recents.find(({ problem }) => problem === null)
  const others = recents.filter((each) => each !== last)
  if (recents.length === 0) return null
  return (
    <section className="recents" aria-label={t('project.recents.label')}>
      {last && <LastProject project={last} />}
      {others.length > 0 && (
        <details className="expert" open={last === undefined}>
          <summary>{t('project.recents', { count: others.length })}</summary>
          <ul className="source-list">
            {others.map((each) => (
              <OtherProject key={each.recent} project={each} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function LastProject({ project: { recent, name } }: { project: RecentProject }) {
  const session = useSession(ProjectSession)
  return (
    <div className="recent-last">
      <Button className="plain" onPress={() => void session.openRecent(recent)}>
        <span className="ellipsis given-name" title={t('project.goOn', { name })}>
          {t('project.goOn', { name })}
        </span>
      </Button>
      <span className="fills recent-path muted">
        <PathText path={recent} />
      </span>
    </div>
  )
}

function OtherProject({ project: { recent, name, problem } }: { project: RecentProject }) {
  const session = useSession(ProjectSession)
  return (
    <li>
      <div className={problem === null ? 'source-words fills' : 'source-words fills muted'}>
        <span className="source-name ellipsis given-name" title={name}>
          {name}
        </span>
        <PathText path={recent} />
        {problem !== null && (
          <span className="recent-problem small">{t('project.problem', { problem })}</span>
        )}
      </div>
      {problem === null && (
        <Button
          className="quiet"
          aria-label={t('project.openNamed', { name })}
          onPress={() => void session.openRecent(recent)}
        >
          {t('project.open')}
        </Button>
      )}
      <Button
        className="quiet"
        aria-label={t('project.forgetNamed', { name })}
        onPress={() => void session.forget(recent)}
      >
        {t('project.forget')}
      </Button>
    </li>
  )
}
