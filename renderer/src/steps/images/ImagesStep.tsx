/**
 * The room `images` is the step Images: making, opening and changing disk images.
 * How: a form gives a plan of the engine before anything is written; each change is a job.
 * Not here: images of discs (`building`).
 */

import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { PasswordHandle } from '../../components/PasswordFields'
import { EmptyState } from '../../components/StepPage'
import { t } from '../../copy'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { ExistingImagePage, OpenButtons } from './ExistingImagePage'
import { ImagesPage } from './ImagesPage'
import { ImagesSession } from './imagesSession'
import { NewImageForm } from './NewImageForm'
import { NewImagePlan } from './NewImagePlan'

/** Disk images: made, looked at, changed. */
export function ImagesStep() {
  const images = useStateOf(ImagesSession)
  const running = useIsRunning('image')
  const { image } = images
  if (images.mode === 'new') return <NewImagePage running={running} />
  // Another image is another form: nothing typed for one is left for the next.
  if (image) return <ExistingImagePage key={image.path} image={image} running={running} />
  return (
    <ImagesPage>
      <EmptyState title={t('images.empty.title')} text={t('images.empty.text')}>
        <OpenButtons running={running} isFirst />
      </EmptyState>
    </ImagesPage>
  )
}

function NewImagePage({ running }: { running: boolean }) {
  const session = useSession(ImagesSession)
  const { form, plan } = useStateOf(ImagesSession)
  const password = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  const isEncrypted = form.keyBits !== null
  const canStart = !running && plan !== null && plan.refusal === null && (!isEncrypted || fits)
  const start = () => void session.create(isEncrypted ? (password.current?.take() ?? null) : null)
  return (
    <ImagesPage
      action={
        <Button className="primary" isDisabled={!canStart} onPress={start}>
          {t('images.make')}
        </Button>
      }
    >
      <div className="images beside-form">
        <NewImageForm running={running} password={password} onFit={setFits} />
        <div className="measure-main stack" aria-busy={running}>
          <NewImagePlan />
        </div>
      </div>
    </ImagesPage>
  )
}
