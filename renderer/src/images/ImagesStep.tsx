import { useRef, useState } from 'react'
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { EmptyState, StepPage } from '../components/StepPage'
import { t } from '../copy'
import type { ImagesState } from '../state/images'
import { runningOf } from '../state/jobs'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'
import { ChangePanel } from './ChangePanel'
import { NewImageForm } from './NewImageForm'
import { NewImagePlan } from './NewImagePlan'
import { OpenedImage } from './OpenedImage'
import type { PasswordHandle } from './PasswordFields'

/** Disk images: made, looked at, changed. */
export function ImagesStep() {
  const session = useSession()
  const { stores } = session
  const images = useStore(stores.images)
  const running = runningOf(useStore(stores.jobs), 'image') !== null
  const { mode, image } = images
  return (
    <StepPage
      step="images"
      says={sayWhat(images, running)}
      action={
        <ToggleButtonGroup
          className="segmented"
          aria-label={t('images.mode')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[mode]}
          onSelectionChange={(keys) =>
            stores.images.dispatch({ type: 'mode', mode: keys.has('new') ? 'new' : 'open' })
          }
        >
          <ToggleButton id="new">{t('images.mode.new')}</ToggleButton>
          <ToggleButton id="open">{t('images.mode.open')}</ToggleButton>
        </ToggleButtonGroup>
      }
    >
      {mode === 'new' ? (
        <NewImage running={running} />
      ) : image === null ? (
        <EmptyState title={t('images.empty.title')} text={t('images.empty.text')}>
          <OpenButtons running={running} isFirst />
        </EmptyState>
      ) : (
        <div className="measure images">
          {/* Another image is another form: nothing typed for one is left for the next. */}
          <ChangePanel key={image.path} image={image} running={running} />
          <div className="measure-main" aria-busy={running}>
            <div className="row-actions">
              <OpenButtons running={running} />
            </div>
            <OpenedImage image={image} verify={images.verify} />
          </div>
        </div>
      )}
    </StepPage>
  )
}

function NewImage({ running }: { running: boolean }) {
  const session = useSession()
  const { form, plan } = useStore(session.stores.images)
  const password = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  const canStart = !running && plan !== null && plan.refusal === null && (form.keyBits === null || fits)
  const start = () => {
    void session.images.create(form.keyBits === null ? null : (password.current?.take() ?? null))
  }
  return (
    <div className="measure images">
      <NewImageForm running={running} password={password} onFit={setFits} />
      <div className="measure-main" aria-busy={running}>
        <NewImagePlan />
        <div className="row-actions">
          <Button className="primary" isDisabled={!canStart} onPress={start}>
            {t('images.make')}
          </Button>
          <span className="field-note">{t('images.make.note')}</span>
        </div>
      </div>
    </div>
  )
}

function OpenButtons({ running, isFirst = false }: { running: boolean; isFirst?: boolean }) {
  const session = useSession()
  return (
    <>
      <Button
        className={isFirst ? 'primary' : 'plain'}
        isDisabled={running}
        onPress={() => void session.images.choose('file')}
      >
        {t('images.openFile')}
      </Button>
      <Button className="plain" isDisabled={running} onPress={() => void session.images.choose('bundle')}>
        {t('images.openBundle')}
      </Button>
    </>
  )
}

function sayWhat({ did, doing, mode }: ImagesState, running: boolean): string {
  if (running) return doing === null ? t('images.says.running') : t(`images.doing.${doing}`)
  if (mode === 'open' && did !== null) return t(`images.did.${did}`)
  return t(mode === 'new' ? 'images.says.new' : 'images.says.open')
}
