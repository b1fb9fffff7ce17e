import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { ImageDocument } from '../../../../src/contract/dto/image'
import { Check, Choices, SizeLine } from '../../components/fields'
import { NewPasswordFields, PasswordField, type PasswordHandle } from '../../components/PasswordFields'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { inWords } from '../../format/inWords'
import { useSession, useStateOf } from '../../state/sessionContext'
import { ImagesPage } from './ImagesPage'
import { ImagesSession } from './imagesSession'
import { type ChangeForm, type ImageVerb, verbsFor } from './imagesState'
import { OpenedImage } from './OpenedImage'

/** An image that is open: what it is, what can be done with it, and what that needs to know. */
export function ExistingImagePage({ image, running }: { image: ImageDocument; running: boolean }) {
  const session = useSession(ImagesSession)
  const { change, verify, mayChange } = useStateOf(ImagesSession)
  const password = useRef<PasswordHandle>(null)
  const fresh = useRef<PasswordHandle>(null)
  const [typed, setTyped] = useState(false)
  const [fits, setFits] = useState(false)
  const verbs = verbsFor(image, mayChange)
  const verb = verbs.find((each) => each === change.verb) ?? verbs[0] ?? 'verify'
  const isEncrypted = image.encryption !== null
  const encrypts = verb === 'convert' && (change.encryption === '128' || change.encryption === '256')
  const needsFresh = !image.locked && (verb === 'changePassword' || encrypts)
  const canStart = !running && (!isEncrypted || typed) && (!needsFresh || fits) && isComplete(verb, change)
  const unlock = () => {
    const bytes = password.current?.take()
    if (bytes) void session.unlock(bytes)
  }
  const start = () => {
    const own = isEncrypted ? (password.current?.take() ?? null) : null
    const next = needsFresh ? (fresh.current?.take() ?? null) : null
    if (verb === 'convert') void session.convert(own, next)
    else if (verb !== 'changePassword') void session[verb](own)
    else if (own && next) {
      void session.changePassword(own, next)
      // The one typed is the old one from now on.
      password.current?.clear()
      fresh.current?.clear()
    }
  }
  return (
    <ImagesPage
      action={
        <Button className="primary" isDisabled={!canStart} onPress={image.locked ? unlock : start}>
          {t(image.locked ? 'images.unlock' : `images.do.${verb}`)}
        </Button>
      }
    >
      <div className="images beside-form">
        <fieldset className="measure-form images-form stack" disabled={running}>
          {isEncrypted && (
            <form
              className="stack close"
              onSubmit={(event) => {
                event.preventDefault()
                if (image.locked) unlock()
              }}
            >
              <PasswordField
                label={t('images.password')}
                handle={password}
                disabled={running}
                onTyped={setTyped}
              />
              {!image.locked && <p className="field-note">{t('images.password.each')}</p>}
            </form>
          )}
          {!image.locked && (
            <>
              <Choices
                title={t('images.what')}
                isDisabled={running}
                chosen={verb}
                options={verbs.map((id) => ({
                  id,
                  name: t(`images.verb.${id}`),
                  note: id === verb ? t(`images.note.${id}`) : undefined,
                }))}
                onChange={(id) => session.store.dispatch({ type: 'change', change: { verb: id } })}
              />
              <Details verb={verb} image={image} running={running} />
              {needsFresh && (
                <NewPasswordFields key={verb} handle={fresh} disabled={running} onFit={setFits} />
              )}
            </>
          )}
        </fieldset>
        <div className="measure-main stack" aria-busy={running}>
          <OpenedImage image={image} verify={verify} mayChange={mayChange} />
          <div className="row-actions">
            <OpenButtons running={running} />
          </div>
        </div>
      </div>
    </ImagesPage>
  )
}

/**
 * Opens another image: on Linux and Windows a sparse bundle is a folder, which a file dialog does
 * not take.
 */
export function OpenButtons({ running, isFirst = false }: { running: boolean; isFirst?: boolean }) {
  const session = useSession(ImagesSession)
  return (
    <>
      <Button
        className={isFirst ? 'primary' : 'plain'}
        isDisabled={running}
        onPress={() => void session.choose('file')}
      >
        {t('images.openFile')}
      </Button>
      <Button className="plain" isDisabled={running} onPress={() => void session.choose('bundle')}>
        {t('images.openBundle')}
      </Button>
    </>
  )
}

function isComplete(verb: ImageVerb, { size, band }: ChangeForm): boolean {
  if (verb === 'resize') return typeof typedSize(size) === 'number'
  return (verb !== 'reband' && verb !== 'convert') || typedSize(band) !== undefined
}

/** The fields that the chosen verb needs. */
function Details({ verb, image, running }: { verb: ImageVerb; image: ImageDocument; running: boolean }) {
  const session = useSession(ImagesSession)
  const { change } = useStateOf(ImagesSession)
  const set = (part: Partial<ChangeForm>) => session.store.dispatch({ type: 'change', change: part })
  return (
    <>
      {verb === 'verify' && (
        <Check
          words={t('images.sha256')}
          note={t('images.sha256.note')}
          isOn={change.sha256}
          isDisabled={running}
          onChange={(sha256) => set({ sha256 })}
        />
      )}
      {verb === 'convert' && <ConvertDetails image={image} running={running} set={set} />}
      {verb === 'resize' && (
        <SizeLine
          label={t('images.newSize')}
          value={change.size}
          example={t('images.size.example')}
          isDisabled={running}
          empty={t('images.newSize.note')}
          onChange={(size) => set({ size })}
        />
      )}
      {(verb === 'reband' || (verb === 'convert' && change.kind === 'UDSB')) && (
        <SizeLine
          label={t('images.band')}
          value={change.band}
          example={t('images.band.example')}
          isDisabled={running}
          empty={t('images.band.fitted')}
          onChange={(band) => set({ band })}
        />
      )}
    </>
  )
}

function ConvertDetails({
  image,
  running,
  set,
}: {
  image: ImageDocument
  running: boolean
  set: (part: Partial<ChangeForm>) => void
}) {
  const { change, catalogue: known } = useStateOf(ImagesSession)
  const catalogue = inWords(known)
  const encryptions =
    image.encryption === null ? (['same', '128', '256'] as const) : (['same', 'none', '128', '256'] as const)
  return (
    <>
      <Choices
        title={t('images.to')}
        isDisabled={running}
        chosen={change.kind}
        options={(catalogue?.kinds ?? []).map(({ kind, opens }) => ({
          id: kind,
          name: t(`images.kind.${kind}`),
          note: kind === change.kind ? opens.map(({ text }) => text).join(' ') : undefined,
        }))}
        onChange={(kind) => set({ kind })}
      />
      {change.kind === 'UDZO' && (
        <Choices
          title={t('images.level')}
          isDisabled={running}
          chosen={change.level}
          options={(['fast', 'small'] as const).map((id) => ({ id, name: t(`images.level.${id}`) }))}
          onChange={(level) => set({ level })}
        />
      )}
      <Choices
        title={t('images.encryption')}
        isDisabled={running}
        chosen={change.encryption}
        options={encryptions.map((id) => ({
          id,
          name:
            id === 'same'
              ? t(image.encryption === null ? 'images.encryption.none' : 'images.encryption.same')
              : t(`images.encryption.${id}`),
          note:
            id === change.encryption && (id === '128' || id === '256')
              ? catalogue?.encryptedOpens[0]?.text
              : undefined,
        }))}
        onChange={(encryption) => set({ encryption })}
      />
    </>
  )
}
