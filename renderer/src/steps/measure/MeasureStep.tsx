/**
 * The room `measure` is the step Measure: how fast a disk is, or a container on it.
 * How: a form gives a preview of what is written; samples come in live, figures with ranges at the
 * end. `bands` compares sizes of bands.
 * Not here: statistics and proof (`src/domain/devices`).
 */

import { Button } from 'react-aria-components'
import type { MeasurementDocument } from '../../../../src/contract/dto/measure'
import { containerName } from '../../../../src/primitives/containerName'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatDuration, formatMoment } from '../../../../src/primitives/spokenTime'
import { spoken, t } from '../../copy'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { BandsStep } from './bands/BandsStep'
import { BandsSession } from './bands/bandsSession'
import { ComparePanel } from './ComparePanel'
import { ContainerPanel } from './ContainerPanel'
import { ContainersPanel } from './ContainersPanel'
import { HistoryPanel } from './HistoryPanel'
import { LatencyPanel } from './LatencyPanel'
import { MeasureFigures } from './MeasureFigures'
import { MeasureForm } from './MeasureForm'
import { operationsAsked } from './measureFigures'
import { MeasureSession } from './measureSession'
import { changeWords } from './measureWords'
import { measurementProof, ProofPanel } from './ProofPanel'
import { RatePanel } from './RatePanel'
import { TestsPanel } from './TestsPanel'
import { TimedPage } from './TimedPage'

/** How fast is this disk, honestly? Or: which band size is fast on it? */
export function MeasureStep() {
  const { view } = useStateOf(BandsSession)
  return view === 'bands' ? <BandsStep /> : <DiskStep />
}

function DiskStep() {
  const session = useSession(MeasureSession)
  const units = useUnits()
  const measure = useStateOf(MeasureSession)
  const running = useIsRunning('measure')
  const { preview, form, other } = measure
  const document = running ? null : measure.document
  const shown = running ? measure.live : document
  // Unlike containers have no figures in common: they have one table.
  const isEvery = (running ? preview?.containers : document?.containers) !== undefined
  const changes = preview?.changes.map((change) => changeWords(change, units)) ?? []
  return (
    <TimedPage
      kind="measure"
      state={measure}
      session={session}
      says={
        running && isEvery
          ? t('containers.says.live')
          : sayWhat(document, running, measure.live !== null, units)
      }
      name="measurement"
      more={
        <Button className="plain" onPress={() => session.again()}>
          {t('measure.again')}
        </Button>
      }
      start={t(running ? 'measure.running' : form.readOnly ? 'measure.startReading' : 'measure.start')}
      form={<MeasureForm running={running} />}
      preview={{
        readsNote: t('preview.files', { count: preview?.files ?? 0 }),
        words: changes.length === 0 ? null : `${t('preview.changes')} ${changes.join('; ')}`,
      }}
      empty={{ title: t('measure.empty.title'), text: t('measure.empty.text') }}
      history={<HistoryPanel running={running} units={units} />}
    >
      {isEvery ? (
        <ContainersPanel document={document} />
      ) : (
        <>
          <MeasureFigures
            figures={shown}
            document={document}
            expected={running && preview ? operationsAsked(preview.spec) : []}
          />
          <div className="split measure-charts">
            <RatePanel
              figures={shown}
              samples={shown?.samples ?? []}
              spec={(running ? preview : document)?.spec ?? null}
              other={running ? null : (other?.document ?? null)}
              name={document?.id ?? ''}
            />
            <LatencyPanel samples={shown?.samples ?? []} units={units} />
          </div>
        </>
      )}
      {!running && other && <ComparePanel key={other.document.id} other={other} />}
      {document?.container && <ContainerPanel document={document} container={document.container} />}
      {document && <ProofPanel {...measurementProof(document, units)} />}
      {document && !isEvery && <TestsPanel document={document} units={units} />}
    </TimedPage>
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
  const inside = document.containers ? t('containers.inside') : containerName(document.container)
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
