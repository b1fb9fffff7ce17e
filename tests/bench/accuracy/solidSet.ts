import { CHUNKERS } from '../../../src/domain/survey/chunkers'
import type { SampleLevel } from '../../../src/engine/forecast/codecs/codecSamplesTargets'
import { solidFiles } from '../../../src/engine/forecast/solid/solidFiles'
import { forecastSolids, type SolidOrders } from '../../../src/engine/forecast/solid/solidPhase'
import { startNativeSurvey } from '../../../src/engine/native/addon'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'

export { titleMember, titlePlace } from '../../../src/domain/forecast/titles'
export { realArchives } from './solidRuns'
export { SOLID_SETS, solidSetFolder } from './solidSets'

export interface SolidSetForecast extends SolidOrders {
  readonly bytes: number
  readonly files: number
  readonly wallMs: number
  readonly cpuMs: number
}

/** Reads a folder as a survey does and forecasts its solid archives. */
export async function forecastSolidSet(
  folder: string,
  level: SampleLevel,
  seed: number,
  dictionaries: readonly number[],
  maxTableBytes: number,
): Promise<SolidSetForecast> {
  const roots = [folder]
  const pass = startNativeSurvey({
    roots,
    blocksFrom512: false,
    sha256: false,
    chunkers: CHUNKERS,
    anchors: true,
    maxTableBytes,
  })
  await pass.finished
  const collected = solidFiles(roots)
  for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries()) collected.add(batch, 0)
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const forecast = await forecastSolids(await pass.takeAnchors(), collected.files, roots, {
    level,
    seed,
    dictionaries,
    signal: new AbortController().signal,
  })
  const used = process.cpuUsage(cpu)
  return {
    ...forecast,
    bytes: collected.files.reduce((sum, file) => sum + file.bytes, 0),
    files: collected.files.length,
    wallMs: performance.now() - startMs,
    cpuMs: (used.user + used.system) / 1000,
  }
}

/** Null-terminated paths in an order, as `tar --null -T` takes them. */
export function listOf(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}

/** Where the bundled 7-Zip is. */
export async function sevenZipPath(): Promise<string> {
  return (await requireTool(sevenZip)).path
}
