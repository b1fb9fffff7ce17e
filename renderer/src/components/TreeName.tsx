import type { ReactNode } from 'react'

const INDENT_PX = 16

export type Checked = 'yes' | 'partly' | 'no'

/**
 * The name of a row of a tree with a check box, and with a fold where the row opens. Keys are those
 * of the table: neither is a stop of Tab.
 */
export function TreeName({
  level,
  title,
  className = '',
  fold = null,
  check = null,
  children,
}: {
  /** From 1. */
  level: number
  title: string
  className?: string
  /** Null for a row that does not open. */
  fold?: { readonly isOpen: boolean; readonly label: string; readonly onPress: () => void } | null
  /** Null for a row without a check box. */
  check?: { readonly checked: Checked; readonly label: string; readonly onPress: () => void } | null
  children: ReactNode
}) {
  return (
    <span className={`tree-name ${className}`} style={{ paddingLeft: (level - 1) * INDENT_PX }}>
      {fold === null ? (
        <span className="tree-fold" />
      ) : (
        <button
          type="button"
          className="tree-fold"
          tabIndex={-1}
          aria-label={fold.label}
          onClick={fold.onPress}
        >
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <path
              d={fold.isOpen ? 'M1 3l4 4 4-4' : 'M3 1l4 4-4 4'}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.500"
            />
          </svg>
        </button>
      )}
      {check && (
        <button
          type="button"
          role="checkbox"
          className="checkbox tree-check"
          tabIndex={-1}
          aria-checked={check.checked === 'partly' ? 'mixed' : check.checked === 'yes'}
          aria-label={check.label}
          data-selected={check.checked === 'no' ? undefined : true}
          data-partly={check.checked === 'partly' ? true : undefined}
          onClick={check.onPress}
        >
          <span className="checkbox-box" aria-hidden="true" />
        </button>
      )}
      <span className="given-name ellipsis" title={title}>
        {children}
      </span>
    </span>
  )
}
