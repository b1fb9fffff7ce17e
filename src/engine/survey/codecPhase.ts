import { open } from 'node:fs/promises'
import type { Compression, Samples } from '../../contract/dto/survey'
import type { StratumTotal } from '../../domain/compression/strata'
import { pathFromBytes } from '../../primitives/pathText'
import { fsPath, joinPath } from '../exporters/fileSystem'
import type { JobContext } from '../jobs/jobContext'
import { forecastCodecs } from './codecSamples'
import type { ReadBefore, SampleLevel } from './codecSamplesTargets'
import type { CodecSample, SampleSet } from './codecSamplesUnits'

/** The level of sampling that a request asks for, null where codecs are not to be forecast. */
export function sampleLevel(samples: Samples): SampleLevel | null {
  return samples === 'quick' || samples === 'none' ? null : samples
}

/**
 * Forecasts codecs from the samples that the pass kept, beside nothing else: the job's second phase.
 * @param onPartial what is known so far, about every second
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function codecPhase(
  set: SampleSet,
  strata: readonly StratumTotal[],
  roots: readonly string[],
  level: SampleLevel,
  context: JobContext,
  onPartial: (compression: Compression[]) => void,
): Promise<Compression[]> {
  const bytesTotal = set.samples.reduce((sum, sample) => sum + sample.data.length, 0)
  context.progress({
    phase: { index: 2, count: 3, name: 'sampling' },
    filesDone: 0,
    filesTotal: null,
    bytesDone: 0,
    bytesTotal: null,
    current: null,
  })
  if (bytesTotal === 0) return []
  const forecast = await forecastCodecs(set, strata, {
    level,
    clock: context.clock,
    signal: context.signal,
    readBefore: readerBefore(roots),
    onPartial,
  })
  return forecast.compression
}

/** Reads what stands before a sample in its file; null when the file is no longer to be read. */
function readerBefore(roots: readonly string[]): ReadBefore {
  return async (sample: CodecSample, bytes: number) => {
    const length = Math.min(bytes, sample.offset)
    try {
      const file = await open(
        fsPath(joinPath(roots[sample.rootIndex] ?? '', pathFromBytes(sample.path))),
        'r',
      )
      try {
        const before = Buffer.alloc(length)
        const { bytesRead } = await file.read(before, 0, length, sample.offset - length)
        return bytesRead === length ? before : null
      } finally {
        await file.close()
      }
    } catch {
      // A forecast does without the history of a file that has gone; the survey itself has been read already.
      return null
    }
  }
}
