import { Button } from 'react-aria-components'
import type { MeasurementDocument } from '../../../../src/contract/dto/measure'
import { containerName } from '../../../../src/primitives/containerName'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatDuration, formatMoment } from '../../../../src/primitives/spokenTime'
import { EmptyState, StepPage } from '../../components/StepPage'
import { spoken, t } from '../../copy'
import { useFrame, useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { BandsStep } from './bands/BandsStep'
import { BandsSession } from './bands/bandsSession'
import { MeasureViews } from './bands/MeasureViews'
import { ComparePanel } from './ComparePanel'
import { ContainerPanel } from './ContainerPanel'
import { HistoryPanel } from './HistoryPanel'
import { LatencyPanel } from './LatencyPanel'
import { MeasureFigures } from './MeasureFigures'
import { MeasureForm } from './MeasureForm'
import { operationsAsked } from './measureFigures'
import { MeasureSession } from './measureSession'
import { needsAgreement } from './measureState'
import { PreviewPanel } from './PreviewPanel'
import { ProofPanel } from './ProofPanel'
import { RatePanel } from './RatePanel'
import { TestsPanel } from './TestsPanel'

/** How fast is this disk, honestly? Or: which band size is fast on it? */
export function MeasureStep() {
  const { view } = useStateOf(BandsSession)
  return view === 'bands' ? <BandsStep /> : <DiskStep />
}

function DiskStep() {
  const session = useSession()
  const measureSession = useSession(MeasureSession)
  const units = useUnits()
  const measure = useStateOf(MeasureSession)
  const frame = useFrame()
  const running = useIsRunning('measure')
  const { preview, document, form, other, list } = measure
  const canStart =
    !running &&
    frame.engine.state !== 'lost' &&
    preview !== null &&
    preview.refusal === null &&
    (measure.agreed || !needsAgreement(preview))
  const shown = running ? measure.live : document
  return (
    <StepPage
      step="measure"
      says={sayWhat(document, running, measure.live !== null, units)}
      action={
        <>
          {document !== null && !running && (
            <>
              <Button
                className="plain"
                onPress={() =>
                  void session.saveText(`measurement-${document.id}.json`, JSON.stringify(document, null, 2))
                }
              >
                {t('measure.exportJson')}
              </Button>
              <Button className="plain" onPress={() => measureSession.again()}>
                {t('measure.again')}
              </Button>
            </>
          )}
          <Button className="primary" isDisabled={!canStart} onPress={() => void measureSession.start()}>
            {t(running ? 'measure.running' : form.readOnly ? 'measure.startReading' : 'measure.start')}
          </Button>
        </>
      }
    >
      <MeasureViews />
      <div className="measure beside-form">
        <MeasureForm running={running} />
        <div className="measure-main stack" aria-busy={running}>
          <PreviewPanel running={running} hasFigures={running || document !== null} />
          {shown === null && !running ? (
            <EmptyState title={t('measure.empty.title')} text={t('measure.empty.text')} />
          ) : (
            <>
              <MeasureFigures
                figures={shown}
                document={running ? null : document}
                expected={running && preview ? operationsAsked(preview.spec) : []}
              />
              <div className="split measure-charts">
                <RatePanel
                  figures={shown}
                  samples={shown?.samples ?? []}
                  spec={running ? (preview?.spec ?? null) : (document?.spec ?? null)}
                  other={running ? null : (other?.document ?? null)}
                  name={document?.id ?? ''}
                />
                <LatencyPanel samples={shown?.samples ?? []} units={units} />
              </div>
              {!running && other && <ComparePanel key={other.document.id} other={other} />}
              {!running && document?.container && (
                <ContainerPanel document={document} container={document.container} />
              )}
              {!running && document && <ProofPanel document={document} units={units} />}
              {!running && document && <TestsPanel document={document} units={units} />}
            </>
          )}
          {list.length > 0 && <HistoryPanel running={running} units={units} />}
        </div>
      </div>
    </StepPage>
  )
}

function sayWhat(
  document: MeasurementDocument | null,
  running: boolean,
  hasLive: boolean,
  units: Units,
): string {
  if (running) return t(hasLive ? 'measure.says.live' : 'measure.says.preparing')
  if (!document) return t('measure.says.none')
  const inside = containerName(document.container)
  const done = t('measure.says.done', {
    spec: inside === '' ? spoken(document.spec.name) : `${spoken(document.spec.name)} (${inside})`,
    device: pathForDisplay(document.device.name),
    moment: formatMoment(document.createdWallMs),
    written: formatSize(document.writtenBytes, units),
    read: formatSize(document.readBytes, units),
    time: formatDuration(document.elapsedMs),
  })
  const warned = !document.cache.plausible
    ? t('measure.says.implausible')
    : document.partial
      ? t('measure.says.partial')
      : null
  return warned === null ? done : `${warned} ${done}`
}
