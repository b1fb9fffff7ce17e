import type { BandSweepDocument } from '../../../../../src/contract/dto/bands'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { Evidence, WarningsPanel } from '../Signs'
import { sweepWarningWords } from './bandsWords'

/** The handling of the cache, and warnings to read before believing the figures. */
export function BandNotes({ document, units }: { document: BandSweepDocument; units: Units }) {
  const { cache, warnings, error } = document
  const size = (bytes: number): string => formatSize(bytes, units)
  const dropped = size(cache.droppedBytes)
  return (
    <div className="split even proof">
      <Panel title={t('bandNotes.title')} says={t('bandNotes.says')}>
        <ul className="signs stack tight">
          <Evidence holds={cache.residentBytes !== null && cache.residentBytes <= 0.01 * cache.droppedBytes}>
            {cache.residentBytes === null
              ? t('bandNotes.droppedUnknown', { dropped })
              : t('bandNotes.dropped', { dropped, resident: size(cache.residentBytes) })}
          </Evidence>
          {cache.deviceReadBytes !== null && (
            <Evidence holds={cache.deviceReadBytes >= 0.9 * cache.readBytes}>
              {t('bandNotes.counted', { asked: size(cache.readBytes), counted: size(cache.deviceReadBytes) })}
            </Evidence>
          )}
          <Evidence holds>{t('bandNotes.flush')}</Evidence>
        </ul>
      </Panel>
      <WarningsPanel
        error={error}
        warnings={warnings.map((warning) => ({
          key: warning.code,
          words: sweepWarningWords(warning, units),
        }))}
      />
    </div>
  )
}
