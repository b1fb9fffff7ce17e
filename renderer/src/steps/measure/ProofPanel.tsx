import type { MeasurementDocument } from '../../../../src/contract/dto/measure'
import type { Units } from '../../../../src/primitives/quantity'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { evidenceWords, warningWords } from './measureWords'
import { Evidence, WarningsPanel } from './Signs'

/**
 * The evidence that the device itself answered, and warnings to read before believing the figures.
 */
export function ProofPanel({ document, units }: { document: MeasurementDocument; units: Units }) {
  const { cache, warnings, error } = document
  return (
    <div className="split even proof">
      <Panel title={t('proof.title')} says={t('proof.says')}>
        <ul className="signs stack tight">
          {cache.evidence.map((evidence) => (
            <Evidence key={evidence.code} holds={evidence.holds}>
              {evidenceWords(evidence, units)}
            </Evidence>
          ))}
        </ul>
      </Panel>
      <WarningsPanel
        error={error}
        warnings={warnings.map((warning) => ({
          key: `${warning.code} ${warning.op ?? ''}`,
          words: warningWords(warning, units),
        }))}
      />
    </div>
  )
}
