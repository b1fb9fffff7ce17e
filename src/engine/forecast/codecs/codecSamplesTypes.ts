import type { TypeCompression } from '../../../domain/survey/surveyDocument'
import { type TypeForecasts, type TypeTotal, typeTotal } from '../../../domain/survey/typeCompression'
import { extensionOf } from '../../../domain/survey/typeTable'
import { CODECS } from '../../codecs/codecRegistry'
import { type Others, type Setting, UNREAD_HISTORY_SHARE, visitedTarget } from './codecSamplesFigures'
import type { CodecSample } from './codecSamplesUnits'

/**
 * Forecasts of every type with every codec that compresses whole files, from the visits that the
 * codecs had anyway. Where zstd -1 visited too little of a type, its sizes with a short history
 * stand in, which every sample has.
 */
export async function typeForecasts(
  types: readonly TypeTotal[],
  others: Others,
  setting: Setting,
  pause: () => Promise<void>,
): Promise<TypeForecasts> {
  const { prepared, strata } = setting
  const unitsOf = Map.groupBy(prepared.samples.keys(), (unit) =>
    extensionOf((prepared.samples[unit] as CodecSample).path),
  )
  const found = new Map<string, TypeCompression[]>()
  const named = strata.reduce((sum, { nameBytes }) => sum + nameBytes, 0)
  const files = strata.reduce((sum, one) => sum + one.files, 0)
  const meanName = files > 0 ? named / files : 0
  for (const one of others.values()) {
    const { codec, recordSize, isShown } = one.target
    if (recordSize !== null || !isShown) continue
    const visited = visitedTarget(one, others, setting)
    for (const type of types) {
      await pause()
      const units = unitsOf.get(type.extension)
      if (!units || type.bytes === 0) continue
      const own =
        visited && typeTotal(visited.calibrated, units, visited.visits, type.bytes, visited.systematicShare)
      const total = own ?? (codec.id === 'zstd-1' ? quickTotal(units, type.bytes, setting) : null)
      if (!total) continue
      const overhead = type.files * CODECS[codec.id].fileOverhead(type.bytes / type.files, meanName)
      // What the factor corrects is found in bytes that shrink.
      const saved = Math.max(0, Math.min(1, (2 * (type.bytes - total.value)) / Math.max(1, total.value)))
      const factor = 1 + ((visited?.factor ?? 1) - 1) * saved
      const whole = (value: number): number => Math.round(value * factor + overhead)
      const rows = found.get(type.extension) ?? []
      found.set(type.extension, rows)
      rows.push({
        codec: codec.id,
        predictedBytes: whole(total.value),
        low: whole(total.low),
        high: whole(total.high),
      })
    }
  }
  return found
}

function quickTotal(units: readonly number[], bytes: number, { prepared }: Setting) {
  const seen = units.map((unit) => ({
    unit,
    probability: 1,
    compressedBytes: prepared.quick[unit]?.zstd1 ?? 0,
  }))
  return typeTotal(prepared.calibrated, units, seen, bytes, UNREAD_HISTORY_SHARE)
}
