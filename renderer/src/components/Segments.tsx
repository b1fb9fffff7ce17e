import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'

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
    <ToggleButtonGroup
      className={`segmented ${className}`}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={chosen === null ? [] : [chosen]}
      onSelectionChange={(keys) => {
        const next = all.find((id) => keys.has(id))
        if (next !== undefined) onChange(next)
      }}
    >
      {all.map((id) => (
        <ToggleButton key={id} id={id} {...(spoken && { 'aria-label': spoken(id) })}>
          {words(id)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
