import type { Grouped } from '../../contract/dto/survey'
import type { SolidCalibration } from '../../domain/solid/calibration'
import { dictionariesFor } from '../../domain/solid/dictionaries'
import { archiveOverhead, forecastGrouped } from '../../domain/solid/groupedForecast'
import { forecastSolid, type SolidSource } from '../../domain/solid/solidForecast'
import type { FoundTool } from '../tools/externalTool'
import type { FileArchives } from './fileGroups'
import { tryArchives } from './groupedTrials'
import { ANY_DISTANCE, numbersOf, type Samples, type Sampling, sumOf } from './solidRates'

/** What is known of the files by now. */
export interface ArchiveSource {
  readonly totalBytes: number
  readonly rates: Samples
  readonly runsFactor: number
  readonly runsError: number
  readonly calibration: SolidCalibration
  readonly tool: FoundTool
  readonly dictionaries: readonly number[] | undefined
}

/**
 * Forecasts many solid archives: what repeats is asked of the anchors anew, since nothing repeats what stands in another archive,
 * and of small archives some are packed.
 */
export async function forecastArchives(
  archives: FileArchives,
  by: Grouped['by'],
  sampling: Sampling,
  source: ArchiveSource,
  pause: () => Promise<void>,
): Promise<Grouped[]> {
  const { ask, anchors, goOn } = sampling
  const { calibration, rates, runsFactor, totalBytes } = source
  if (!rates.firstSeen) return []
  const order = numbersOf(archives.files)
  const largestBytes = archives.bytes.reduce((most, bytes) => Math.max(most, bytes), 0)
  const dictionaries = source.dictionaries ?? dictionariesFor(largestBytes)
  const each = await ask(
    anchors.reuse(
      order,
      archives.archives,
      archives.count,
      Float64Array.of(ANY_DISTANCE),
      0,
      archives.archives,
    ),
  )
  const repeatedFiles = archives.archives.map((archive) => archives.repeated[archive] as number)
  const distances = Float64Array.from([...dictionaries, ANY_DISTANCE])
  const sums = await ask(anchors.reuse(order, repeatedFiles, 2, distances, 0, archives.archives))
  await pause()

  const overheads = archives.nameCharacters.map((characters, archive) =>
    archiveOverhead(
      (archives.begins[archive + 1] as number) - (archives.begins[archive] as number),
      characters,
    ),
  )
  const distinctOverhead = overheads.reduce(
    (sum, one, archive) => (archives.repeated[archive] ? sum : sum + one),
    0,
  )
  const archiveBytes = archives.bytes.reduce((sum, bytes) => sum + bytes * bytes, 0) / totalBytes
  /** Of all archives, or of those that no earlier one is the same as. */
  const modelOf = (index: number, dictionaryBytes: number, distinctOnly: boolean) => {
    const of = (values: Float64Array | undefined): number =>
      distinctOnly ? (values?.[0] ?? 0) : sumOf(values)
    const solidSource: SolidSource = {
      bytes: totalBytes,
      quietBytes: of(sums.quietBytes),
      firstSeenBytes: sampling.firstSeenBytes,
      firstSeen: rates.firstSeen as NonNullable<Samples['firstSeen']>,
      all: rates.all,
      overheadBytes: distinctOnly ? distinctOverhead : sumOf(overheads),
      runsError: source.runsError,
      archiveBytes,
    }
    const point = {
      dictionaryBytes,
      novelBytes: of(sums.novelBytes[index]),
      runs: of(sums.runs[index]) * runsFactor,
    }
    return forecastSolid(point, solidSource, calibration)
  }

  const novelBytes = each.novelBytes[0] as Float64Array
  const whole = modelOf(dictionaries.length, ANY_DISTANCE, false)
  const runsBytes = sumOf(each.runs[0]) * runsFactor * calibration.runBytes
  const quietBytes = sumOf(each.quietBytes) * calibration.quietShare
  const rate =
    (whole.predictedBytes - runsBytes - quietBytes - sumOf(overheads)) / Math.max(1, sumOf(novelBytes))
  const forecasts = novelBytes.map(
    (novel, archive) =>
      novel * Math.max(0, rate) +
      ((each.runs[0] as Float64Array)[archive] as number) * runsFactor * calibration.runBytes +
      (each.quietBytes[archive] as number) * calibration.quietShare +
      (overheads[archive] as number),
  )
  goOn()
  const { small, distinctShare } = await tryArchives(archives, forecasts, overheads, sampling, source.tool)
  const distinctArchives = archives.count - archives.repeated.reduce((sum, one) => sum + one, 0)
  return dictionaries.map((dictionaryBytes, index): Grouped => {
    const all = forecastGrouped(modelOf(index, dictionaryBytes, false), small, sumOf(overheads))
    const distinct = forecastGrouped(
      modelOf(index, dictionaryBytes, true),
      small,
      distinctOverhead,
      distinctShare,
    )
    return {
      codec: calibration.codec,
      dictionaryBytes,
      by,
      archives: archives.count,
      ...all,
      distinctArchives,
      distinctBytes: Math.min(all.predictedBytes, distinct.predictedBytes),
      largestBytes,
    }
  })
}
