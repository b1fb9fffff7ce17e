import { Button } from 'react-aria-components'
import type { BandSweepDocument, BandSweepLive } from '../../../../../src/contract/dto/bands'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatDuration, formatMoment } from '../../../../../src/primitives/spokenTime'
import { EmptyState, StepPage } from '../../../components/StepPage'
import { typedSize } from '../../../components/typedSize'
import { t } from '../../../copy'
import { useFrame, useIsRunning, useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { needsAgreement } from '../measureState'
import { BandChartPanel } from './BandChartPanel'
import { BandHistory } from './BandHistory'
import { BandNotes } from './BandNotes'
import { BandsForm } from './BandsForm'
import { BandsPreview } from './BandsPreview'
import { BandsSession } from './bandsSession'
import { MeasureViews } from './MeasureViews'
import { RecommendationPanel } from './RecommendationPanel'

/** Which band size makes a sparse bundle fast here? */
export function BandsStep() {
  const session = useSession()
  const bandsSession = useSession(BandsSession)
  const units = useUnits()
  const bands = useStateOf(BandsSession)
  const frame = useFrame()
  const running = useIsRunning('bands')
  const measuring = useIsRunning('measure')
  const busy = running || measuring
  const { preview, live, list, form } = bands
  const document = running ? null : bands.document
  const canStart =
    !busy &&
    frame.engine.state !== 'lost' &&
    preview !== null &&
    preview.refusal === null &&
    (bands.agreed || !needsAgreement(preview))
  return (
    <StepPage
      step="measure"
      says={sayWhat(document, running, live, units)}
      action={
        <>
          {document !== null && (
            <Button
              className="plain"
              onPress={() =>
                void session.saveText(`band-sweep-${document.id}.json`, JSON.stringify(document, null, 2))
              }
            >
              {t('measure.exportJson')}
            </Button>
          )}
          <Button className="primary" isDisabled={!canStart} onPress={() => void bandsSession.start()}>
            {t(running ? 'bands.running' : 'bands.start')}
          </Button>
        </>
      }
    >
      <MeasureViews />
      <div className="measure beside-form">
        <BandsForm running={running} />
        <div className="measure-main stack" aria-busy={running}>
          <BandsPreview running={running} hasFigures={running || document !== null} />
          {document === null && !running ? (
            <EmptyState title={t('bands.empty.title')} text={t('bands.empty.text')} />
          ) : (
            <>
              <RecommendationPanel document={document} />
              <BandChartPanel
                points={document ? [document.reference, ...document.points] : (live?.points ?? [])}
                document={document}
                fullBytes={document?.request.fullBytes ?? typedSize(form.fullSize) ?? 1e12}
              />
              {document && <BandNotes document={document} units={units} />}
            </>
          )}
          {list.length > 0 && <BandHistory running={running} units={units} />}
        </div>
      </div>
    </StepPage>
  )
}

function sayWhat(
  document: BandSweepDocument | null,
  running: boolean,
  live: BandSweepLive | null,
  units: Units,
): string {
  if (running && live)
    return t('bands.says.live', { done: Math.min(live.roundsDone + 1, live.rounds), count: live.rounds })
  if (running) return t('bands.says.preparing')
  if (!document) return t('bands.says.none')
  const done = t('bands.says.done', {
    count: document.points.length + 1,
    device: pathForDisplay(document.device.name),
    moment: formatMoment(document.createdWallMs),
    written: formatSize(document.writtenBytes, units),
    read: formatSize(document.readBytes, units),
    time: formatDuration(document.elapsedMs),
  })
  if (!document.cache.plausible) return `${t('bands.says.implausible')} ${done}`
  return document.partial ? `${t('bands.says.partial', { count: document.repeats })} ${done}` : done
}
