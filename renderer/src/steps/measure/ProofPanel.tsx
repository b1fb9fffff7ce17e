import type { MeasurementDocument } from '../../../../src/contract/dto/measure'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { evidenceWords, warningWords } from './measureWords'

/** Whether the device itself answered, how that is known, and what else a person should know before believing the figures. */
export function ProofPanel({ document, units }: { document: MeasurementDocument; units: Units }) {
  const { cache, warnings, error } = document
  const told = warnings.length + (error === null ? 0 : 1)
  return (
    <div className="split even proof">
      <Panel title={t('proof.title')} says={t('proof.says')}>
        <ul className="signs">
          {cache.evidence.map((evidence) => (
            <li key={evidence.code}>
              <span className={evidence.holds ? 'sign holds' : 'sign fails'} aria-hidden="true">
                {evidence.holds ? '✓' : '✗'}
              </span>
              <span>
                <span className="hidden-text">{t(evidence.holds ? 'proof.holds' : 'proof.fails')}: </span>
                {evidenceWords(evidence, units)}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title={t('warnings.title', { count: told })}
        says={t(told === 0 ? 'warnings.none' : 'warnings.says')}
      >
        <ul className="signs">
          {error !== null && (
            <li>
              <span className="sign fails" aria-hidden="true">
                !
              </span>
              <span>{t('warnings.ended', { message: pathForDisplay(error.message) })}</span>
            </li>
          )}
          {warnings.map((warning) => (
            <li key={`${warning.code} ${warning.op ?? ''}`}>
              <span className="sign warn" aria-hidden="true">
                !
              </span>
              <span>{warningWords(warning, units)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
