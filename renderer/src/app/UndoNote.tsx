import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { t } from '../copy'
import { useFrame, useSession } from '../state/sessionContext'

/** For so many milliseconds the note is shown, longer under the pointer or with the focus. */
const SHOWN_MS = 12_000

/** Says what was just removed or noted, and undoes it on demand: nobody is asked before. */
export function UndoNote() {
  const session = useSession()
  const { undoable } = useFrame()
  useEffect(() => {
    if (undoable === null) return undefined
    const timer = setInterval(() => {
      if (!document.querySelector('.undo-note:is(:hover, :focus-within)')) session.keepDone()
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [session, undoable])
  return (
    <div className="undo-place" role="status">
      {undoable && (
        <div className="undo-note">
          <span className="ellipsis">{undoable.said()}</span>
          <Button className="link" onPress={() => session.undo()}>
            {t('removed.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
