import { type ReactNode, useState } from 'react'

/**
 * A line that unfolds what is below it. That is made when it is first unfolded: most of it never
 * is, and forms take most of the time in which a page opens.
 */
export function Folded({
  summary,
  className = '',
  children,
}: {
  summary: ReactNode
  className?: string
  children: ReactNode
}) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={`expert ${className}`}>
      {/* Enter and Space click too, before the line unfolds. */}
      <summary onClick={() => setWasOpened(true)}>{summary}</summary>
      {wasOpened && children}
    </details>
  )
}
