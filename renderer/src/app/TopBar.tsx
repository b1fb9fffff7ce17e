import { helpSchema } from '../../../src/contract/rendererSchema'
import { pathForDisplay } from '../../../src/primitives/pathText'
import { MenuButton } from '../components/MenuButton'
import { t } from '../copy'
import { titleOfRoots } from '../format/paths'
import { useSession, useStateOf } from '../state/sessionContext'
import { SourceSession } from '../state/source/sourceSession'
import { ProjectSession } from '../steps/source/project/projectSession'
import { SurveySession } from '../steps/survey/surveySession'
import { SearchBox } from './SearchBox'

const PROJECT_ACTIONS = ['new', 'open', 'save', 'saveAs'] as const

/** The window's head: what is being worked on, the search, projects and help. */
export function TopBar() {
  const session = useSession()
  const sources = useStateOf(SourceSession)
  const survey = useStateOf(SurveySession)
  const project = useSession(ProjectSession)
  const { open } = useStateOf(ProjectSession)
  const roots =
    sources.list.length > 0 ? sources.list.map((source) => source.path) : (survey.document?.roots ?? [])
  return (
    <header className="top">
      <span className="brand">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path d="M3 3.500h3.600v13H3zM8.200 6.500h3.600v10H8.200z" fill="currentColor" />
          <path d="M13.400 9.500H17v7h-3.600z" fill="var(--accent)" />
        </svg>
        {t('app.name')}
      </span>
      {open === null ? (
        <span className="fills ellipsis given-name muted" title={titleOfRoots(roots)}>
          {titleOfRoots(roots)}
        </span>
      ) : (
        <span className="fills top-project">
          <span className="ellipsis given-name" title={pathForDisplay(open.name)}>
            {pathForDisplay(open.name)}
          </span>
          <span className="muted" role="status">
            {open.isUnsaved ? t('project.unsaved') : ''}
          </span>
        </span>
      )}
      <SearchBox />
      <span className="row-actions">
        <MenuButton
          name={t('project.menu')}
          className="quiet"
          all={PROJECT_ACTIONS}
          words={(action) => t(`project.menu.${action}`)}
          onPick={(action) => void project.do(action)}
        />
        <MenuButton
          name={t('help.menu')}
          className="quiet"
          all={helpSchema.options}
          words={(help) => t(`help.${help}`)}
          onPick={(help) => session.showHelp(help)}
        />
      </span>
    </header>
  )
}
