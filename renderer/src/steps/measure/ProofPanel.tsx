import type { MeasurementDocument } from '../../../../src/contract/dto/measure'
import type { Units } from '../../../../src/primitives/quantity'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { evidenceWords, warningWords } from './measureWords'
import { Evidence, WarningsPanel } from './Signs'

/** The evidence for or against the figures of a run, in words. */
export interface Proof {
  readonly title: string
  readonly says: string
  readonly evidence: readonly { readonly holds: boolean; readonly words: string }[]
  readonly error: { readonly message: string } | null
  readonly warnings: readonly { readonly key: string; readonly words: string }[]
}

/**
 * The evidence that the device itself answered, and warnings to read before believing the figures.
 */
export function ProofPanel({ title, says, evidence, error, warnings }: Proof) {
  return (
    <div className="split even proof">
      <Panel title={title} says={says}>
        <ul className="signs stack tight">
          {evidence.map(({ holds, words }) => (
            <Evidence key={words} holds={holds}>
              {words}
            </Evidence>
          ))}
        </ul>
      </Panel>
      <WarningsPanel error={error} warnings={warnings} />
    </div>
  )
}

export function measurementProof({ cache, warnings, error }: MeasurementDocument, units: Units): Proof {
  return {
    title: t('proof.title'),
    says: t('proof.says'),
    evidence: cache.evidence.map((each) => ({ holds: each.holds, words: evidenceWords(each, units) })),
    error,
    warnings: warnings.map((warning) => ({
      key: `${warning.code} ${warning.op ?? ''}`,
      words: warningWords(warning, units),
    })),
  }
}
