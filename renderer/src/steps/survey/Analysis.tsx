import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatCount, formatRate, type Units } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { deferred } from '../../components/deferred'
import { Folded } from '../../components/Folded'
import { spoken, t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { CombinedPanel } from './CombinedPanel'
import { DedupPanel } from './DedupPanel'
import { ForecastPanels } from './ForecastPanels'
import type { Linked } from './linked'
import { SurveySession } from './surveySession'
import type { SurveyFigures } from './surveyState'
import { TrueSizes } from './TrueSizes'
import { TypesPanels } from './TypesPanels'

const Types = deferred(TypesPanels)
const Dedup = deferred(DedupPanel)
const Sizes = deferred(TrueSizes)
const Forecasts = deferred(ForecastPanels)
const CombinedWays = deferred(CombinedPanel)

/**
 * The second layer of a survey: types, sizes, block sizes, codecs, ways together. Made when it is
 * unfolded; it stays unfolded when the page is opened again.
 */
export function Analysis({
  figures,
  document,
  expected,
  units,
  linked,
  onLink,
}: {
  figures: SurveyFigures | null
  /** Null while the survey runs. */
  document: SurveyDocument | null
  /** The survey runs and its samples are still to come. */
  expected: boolean
  units: Units
  linked: Linked
  onLink: (linked: Linked) => void
}) {
  const session = useSession(SurveySession)
  const isUnfolded = useStateOf(SurveySession, ({ isAnalysed }) => isAnalysed)
  return (
    <Folded
      className="analysis"
      isUnfolded={isUnfolded}
      onUnfold={(unfolded) => session.analyse(unfolded)}
      summary={
        <>
          <strong>{t('analysis.title')}</strong> <span className="muted">{t('analysis.says')}</span>
        </>
      }
    >
      <div className="stack analysis-panels">
        {document && <p className="muted">{sayReading(document, units)}</p>}
        <Types figures={figures} units={units} linked={linked} onLink={onLink} />
        <div className="split dedup">
          <Dedup figures={figures} units={units} />
          <Sizes figures={figures} document={document} units={units} />
        </div>
        <Forecasts figures={figures} expected={expected} units={units} />
        {document && document.combined.length > 0 && (
          <CombinedWays
            key={`combined ${document.id}`}
            combined={document.combined}
            totalBytes={document.totals.bytes}
            units={units}
          />
        )}
      </div>
    </Folded>
  )
}

/** How fast the source was read, by how many threads, and why so many. */
function sayReading({ totals, timing }: SurveyDocument, units: Units): string {
  const read = t('analysis.reading', {
    files: formatCount(totals.files),
    time: formatDuration(timing.passMs),
    rate: formatRate((totals.bytes / Math.max(1, timing.passMs)) * 1000, units),
  })
  const { reading } = timing
  if (!reading) return read
  return `${read} ${t('survey.says.because', { count: reading.threads, because: spoken(reading.because) })}`
}
