import { Button } from 'react-aria-components'
import { t, tMaybe } from '../copy'
import { sentence } from '../format/sentence'
import type { Page } from '../state/frame'
import { useFrame, useSession } from '../state/sessionContext'

/** Failures of a step (or of none): what happened, to which object and what to do now. */
export function Notices({ step }: { step: Page | null }) {
  const session = useSession()
  const { notices } = useFrame()
  const own = notices.filter((notice) => notice.step === step)
  return (
    <div className="notices" role="alert">
      {own.map(({ id, error, job }) => (
        <div key={id} className={isCalm(error.code) ? 'notice calm' : 'notice'}>
          <span className={isCalm(error.code) ? 'notice-sign calm' : 'notice-sign'} aria-hidden="true">
            !
          </span>
          <p>
            <strong>{sentence(error.message)}</strong> {whatNow([job, step], error.code)}
          </p>
          <Button className="quiet" onPress={() => session.dismiss(id)}>
            {t('notice.dismiss')}
          </Button>
        </div>
      ))}
    </div>
  )
}

/** Returns the advice after a failure: of the job, else of the step, else of the code. */
export function whatNow(from: readonly (string | null)[], code: string): string {
  const own = from.map((name) => tMaybe(`error.${name}.${code}`, '')).find((text) => text !== '')
  return own ?? tMaybe(`error.${code}`, '')
}

/** Work that was stopped, or that had nothing to do, has not failed. */
function isCalm(code: string): boolean {
  return code === 'cancelled' || code === 'interrupted' || code === 'nothing-to-do'
}
