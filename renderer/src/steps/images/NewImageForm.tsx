import type { RefObject } from 'react'
import { RadioGroup } from 'react-aria-components'
import type { ImageKind } from '../../../../src/contract/dto/image'
import { formatBlockSize, formatExactBytes } from '../../../../src/primitives/quantity'
import { Choice, TextLine } from '../../components/fields'
import { NewPasswordFields, type PasswordHandle } from '../../components/PasswordFields'
import { typedSize } from '../../components/typedSize'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { type KeyBits, presetOf } from './imagesState'

const KEY_BITS = ['none', '128', '256'] as const

/** What a new image is to be: for which purpose, of which kind, how large, in which bands, encrypted or not. */
export function NewImageForm({
  running,
  password,
  onFit,
}: {
  running: boolean
  password: RefObject<PasswordHandle | null>
  onFit: (fit: boolean) => void
}) {
  const session = useSession()
  const { form, catalogue } = useStore(session.stores.images)
  const { keyBits } = form
  return (
    <fieldset className="measure-form images-form stack" disabled={running}>
      <Choices
        title={t('images.purpose')}
        running={running}
        value={presetOf(form, catalogue)}
        options={(catalogue?.presets ?? []).map(({ id, name, does }) => ({ id, name, note: does }))}
        onChange={(id) => session.images.choosePreset(id)}
      />
      <SizeField running={running} />
      <Choices
        title={t('images.kind')}
        running={running}
        value={form.kind}
        options={(catalogue?.kinds ?? [])
          .filter(({ isWritable }) => isWritable)
          .map(({ kind, opens, does }) => ({
            id: kind,
            name: t(`images.kind.${kind}`),
            note: form.kind === kind ? does : (opens[0]?.text ?? ''),
          }))}
        onChange={(kind) =>
          session.images.set({
            kind: kind as ImageKind,
            band: '',
            bandDefault: kind === 'UDSB' ? 'fitted' : 'usual',
          })
        }
      />
      {form.kind !== 'UDRW' && <BandField running={running} />}
      <section aria-label={t('images.encryption')}>
        <Choices
          title={t('images.encryption')}
          running={running}
          value={keyBits === null ? 'none' : String(keyBits)}
          options={KEY_BITS.map((id) => ({
            id,
            name: t(`images.encryption.${id}`),
            note: id === 'none' ? '' : (catalogue?.encryptedOpens[0]?.text ?? ''),
            isQuiet: id !== String(keyBits),
          }))}
          onChange={(id) => session.images.set({ keyBits: id === 'none' ? null : (Number(id) as KeyBits) })}
        />
        {keyBits !== null && (
          <>
            <NewPasswordFields handle={password} disabled={running} onFit={onFit} />
            <p className="field-note">{t('images.password.lost')}</p>
          </>
        )}
      </section>
    </fieldset>
  )
}

interface ChoiceOption {
  readonly id: string
  readonly name: string
  readonly note: string
  /** The note is shown once it is chosen. */
  readonly isQuiet?: boolean
}

/** One choice of a few, each with what it means. */
export function Choices({
  title,
  running,
  value,
  options,
  onChange,
}: {
  title: string
  running: boolean
  value: string | null
  options: readonly ChoiceOption[]
  onChange: (id: string) => void
}) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <RadioGroup aria-label={title} isDisabled={running} value={value} onChange={onChange}>
        {options.map(({ id, name, note, isQuiet }) => (
          <Choice key={id} id={id} note={note === '' || isQuiet ? null : note}>
            <span>{name}</span>
          </Choice>
        ))}
      </RadioGroup>
    </section>
  )
}

function SizeField({ running }: { running: boolean }) {
  const session = useSession()
  const { form } = useStore(session.stores.images)
  return (
    <SizeInput
      label={t('images.size')}
      value={form.size}
      example={t('images.size.example')}
      running={running}
      empty={t('images.size.needed')}
      onChange={(size) => session.images.set({ size }, true)}
    />
  )
}

function BandField({ running }: { running: boolean }) {
  const session = useSession()
  const { form, plan } = useStore(session.stores.images)
  const chosen = plan?.bandBytes ?? null
  return (
    <SizeInput
      label={t('images.band')}
      value={form.band}
      example={chosen === null ? '' : formatBlockSize(chosen)}
      running={running}
      empty={t(form.bandDefault === 'fitted' ? 'images.band.fitted' : 'images.band.usual')}
      problem={form.band === '' ? null : (plan?.refusal ?? null)}
      onChange={(band) => session.images.set({ band }, true)}
    />
  )
}

/** A size as text, judged as it is typed. */
export function SizeInput({
  label,
  value,
  example,
  running,
  empty,
  problem = null,
  onChange,
}: {
  label: string
  value: string
  example: string
  running: boolean
  /** The note below while nothing is typed. */
  empty: string
  problem?: string | null
  onChange: (text: string) => void
}) {
  const bytes = typedSize(value)
  const wrong = bytes === undefined || problem !== null
  return (
    <TextLine
      label={label}
      example={example}
      text={value}
      isDisabled={running}
      isWrong={wrong}
      note={
        bytes === undefined
          ? t('images.notSize')
          : (problem ?? (bytes === null ? empty : formatExactBytes(bytes)))
      }
      onChange={onChange}
    />
  )
}
