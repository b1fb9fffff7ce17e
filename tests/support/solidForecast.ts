import { CHUNKERS } from '../../src/domain/survey/chunkers'
import { solidFiles } from '../../src/engine/forecast/solid/solidFiles'
import { forecastSolids, type SolidOrders } from '../../src/engine/forecast/solid/solidPhase'
import { startNativeSurvey } from '../../src/engine/native/addon'

interface Asked {
  readonly dictionaryBytes: number
  readonly signal?: AbortSignal | undefined
  /** Called when the pass is over, just before anything is forecast of it. */
  readonly onStart?: (() => void) | undefined
}

/** What a survey would say of solid archives of the folder `source`. */
export async function solidForecast(
  source: string,
  { dictionaryBytes, signal = new AbortController().signal, onStart }: Asked,
): Promise<SolidOrders> {
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
  const anchors = pass.takeAnchors()
  onStart?.()
  return forecastSolids(anchors, collected.files, [source], {
    level: 'fast',
    dictionaries: [dictionaryBytes],
    signal,
  })
}
