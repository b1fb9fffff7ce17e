import { CHUNKERS } from '../../src/domain/survey/chunkers'
import { type SolidFile, solidFiles } from '../../src/engine/forecast/solid/solidFiles'
import { forecastSolids, type SolidOrders } from '../../src/engine/forecast/solid/solidPhase'
import { type NativeAnchors, startNativeSurvey } from '../../src/engine/native/addon'

interface Asked {
  /** Those that people would choose from if absent. */
  readonly dictionaryBytes?: number
  readonly signal?: AbortSignal | undefined
  /** Called when the pass is over, just before anything is forecast of it. */
  readonly onStart?: (() => void) | undefined
}

/** Reads the folder `source` as a survey does that forecasts solid archives. */
export async function readWithAnchors(
  source: string,
): Promise<{ readonly anchors: Promise<NativeAnchors>; readonly files: readonly SolidFile[] }> {
  const pass = startNativeSurvey({
    roots: [source],
    blocksFrom512: false,
    sha256: false,
    chunkers: CHUNKERS,
    anchors: true,
    maxTableBytes: 2 ** 26,
  })
  await pass.finished
  const collected = solidFiles([source])
  for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries()) collected.add(batch, 0)
  return { anchors: pass.takeAnchors(), files: collected.files }
}

/** What a survey would say of solid archives of the folder `source`. */
export async function solidForecast(
  source: string,
  { dictionaryBytes, signal = new AbortController().signal, onStart }: Asked,
): Promise<SolidOrders> {
  const { anchors, files } = await readWithAnchors(source)
  onStart?.()
  return forecastSolids(anchors, files, [source], {
    level: 'fast',
    ...(dictionaryBytes !== undefined && { dictionaries: [dictionaryBytes] }),
    signal,
  })
}
