import { createContext, type ReactNode, useContext, useId, useMemo } from 'react'

interface Group {
  readonly name: string
  readonly value: string | null
  readonly isDisabled: boolean
  readonly onChange: (value: string) => void
}

const GroupContext = createContext<Group>({ name: '', value: null, isDisabled: false, onChange: () => {} })

/**
 * A choice of one of the `Radio`s in it. They are the browser's own: a page has dozens, and those
 * of a library took most of the time in which a page opened.
 */
export function RadioGroup({
  className,
  label,
  labelClass,
  value,
  isDisabled = false,
  onChange,
  children,
}: {
  className: string
  label: string
  /** Given where the label is to be seen above the choice. */
  labelClass?: string | undefined
  /** Null where none is chosen. */
  value: string | null
  isDisabled?: boolean
  onChange: (value: string) => void
  children: ReactNode
}) {
  const name = useId()
  const group = useMemo(() => ({ name, value, isDisabled, onChange }), [name, value, isDisabled, onChange])
  return (
    <div
      role="radiogroup"
      className={className}
      {...(labelClass === undefined ? { 'aria-label': label } : { 'aria-labelledby': `${name}-label` })}
      aria-disabled={isDisabled || undefined}
    >
      {labelClass !== undefined && (
        <span className={labelClass} id={`${name}-label`}>
          {label}
        </span>
      )}
      <GroupContext value={group}>{children}</GroupContext>
    </div>
  )
}

/** One of a group. */
export function Radio({
  value,
  className,
  label,
  isDisabled = false,
  children,
}: {
  value: string
  className?: string
  /** The whole name where the words are short. */
  label?: string | undefined
  isDisabled?: boolean
  children: ReactNode
}) {
  const group = useContext(GroupContext)
  const isChosen = group.value === value
  const isOff = isDisabled || group.isDisabled
  return (
    <label className={className} data-selected={isChosen || undefined} data-disabled={isOff || undefined}>
      <input
        type="radio"
        className="hidden-text"
        name={group.name}
        value={value}
        aria-label={label}
        checked={isChosen}
        disabled={isOff}
        onChange={() => group.onChange(value)}
      />
      {children}
    </label>
  )
}
