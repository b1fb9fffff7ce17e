import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { t } from '../copy'
import { unbroken } from '../format/unbroken'
import type { Page } from '../state/frame'
import { Notices } from './Notices'

/**
 * A step's page: its name, the one line that says what it found or wants, its main action, then its
 * picture. Where the button that led here is gone, the focus goes to the step's name, so that the
 * keyboard and a screen reader go on from the top.
 */
export function StepPage({
  step,
  name,
  says,
  action,
  banner = null,
  children,
}: {
  step: Page
  /** The heading, where the page is about one thing of many. */
  name?: string
  says: ReactNode
  action?: ReactNode
  /** A warning about the figures below: they are out of date, or something failed. */
  banner?: string | null
  children: ReactNode
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-words fills">
          <h1 ref={title} tabIndex={-1} className={name === undefined ? undefined : 'given-name'}>
            {name ?? t(`step.${step}`)}
          </h1>
          <p className="page-says">{typeof says === 'string' ? unbroken(says) : says}</p>
        </div>
        <div className="page-action row-actions">{action}</div>
      </header>
      <Notices step={step} />
      <div role="status">{banner !== null && <p className="banner">{banner}</p>}</div>
      <div className="page-body scroll">{children}</div>
    </div>
  )
}

/** Shown by a step that has nothing yet: its purpose, and the one way to get there. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p className="prose muted">{text}</p>
      <div className="empty-actions">{children}</div>
    </div>
  )
}
