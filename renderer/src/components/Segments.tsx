import { Radio, RadioGroup } from './Radio'

/** One of a few, side by side. */
export function Segments<T extends string>({
  label,
  all,
  chosen,
  words,
  spoken,
  className = '',
  onChange,
}: {
  label: string
  all: readonly T[]
  /** Null where none of them is. */
  chosen: T | null
  words: (id: T) => string
  /** The whole name of one whose words are short. */
  spoken?: (id: T) => string
  className?: string
  onChange: (id: T) => void
}) {
  return (
    <RadioGroup
      className={`segmented ${className}`}
      label={label}
      value={chosen}
      onChange={(value) => {
        const next = all.find((id) => id === value)
        if (next !== undefined) onChange(next)
      }}
    >
      {all.map((id) => (
        <Radio key={id} value={id} label={spoken?.(id)}>
          {words(id)}
        </Radio>
      ))}
    </RadioGroup>
  )
}
