import type { Units } from '../../../../src/primitives/quantity'
import { deferred } from '../../components/deferred'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { CodecPanel } from './CodecPanel'
import { SolidPanel } from './SolidPanel'
import type { SurveyFigures } from './surveyState'

const Codecs = deferred(CodecPanel)
const Solids = deferred(SolidPanel)

/**
 * Forecasts of codecs and solid archives, once something is known of them. Until then their space
 * is kept while they are expected, and one line explains it where they never will be.
 */
export function ForecastPanels({
  figures,
  expected,
  units,
}: {
  figures: SurveyFigures | null
  /** The survey runs and its samples are still to come. */
  expected: boolean
  units: Units
}) {
  const compression = figures?.compression ?? []
  const solid = figures?.solid ?? []
  const totalBytes = figures?.totals.bytes ?? 0
  if (!expected && compression.length === 0 && solid.length === 0)
    return totalBytes === 0 ? null : <Panel title={t('forecast.title')} says={t('forecast.unknown')} />
  return (
    <div className="split even">
      {compression.length > 0 ? (
        <Codecs compression={compression} totalBytes={totalBytes} units={units} />
      ) : (
        <Panel
          className={expected ? 'forecast-space' : ''}
          title={t('codecs.title')}
          says={sayMissing(expected)}
        />
      )}
      {solid.length > 0 ? (
        <Solids solid={solid} compression={compression} totalBytes={totalBytes} units={units} />
      ) : (
        <Panel
          className={expected ? 'forecast-space' : ''}
          title={t('solid.title.none')}
          says={sayMissing(expected)}
        />
      )}
    </div>
  )
}

function sayMissing(expected: boolean): string {
  return t(expected ? 'forecast.expected' : 'forecast.unknown')
}
