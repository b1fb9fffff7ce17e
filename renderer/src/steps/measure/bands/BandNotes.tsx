import type { BandSweepDocument } from '../../../../../src/contract/dto/bands'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { sweepWarningWords } from './bandsWords'

/** What was done about the cache, and what else a person should know before believing the figures. */
export function BandNotes({ document, units }: { document: BandSweepDocument; units: Units }) {
  const { cache, warnings, error } = document
  const size = (bytes: number): string => formatSize(bytes, units)
  const dropped = size(cache.droppedBytes)
  const told = warnings.length + (error === null ? 0 : 1)
  return (
    <div className="split even proof">
      <Panel title={t('bandNotes.title')} says={t('bandNotes.says')}>
        <ul className="signs">
          <Sign holds={cache.residentBytes !== null && cache.residentBytes <= 0.01 * cache.droppedBytes}>
            {cache.residentBytes === null
              ? t('bandNotes.droppedUnknown', { dropped })
              : t('bandNotes.dropped', { dropped, resident: size(cache.residentBytes) })}
          </Sign>
          {cache.deviceReadBytes !== null && (
            <Sign holds={cache.deviceReadBytes >= 0.9 * cache.readBytes}>
              {t('bandNotes.counted', { asked: size(cache.readBytes), counted: size(cache.deviceReadBytes) })}
            </Sign>
          )}
          <Sign holds>{t('bandNotes.flush')}</Sign>
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
            <li key={warning.code}>
              <span className="sign warn" aria-hidden="true">
                !
              </span>
              <span>{sweepWarningWords(warning, units)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function Sign({ holds, children }: { holds: boolean; children: string }) {
  return (
    <li>
      <span className={holds ? 'sign holds' : 'sign fails'} aria-hidden="true">
        {holds ? '✓' : '✗'}
      </span>
      <span>
        <span className="hidden-text">{t(holds ? 'proof.holds' : 'proof.fails')}: </span>
        {children}
      </span>
    </li>
  )
}
