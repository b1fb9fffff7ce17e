import type { ReactNode } from 'react'
import { Segments } from '../../components/Segments'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { ImagesSession } from './imagesSession'
import type { ImagesState } from './imagesState'

/** The Images step's page: whether an image is made or opened is next to its main action. */
export function ImagesPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const session = useSession(ImagesSession)
  const images = useStateOf(ImagesSession)
  const running = useIsRunning('image')
  return (
    <StepPage
      step="images"
      says={sayWhat(images, running)}
      action={
        <>
          <Segments
            label={t('images.mode')}
            all={['new', 'open']}
            chosen={images.mode}
            words={(id) => t(`images.mode.${id}`)}
            onChange={(id) => session.store.dispatch({ type: 'mode', mode: id })}
          />
          {action}
        </>
      }
    >
      {children}
    </StepPage>
  )
}

function sayWhat({ did, doing, mode }: ImagesState, running: boolean): string {
  if (running) return doing === null ? t('images.says.running') : t(`images.doing.${doing}`)
  if (mode === 'open' && did !== null) return t(`images.did.${did}`)
  return t(mode === 'new' ? 'images.says.new' : 'images.says.open')
}
