import { Button } from 'react-aria-components'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { SurveySession } from './surveySession'

/** More files are counted: the CSV has the paths of the first 1,000. */
const LISTED = 8

/**
 * Files whose content changed while size and time did not: every survey shows them until a person
 * says that they know.
 */
export function SilentPanel({ document, units }: { document: SurveyDocument; units: Units }) {
  const session = useSession(SurveySession)
  const { silentChanges: changes } = document
  if (!changes || changes.acknowledgedWallMs !== undefined) return null
  const { files, bytes, createdWallMs, paths } = changes
  const more = files - Math.min(LISTED, paths.length)
  return (
    <Panel
      title={t('silent.title')}
      says={t('silent.says', { count: files, size: formatSize(bytes, units), day: formatDay(createdWallMs) })}
      csv={() => ({ name: 'silent-changes', header: ['path'], rows: paths.map((path) => [path]) })}
    >
      <div className="stack tight">
        <ul className="plain-list" aria-label={t('silent.title')}>
          {paths.slice(0, LISTED).map((path) => (
            <li key={path} className="warn">
              <PathText path={path} />
            </li>
          ))}
          {more > 0 && <li>{t('check.more', { count: more })}</li>}
        </ul>
        <p>{t('silent.advice')}</p>
        <div className="row-actions">
          <Button className="plain" onPress={() => void session.acknowledge(document.id)}>
            {t('silent.acknowledge')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
