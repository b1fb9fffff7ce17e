import { type ReactNode, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { PasswordHandle } from '../../components/PasswordFields'
import { Segments } from '../../components/Segments'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { ExistingImagePage, OpenButtons } from './ExistingImagePage'
import type { ImagesState } from './imagesState'
import { NewImageForm } from './NewImageForm'
import { NewImagePlan } from './NewImagePlan'

/** Disk images: made, looked at, changed. */
export function ImagesStep() {
  const { stores } = useSession()
  const images = useStore(stores.images)
  const running = useStore(stores.jobs, (jobs) => runningOf(jobs, 'image') !== null)
  const says = sayWhat(images, running)
  const { image } = images
  if (images.mode === 'new') return <NewImagePage running={running} says={says} switches={<ModeSwitch />} />
  // Another image is another form: nothing typed for one is left for the next.
  if (image)
    return (
      <ExistingImagePage
        key={image.path}
        image={image}
        running={running}
        says={says}
        switches={<ModeSwitch />}
      />
    )
  return (
    <StepPage step="images" says={says} action={<ModeSwitch />}>
      <EmptyState title={t('images.empty.title')} text={t('images.empty.text')}>
        <OpenButtons running={running} isFirst />
      </EmptyState>
    </StepPage>
  )
}

function ModeSwitch() {
  const { images } = useSession().stores
  const { mode } = useStore(images)
  return (
    <Segments
      label={t('images.mode')}
      all={['new', 'open']}
      chosen={mode}
      words={(id) => t(`images.mode.${id}`)}
      onChange={(id) => images.dispatch({ type: 'mode', mode: id })}
    />
  )
}

function NewImagePage({
  running,
  says,
  switches,
}: {
  running: boolean
  says: string
  /** What is next to the main action. */
  switches: ReactNode
}) {
  const session = useSession()
  const { form, plan } = useStore(session.stores.images)
  const password = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  const isEncrypted = form.keyBits !== null
  const canStart = !running && plan !== null && plan.refusal === null && (!isEncrypted || fits)
  const start = () => void session.images.create(isEncrypted ? (password.current?.take() ?? null) : null)
  return (
    <StepPage
      step="images"
      says={says}
      action={
        <>
          {switches}
          <Button className="primary" isDisabled={!canStart} onPress={start}>
            {t('images.make')}
          </Button>
        </>
      }
    >
      <div className="images beside-form">
        <NewImageForm running={running} password={password} onFit={setFits} />
        <div className="measure-main stack" aria-busy={running}>
          <NewImagePlan />
        </div>
      </div>
    </StepPage>
  )
}

function sayWhat({ did, doing, mode }: ImagesState, running: boolean): string {
  if (running) return doing === null ? t('images.says.running') : t(`images.doing.${doing}`)
  if (mode === 'open' && did !== null) return t(`images.did.${did}`)
  return t(mode === 'new' ? 'images.says.new' : 'images.says.open')
}
