import { type ComponentProps, type ReactNode, useId } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { formatExactBytes } from '../../../src/primitives/quantity'
import { t } from '../copy'
import { Radio, RadioGroup } from './Radio'
import { typedSize } from './typedSize'

/** A checkbox with its words, and what they mean in small ones. */
export function Check({
  words,
  note,
  areWordsSeen = true,
  isOn,
  isDisabled = false,
  onChange,
}: {
  words: string
  note?: string
  areWordsSeen?: boolean
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label className="checkbox" data-selected={isOn || undefined} data-disabled={isDisabled || undefined}>
      <input
        type="checkbox"
        className="hidden-text"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="checkbox-box" aria-hidden="true" />
      <span className={areWordsSeen ? undefined : 'hidden-text'}>
        {words}
        {note !== undefined && <span className="option-note muted">{note}</span>}
      </span>
    </label>
  )
}

/** One of a few, with a note below its name. */
export function Choice({
  id,
  note,
  isDisabled = false,
  children,
}: {
  id: string
  note?: ReactNode
  isDisabled?: boolean
  children: ReactNode
}) {
  return (
    <Radio value={id} className="choice" isDisabled={isDisabled}>
      <span className="radio-dot" aria-hidden="true" />
      <span className="choice-words">
        {children}
        {note && <span className="option-note muted">{note}</span>}
      </span>
    </Radio>
  )
}

interface ChoicesProps<T> {
  readonly title: string
  readonly options: readonly { readonly id: T; readonly name: ReactNode; readonly note?: ReactNode }[]
  /** Undefined where none is. */
  readonly chosen: T | undefined
  readonly isDisabled?: boolean
  readonly onChange: (id: T) => void
}

/** One choice of a few below its title, and what belongs to it. */
export function Choices<T>({ title, children, ...props }: ChoicesProps<T> & { children?: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {props.options.length > 0 && <ChoiceGroup title={title} {...props} />}
      {children}
    </section>
  )
}

/** One choice of a few, below a small label where it has no title above it. */
export function ChoiceGroup<T>({
  title,
  isLabelled = false,
  options,
  chosen,
  isDisabled = false,
  onChange,
}: ChoicesProps<T> & { isLabelled?: boolean }) {
  return (
    <RadioGroup
      className="choices"
      label={title}
      labelClass={isLabelled ? 'figure-label' : undefined}
      isDisabled={isDisabled}
      value={chosen === undefined ? null : String(chosen)}
      onChange={(key) => {
        const next = options.find(({ id }) => String(id) === key)
        if (next) onChange(next.id)
      }}
    >
      {options.map(({ id, name, note }) => (
        <Choice key={String(id)} id={String(id)} note={note}>
          <span>{name}</span>
        </Choice>
      ))}
    </RadioGroup>
  )
}

/** One of a few on a line, its note behind its name. */
export function LineChoice({ id, name, note }: { id: string; name: string; note: string }) {
  return (
    <Radio value={id} className="sample">
      <span className="radio-dot" aria-hidden="true" />
      <span>
        {name} <span className="option-note muted">{note}</span>
      </span>
    </Radio>
  )
}

/**
 * A short text, checked as it is typed; without a note there is no line below it while it is valid.
 */
export function TextLine({
  label,
  example,
  text,
  isWrong,
  note,
  isDisabled = false,
  longest = 20,
  onChange,
  onDone,
}: {
  label: string
  example: string
  text: string
  isWrong: boolean
  /** An explanation, or the fault in the value. */
  note?: string | undefined
  isDisabled?: boolean
  longest?: number
  onChange: (text: string) => void
  /** The line is left, or Enter is pressed. */
  onDone?: () => void
}) {
  const id = useId()
  return (
    <TextField className="field" value={text} isDisabled={isDisabled} isInvalid={isWrong} onChange={onChange}>
      <Label>{label}</Label>
      <Input
        placeholder={example}
        maxLength={longest}
        aria-describedby={note === undefined ? undefined : id}
        {...(onDone && {
          onBlur: onDone,
          onKeyDown: ({ key }: { key: string }) => key === 'Enter' && onDone(),
        })}
      />
      {note !== undefined && (
        <div id={id} className={isWrong ? 'field-note bad' : 'field-note'}>
          {note}
        </div>
      )}
    </TextField>
  )
}

/** A size as text, judged as it is typed. */
export function SizeLine({
  value,
  empty,
  wrong = t('images.notSize'),
  problem = null,
  ...line
}: Pick<ComponentProps<typeof TextLine>, 'label' | 'example' | 'isDisabled' | 'onChange'> & {
  value: string
  /** The note below while nothing is typed. */
  empty: string
  /** And while what is typed is no size. */
  wrong?: string
  problem?: string | null
}) {
  const bytes = typedSize(value)
  return (
    <TextLine
      {...line}
      text={value}
      isWrong={bytes === undefined || problem !== null}
      note={bytes === undefined ? wrong : (problem ?? (bytes === null ? empty : formatExactBytes(bytes)))}
    />
  )
}
