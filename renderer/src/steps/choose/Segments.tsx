import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'

/** One of a few, side by side. */
export function Segments<T extends string>({
  label,
  all,
  chosen,
  words,
  className = '',
  onChange,
}: {
  label: string
  all: readonly T[]
  chosen: T
  words: (id: T) => string
  className?: string
  onChange: (id: T) => void
}) {
  return (
    <ToggleButtonGroup
      className={`segmented ${className}`}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const next = all.find((id) => keys.has(id))
        if (next !== undefined) onChange(next)
      }}
    >
      {all.map((id) => (
        <ToggleButton key={id} id={id}>
          {words(id)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
