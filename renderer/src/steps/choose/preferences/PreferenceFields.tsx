import { Checkbox, Input, Label, TextField } from 'react-aria-components'

/** A limit, checked as it is typed; no line below it while it is valid, so that a column stays short. */
export function LimitField({
  label,
  example,
  text,
  wrong,
  note,
  onChange,
}: {
  label: string
  example: string
  text: string
  /** What to say where it is none; null where it is well. */
  wrong: string | null
  note?: string
  onChange: (text: string) => void
}) {
  return (
    <TextField className="field" value={text} isInvalid={wrong !== null} onChange={onChange}>
      <Label>{label}</Label>
      <Input placeholder={example} maxLength={20} />
      {(wrong ?? note) !== undefined && (
        <div className={wrong === null ? 'field-note' : 'field-note bad'}>{wrong ?? note}</div>
      )}
    </TextField>
  )
}

export function Check({
  words,
  isOn,
  isDisabled = false,
  onChange,
}: {
  words: string
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <Checkbox className="checkbox" isSelected={isOn} isDisabled={isDisabled} onChange={onChange}>
      <span className="checkbox-box" aria-hidden="true" />
      <span>{words}</span>
    </Checkbox>
  )
}
