import type { ReactNode } from 'react'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { Panel } from '../../components/Panel'
import { spoken, t } from '../../copy'

/** A line of evidence: whether it speaks for the figures. */
export function Evidence({ holds, children }: { holds: boolean; children: ReactNode }) {
  return (
    <li>
      <span className={holds ? 'sign good' : 'sign bad'} aria-hidden="true">
        {holds ? '✓' : '✗'}
      </span>
      <span>
        <span className="hidden-text">{t(holds ? 'proof.holds' : 'proof.fails')}: </span>
        {children}
      </span>
    </li>
  )
}

/** A line that warns, or that names an error. */
export function Warning({ isError = false, children }: { isError?: boolean; children: ReactNode }) {
  return (
    <li>
      <span className={isError ? 'sign bad' : 'sign warn'} aria-hidden="true">
        !
      </span>
      <span>{children}</span>
    </li>
  )
}

/** Warnings to read before believing the figures, first of all the error that ended the run. */
export function WarningsPanel({
  error,
  warnings,
}: {
  error: { readonly message: string } | null
  warnings: readonly { readonly key: string; readonly words: string }[]
}) {
  const count = warnings.length + (error === null ? 0 : 1)
  return (
    <Panel title={t('warnings.title', { count })} says={t(count === 0 ? 'warnings.none' : 'warnings.says')}>
      <ul className="signs stack tight">
        {error !== null && (
          <Warning isError>{t('warnings.ended', { message: pathForDisplay(spoken(error.message)) })}</Warning>
        )}
        {warnings.map(({ key, words }) => (
          <Warning key={key}>{words}</Warning>
        ))}
      </ul>
    </Panel>
  )
}
