import { CHUNKERS } from '../../../src/domain/survey/chunkers'
import { levelFigures } from '../../../src/domain/survey/levelFigures'
import type { Chunked } from '../../../src/domain/survey/surveyDocument'
import { startNativeSurvey } from '../../../src/engine/native/addon'
import { carryOver } from '../../../src/engine/survey/carryOver'
import { surveyFigures } from '../../../src/engine/survey/surveyFigures'

export { CHUNK_SETS, madeOnce } from './chunkSets'
export { BACKUPS, repositoriesOf } from './repositories'

/** What a survey forecasts of chunkers for a folder, by name, and the folder's bytes. */
export async function chunkForecast(
  folder: string,
): Promise<{ bytes: number; files: number; figures: Map<string, Chunked> }> {
  const pass = startNativeSurvey({
    roots: [folder],
    blocksFrom512: false,
    sha256: false,
    chunkers: CHUNKERS,
    maxTableBytes: 512 * 1024 * 1024,
  })
  await pass.finished
  const known = surveyFigures([folder])
  const ledger = carryOver(null)
  for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries())
    known.add(batch, 0, batch.count, ledger)
  const { totals, duplicateFiles } = known.figures()
  const levels = { blockLevels: pass.blockLevels(), chunkLevels: pass.chunkLevels() }
  const figures = levelFigures(levels, duplicateFiles.bytes).chunked
  return {
    bytes: totals.bytes,
    files: totals.files,
    figures: new Map(figures.map((one) => [one.chunker, one])),
  }
}
