import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { t } from '../copy'
import { useFrame, useSession } from '../state/sessionContext'

/** For so many milliseconds the note is shown, longer under the pointer or with the focus. */
const SHOWN_MS = 12_000

/** Says what was just removed, and brings it back on demand: nobody is asked before. */
export function UndoNote() {
  const session = useSession()
  const { removed } = useFrame()
  useEffect(() => {
    if (removed === null) return undefined
    const timer = setInterval(() => {
      if (!document.querySelector('.undo-note:is(:hover, :focus-within)')) session.forgetRemoved()
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [session, removed])
  return (
    <div className="undo-place" role="status">
      {removed && (
        <div className="undo-note">
          <span className="ellipsis">{t('removed.said', { name: removed.name })}</span>
          <Button className="link" onPress={() => session.undo()}>
            {t('removed.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
