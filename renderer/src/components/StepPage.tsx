import type { ReactNode } from 'react'
import { t } from '../copy'
import type { Step } from '../state/frame'
import { Notices } from './Notices'

/** A step's page: its name, the one line that says what it found or wants, its main action, then its picture. */
export function StepPage({
  step,
  says,
  action,
  children,
}: {
  step: Step
  says: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-words">
          <h1>{t(`step.${step}`)}</h1>
          <p className="page-says">{says}</p>
        </div>
        <div className="page-action">{action}</div>
      </header>
      <Notices step={step} />
      <div className="page-body scroll">{children}</div>
    </div>
  )
}

/** What a step shows while it has nothing: what it will show, and the one way to get there. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p className="prose muted">{text}</p>
      <div className="empty-actions">{children}</div>
    </div>
  )
}
