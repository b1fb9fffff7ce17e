import { type ReactNode, useState } from 'react'

/**
 * A line that unfolds what is below it. That is made when it is first unfolded: most of it never
 * is, and forms take most of the time in which a page opens.
 */
export function Folded({
  summary,
  className = '',
  isUnfolded = false,
  onUnfold,
  children,
}: {
  summary: ReactNode
  className?: string
  /** As it begins. */
  isUnfolded?: boolean
  /** It was unfolded, or folded again. */
  onUnfold?: (isUnfolded: boolean) => void
  children: ReactNode
}) {
  const [wasOpened, setWasOpened] = useState(isUnfolded)
  const [begins] = useState(isUnfolded)
  return (
    <details
      className={`expert ${className}`}
      open={begins}
      onToggle={(event) => onUnfold?.(event.currentTarget.open)}
    >
      {/* Enter and Space click too, before the line unfolds. */}
      <summary onClick={() => setWasOpened(true)}>{summary}</summary>
      {wasOpened && children}
    </details>
  )
}
