import { open } from 'node:fs/promises'
import type { Compression } from '../../../contract/dto/survey'
import type { StratumTotal } from '../../../domain/statistics/strata'
import type { TypeTotal } from '../../../domain/survey/typeCompression'
import { pathFromBytes } from '../../../primitives/pathText'
import { fsPath, joinPath } from '../../files/fileSystem'
import type { JobContext } from '../../jobs/jobContext'
import type { Alone } from '../exclusiveCpu'
import { CODEC_KINDS, type ForecastWork } from '../forecastWork'
import type { SharedCores } from '../sharedCores'
import { type CodecForecast, forecastCodecs } from './codecSamples'
import type { ReadAround } from './codecSamplesStreams'
import type { SampleLevel } from './codecSamplesTargets'
import type { DedupTotals } from './codecSamplesTogether'
import type { CodecSample, SampleSet } from './codecSamplesUnits'

interface CodecPhaseSetting {
  readonly level: SampleLevel
  /**
   * The counts of repeats; null when they are of more than the samples are from, and nothing is
   * reported then.
   */
  readonly dedup: DedupTotals | null
  /** The types that the samples are from. */
  readonly types: readonly TypeTotal[]
  /** How many phases the job has. */
  readonly phases: number
  /** The expected work of all forecasts, and the part that is done. */
  readonly work: ForecastWork
  /** The cores that it shares with solid archives that are forecast at the same time. */
  readonly cores?: SharedCores
  readonly alone?: Alone
  /** Reads more of a sample's file; from the disk by default. */
  readonly readAround?: ReadAround
  /** Tells one choice of what slow codecs visit from another. */
  readonly seed?: number
}

/**
 * Forecasts codecs from the samples that the pass kept, with nothing else running: the job's second
 * phase.
 * @param onPartial what is known so far, about every second
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function codecPhase(
  set: SampleSet,
  strata: readonly StratumTotal[],
  roots: readonly string[],
  {
    level,
    dedup,
    types,
    phases,
    work,
    cores,
    alone,
    readAround = readerAround(roots),
    seed,
  }: CodecPhaseSetting,
  context: JobContext,
  onPartial: (compression: Compression[]) => void,
): Promise<Omit<CodecForecast, 'compressedAlready'>> {
  const bytesTotal = set.samples.reduce((sum, sample) => sum + sample.data.length, 0)
  const tell = (): void =>
    context.progress({
      phase: { index: 2, count: phases, name: 'sampling' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: 0,
      bytesTotal: null,
      current: null,
      work: work.rows(),
    })
  tell()
  if (bytesTotal === 0) {
    work.end(CODEC_KINDS)
    return { compression: [], combined: [], types: new Map() }
  }
  const forecast = await forecastCodecs(set, strata, {
    level,
    types,
    clock: context.clock,
    signal: context.signal,
    readAround,
    ...(dedup && { dedup }),
    ...(cores && { cores }),
    ...(alone && { alone }),
    ...(seed !== undefined && { seed }),
    onPartial,
    onWork(...more) {
      work.add(...more)
      tell()
    },
  })
  work.end(CODEC_KINDS)
  return { compression: forecast.compression, combined: forecast.combined, types: forecast.types }
}

/** Reads of a sample's file; null when it is no longer to be read, or shorter by now. */
function readerAround(roots: readonly string[]): ReadAround {
  return async (sample: CodecSample, offset: number, length: number) => {
    try {
      await using file = await open(
        fsPath(joinPath(roots[sample.rootIndex] ?? '', pathFromBytes(sample.path))),
        'r',
      )
      const part = Buffer.alloc(length)
      const { bytesRead } = await file.read(part, 0, length, offset)
      return bytesRead === length ? part : null
    } catch {
      // A forecast does without the rest of a file that has gone; the survey itself has been read already.
      return null
    }
  }
}
