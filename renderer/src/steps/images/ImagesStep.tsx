import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { PasswordHandle } from '../../components/PasswordFields'
import { EmptyState } from '../../components/StepPage'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { ExistingImagePage, OpenButtons } from './ExistingImagePage'
import { ImagesPage } from './ImagesPage'
import { NewImageForm } from './NewImageForm'
import { NewImagePlan } from './NewImagePlan'

/** Disk images: made, looked at, changed. */
export function ImagesStep() {
  const { stores } = useSession()
  const images = useStore(stores.images)
  const running = useStore(stores.jobs, (jobs) => runningOf(jobs, 'image') !== null)
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
  const session = useSession()
  const { form, plan } = useStore(session.stores.images)
  const password = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  const isEncrypted = form.keyBits !== null
  const canStart = !running && plan !== null && plan.refusal === null && (!isEncrypted || fits)
  const start = () => void session.images.create(isEncrypted ? (password.current?.take() ?? null) : null)
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
