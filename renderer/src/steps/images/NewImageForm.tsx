import type { RefObject } from 'react'
import { formatBlockSize } from '../../../../src/primitives/quantity'
import { Choices, SizeLine } from '../../components/fields'
import { NewPasswordFields, type PasswordHandle } from '../../components/PasswordFields'
import { t } from '../../copy'
import { inWords } from '../../format/inWords'
import { useSession, useStateOf } from '../../state/sessionContext'
import { ImagesSession } from './imagesSession'
import { presetOf } from './imagesState'

const KEY_BITS = [null, 128, 256] as const

/** The settings of a new image: its purpose, kind, size, bands and encryption. */
export function NewImageForm({
  running,
  password,
  onFit,
}: {
  running: boolean
  password: RefObject<PasswordHandle | null>
  onFit: (fit: boolean) => void
}) {
  const session = useSession(ImagesSession)
  const { form, catalogue: known } = useStateOf(ImagesSession)
  const catalogue = inWords(known)
  const { keyBits } = form
  return (
    <fieldset className="measure-form images-form stack" disabled={running}>
      <Choices
        title={t('images.purpose')}
        isDisabled={running}
        chosen={presetOf(form, catalogue) ?? undefined}
        options={(catalogue?.presets ?? []).map(({ id, name, does }) => ({ id, name, note: does }))}
        onChange={(id) => session.choosePreset(id)}
      />
      <SizeLine
        label={t('images.size')}
        value={form.size}
        example={t('images.size.example')}
        isDisabled={running}
        empty={t('images.size.needed')}
        onChange={(size) => session.set({ size }, true)}
      />
      <Choices
        title={t('images.kind')}
        isDisabled={running}
        chosen={form.kind}
        options={(catalogue?.kinds ?? [])
          .filter(({ isWritable }) => isWritable)
          .map(({ kind, opens, does }) => ({
            id: kind,
            name: t(`images.kind.${kind}`),
            note: form.kind === kind ? does : opens[0]?.text,
          }))}
        onChange={(kind) =>
          session.set({
            kind,
            band: '',
            bandDefault: kind === 'UDSB' ? 'fitted' : 'usual',
          })
        }
      />
      {form.kind !== 'UDRW' && <BandField running={running} />}
      <Choices
        title={t('images.encryption')}
        isDisabled={running}
        chosen={keyBits}
        options={KEY_BITS.map((id) => ({
          id,
          name: t(`images.encryption.${id ?? 'none'}`),
          note: id === null || id !== keyBits ? undefined : catalogue?.encryptedOpens[0]?.text,
        }))}
        onChange={(id) => session.set({ keyBits: id })}
      >
        {keyBits !== null && <NewPasswordFields handle={password} disabled={running} onFit={onFit} />}
      </Choices>
    </fieldset>
  )
}

function BandField({ running }: { running: boolean }) {
  const session = useSession(ImagesSession)
  const { form, plan } = useStateOf(ImagesSession)
  const chosen = plan?.bandBytes ?? null
  return (
    <SizeLine
      label={t('images.band')}
      value={form.band}
      example={chosen === null ? '' : formatBlockSize(chosen)}
      isDisabled={running}
      empty={t(form.bandDefault === 'fitted' ? 'images.band.fitted' : 'images.band.usual')}
      problem={form.band === '' ? null : (plan?.refusal ?? null)}
      onChange={(band) => session.set({ band }, true)}
    />
  )
}
