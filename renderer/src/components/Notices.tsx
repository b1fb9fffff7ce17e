import { Button } from 'react-aria-components'
import { t, tMaybe } from '../copy'
import { sentence } from '../format/sentence'
import type { Step } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'

/** Failures of a step (or of none): what happened, to which object and what to do now. */
export function Notices({ step }: { step: Step | null }) {
  const session = useSession()
  const { notices } = useStore(session.stores.frame)
  const own = notices.filter((notice) => notice.step === step)
  return (
    <div className="notices" role="alert">
      {own.map(({ id, error }) => (
        <div key={id} className="notice">
          <span className="notice-sign" aria-hidden="true">
            !
          </span>
          <p>
            <strong>{sentence(error.message)}</strong> {whatNow(step, error.code)}
          </p>
          <Button className="quiet" onPress={() => session.dismiss(id)}>
            {t('notice.dismiss')}
          </Button>
        </div>
      ))}
    </div>
  )
}

/** A step may know better than all of them together what to do after a failure. */
function whatNow(step: Step | null, code: string): string {
  return tMaybe(`error.${step}.${code}`, tMaybe(`error.${code}`, ''))
}
