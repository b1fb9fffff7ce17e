import { type ReactNode, useId } from 'react'
import { Checkbox, Input, Label, Radio, TextField } from 'react-aria-components'

/** A checkbox with its words, and what they mean in small ones. */
export function Check({
  words,
  note,
  isOn,
  isDisabled = false,
  onChange,
}: {
  words: string
  note?: string
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <Checkbox className="checkbox" isSelected={isOn} isDisabled={isDisabled} onChange={onChange}>
      <span className="checkbox-box" aria-hidden="true" />
      <span>
        {words}
        {note !== undefined && <span className="option-note muted">{note}</span>}
      </span>
    </Checkbox>
  )
}

/** One of a few, with a note below its name. */
export function Choice({
  id,
  note = null,
  children,
}: {
  id: string
  note?: string | null
  children: ReactNode
}) {
  return (
    <Radio value={id} className="choice">
      <span className="radio-dot" aria-hidden="true" />
      <span className="choice-words">
        {children}
        {note !== null && <span className="option-note muted">{note}</span>}
      </span>
    </Radio>
  )
}

/** A short text, checked as it is typed; without a note there is no line below it while it is valid. */
export function TextLine({
  label,
  example,
  text,
  isWrong,
  note,
  isDisabled = false,
  longest = 20,
  onChange,
}: {
  label: string
  example: string
  text: string
  isWrong: boolean
  /** What it means, or what is wrong with it. */
  note?: string | undefined
  isDisabled?: boolean
  longest?: number
  onChange: (text: string) => void
}) {
  const id = useId()
  return (
    <TextField className="field" value={text} isDisabled={isDisabled} isInvalid={isWrong} onChange={onChange}>
      <Label>{label}</Label>
      <Input
        placeholder={example}
        maxLength={longest}
        aria-describedby={note === undefined ? undefined : id}
      />
      {note !== undefined && (
        <div id={id} className={isWrong ? 'field-note bad' : 'field-note'}>
          {note}
        </div>
      )}
    </TextField>
  )
}
