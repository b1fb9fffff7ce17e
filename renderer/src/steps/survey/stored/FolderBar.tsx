import { Button } from 'react-aria-components'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { patternOver, placeOf } from '../../../state/source/leaveOut'
import { SourceSession } from '../../../state/source/sourceSession'

/** The selected folder, and the rule that leaves it out of the next survey. */
export function FolderBar({ path, hint }: { path: string | null; hint: string }) {
  const session = useSession(KeptSession)
  const rules = useStateOf(KeptSession, (state) => state.rules)
  const { list } = useStateOf(SourceSession)
  if (path === null) return <div className="kept-bar muted">{hint}</div>
  const place = placeOf(
    path,
    true,
    list.map((source) => source.path),
  )
  const over = place && patternOver(rules, place)
  return (
    <div className="kept-bar">
      <div className="fills">
        <PathText path={path} />
        {over && (
          <span className="muted" role="status">
            {t('stored.leftOut', { rule: pathForDisplay(over.pattern) })}
          </span>
        )}
      </div>
      <div className="row-actions">
        {place && !over && (
          <Button className="plain" onPress={() => session.leaveOut(place)}>
            {t('stored.leaveOut')}
          </Button>
        )}
        {over?.isOwn && (
          <Button
            className="plain"
            onPress={() => session.removePattern(rules.patterns.indexOf(over.pattern))}
          >
            {t('kept.takeBack')}
          </Button>
        )}
        <Button className="quiet" onPress={() => void session.show(path)}>
          {t('kept.show')}
        </Button>
      </div>
    </div>
  )
}
