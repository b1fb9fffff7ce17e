import { join } from 'node:path'
import { strataTable } from '../../../src/domain/survey/strataTable'
import {
  type CodecForecast,
  forecastCodecs,
  sampleBytesFor,
} from '../../../src/engine/forecast/codecs/codecSamples'
import type { SampleLevel } from '../../../src/engine/forecast/codecs/codecSamplesTargets'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'
import type { Clock } from '../../../src/primitives/clock'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { processorClock } from '../../support/processorClock'
import { filesOf, RepeatedBlocks, readRange, referenceSample } from '../../support/referenceSampler'

export { systemClock } from '../../../src/primitives/clock'
export { realRuns } from './realRuns'
export { realTogether } from './realTogether'
export { SETS, setFolder } from './sets'

/** Samples a folder as the pass does and forecasts its codecs. `share` below 1 keeps that share of the bytes at most, `byCpu` lets only CPU time count. */
export async function forecastSet(
  folder: string,
  level: SampleLevel,
  seed: number,
  share: number,
  byCpu: boolean,
  clock: Clock = processorClock,
): Promise<CodecForecast & { readonly bytes: number }> {
  const table = strataTable()
  let bytes = 0
  for (const file of filesOf(folder)) {
    table.add(Buffer.from(file.path), file.bytes)
    bytes += file.bytes
  }
  const sampleBytes = Math.min(sampleBytesFor(level), share * bytes)
  const repeats = new RepeatedBlocks(folder)
  const room = share < 1 ? sampleBytes : sampleBytesFor(level)
  const set = referenceSample(folder, room, seededRandom(seed), repeats)
  const forecast = await forecastCodecs(set, table.totals(), {
    level,
    clock,
    seed,
    readAround: async (sample, offset, length) =>
      readRange(join(folder, Buffer.from(sample.path).toString()), offset, length),
    dedup: repeats.totals(),
    ...(byCpu ? { patience: Number.POSITIVE_INFINITY } : {}),
  })
  return { ...forecast, bytes }
}

/** Where the bundled 7-Zip is. */
export async function sevenZipPath(): Promise<string> {
  return (await requireTool(sevenZip)).path
}
