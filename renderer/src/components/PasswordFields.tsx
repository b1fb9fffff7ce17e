import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { t } from '../copy'
import { type Strength, strengthOf } from './passwordStrength'

/**
 * How a form gets at a password: as bytes, when it is needed. The text itself stays in its field.
 */
export interface PasswordHandle {
  /** Null while nothing fit is typed. Whoever takes the bytes overwrites them. */
  take(): Uint8Array | null
  clear(): void
}

const MOST_CHARACTERS = 1024

/** The password of an image that is there. */
export function PasswordField({
  label,
  handle,
  disabled,
  onTyped,
}: {
  label: string
  handle: RefObject<PasswordHandle | null>
  disabled: boolean
  /** Hears whether anything is typed. */
  onTyped: (typed: boolean) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(handle, () => ({
    take: () => bytesOf(input.current),
    clear() {
      if (input.current) input.current.value = ''
      onTyped(false)
    },
  }))
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="password"
        className="input"
        autoComplete="off"
        maxLength={MOST_CHARACTERS}
        disabled={disabled}
        onChange={(event) => onTyped(event.currentTarget.value !== '')}
      />
    </div>
  )
}

/** A new password, typed twice, with a word on its length and one on what losing it means. */
export function NewPasswordFields({
  handle,
  disabled,
  onFit,
}: {
  handle: RefObject<PasswordHandle | null>
  disabled: boolean
  /** Hears whether both are the same and not empty. */
  onFit: (fit: boolean) => void
}) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [strength, setStrength] = useState<Strength>('empty')
  const [differs, setDiffers] = useState(false)
  const judge = () => {
    const [one, two] = [first.current?.value ?? '', second.current?.value ?? '']
    setStrength(strengthOf(one))
    setDiffers(two !== '' && two !== one)
    onFit(one !== '' && one === two)
  }
  // What was typed into fields that were here before is gone with them.
  const begin = useEffectEvent(() => onFit(false))
  useEffect(() => begin(), [])
  useImperativeHandle(handle, () => ({
    take: () => (first.current?.value === second.current?.value ? bytesOf(first.current) : null),
    clear() {
      for (const { current } of [first, second]) if (current) current.value = ''
      judge()
    },
  }))
  const field = (name: 'images.password.new' | 'images.password.again', input: typeof first) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{t(name)}</label>
      <input
        ref={input}
        id={`${id}-${name}`}
        type="password"
        className="input"
        autoComplete="new-password"
        maxLength={MOST_CHARACTERS}
        disabled={disabled}
        aria-invalid={name === 'images.password.again' && differs}
        aria-describedby={`${id}-note`}
        onChange={judge}
      />
    </div>
  )
  return (
    <>
      <div className="new-password stack close">
        {field('images.password.new', first)}
        {field('images.password.again', second)}
        <div
          id={`${id}-note`}
          role="status"
          className={differs || strength === 'short' ? 'field-note bad' : 'field-note'}
        >
          {t(differs ? 'images.password.differs' : `images.password.${strength}`)}
        </div>
      </div>
      <p className="field-note">{t('images.password.lost')}</p>
    </>
  )
}

function bytesOf(input: HTMLInputElement | null): Uint8Array | null {
  return input === null || input.value === '' ? null : new TextEncoder().encode(input.value)
}
