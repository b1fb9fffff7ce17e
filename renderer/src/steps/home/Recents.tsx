import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import type { RecentProject } from '../../../../src/contract/dto/project'
import type { SurveyListItem } from '../../../../src/contract/dto/survey'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { Size } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useSession, useUnits } from '../../state/sessionContext'
import { ProjectSession } from '../source/project/projectSession'

/** The most that are shown of each kind. */
const LISTED = 6

/** Projects that were open before, the last one first. */
export function Projects({ recents }: { recents: readonly RecentProject[] }) {
  const session = useSession(ProjectSession)
  return (
    <Panel title={t('home.projects')}>
      <ul className="source-list">
        {recents.slice(0, LISTED).map(({ recent, name, problem }) => (
          <li key={recent}>
            <div className="source-words fills">
              {problem === null ? (
                <Button
                  className="link"
                  aria-label={t('project.openNamed', { name })}
                  onPress={() => void session.openRecent(recent)}
                >
                  <span className="ellipsis given-name" title={name}>
                    {name}
                  </span>
                </Button>
              ) : (
                <span className="source-name ellipsis given-name muted" title={name}>
                  {name}
                </span>
              )}
              <PathText path={recent} />
              {problem !== null && (
                <span className="recent-problem small">{t('project.problem', { problem })}</span>
              )}
            </div>
            <Button
              className="quiet"
              aria-label={t('project.forgetNamed', { name })}
              onPress={() => void session.forget(recent)}
            >
              {t('project.forget')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Sources that were surveyed before: the last survey of each, newest first. */
export function RecentSources({ surveys }: { surveys: readonly SurveyListItem[] }) {
  const session = useSession(CatalogSession)
  const units = useUnits()
  const shown = useMemo(() => lastOfEach(surveys).slice(0, LISTED), [surveys])
  return (
    <Panel title={t('home.sources')}>
      <ul className="source-list">
        {shown.map(({ id, roots, createdWallMs, files, bytes }) => (
          <li key={id}>
            <div className="source-words fills">
              <Button
                className="link"
                aria-label={t('home.sources.open', { title: titleOfRoots(roots) })}
                onPress={() => void session.openSurvey(id)}
              >
                <span className="ellipsis given-name" title={titleOfRoots(roots)}>
                  {titleOfRoots(roots)}
                </span>
              </Button>
              <span className="muted small">{formatMoment(createdWallMs)}</span>
            </div>
            <span className="home-size muted">
              <Size bytes={bytes} units={units} />
              <span className="small">{t('home.sources.files', { count: files })}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** @param surveys newest first */
function lastOfEach(surveys: readonly SurveyListItem[]): SurveyListItem[] {
  const seen = new Set<string>()
  return surveys.filter(({ roots }) => {
    const key = JSON.stringify([...roots].sort())
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
