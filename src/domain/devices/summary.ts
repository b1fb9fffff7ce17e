import { distributionOf } from '../statistics/quantiles'
import { SAMPLE_OPERATIONS, type SampleOperation, type TestRow } from './measurement'
import { type MarkedFigures, operationFigures, type SampleMark } from './operationFigures'
import { isWriting, type Sample } from './sampleCollector'
import { nameOfTest, type TestSpec } from './testSpec'
import { operationWarnings, type Warning } from './warnings'

export interface SummaryOptions {
  readonly seed: number
  /** Resamples of the bootstrap; 0 while a measurement runs. */
  readonly resamples: number
  readonly mostPairs?: number
  readonly linkBytesPerSecond: number | null
}

/**
 * One operation's figures with its warnings; null where it has no sample. `samples` in the order of
 * time.
 */
export function summariseOperation(
  op: SampleOperation,
  samples: readonly Sample[],
  options: SummaryOptions,
): (MarkedFigures & { readonly warnings: readonly Warning<SampleOperation>[] }) | null {
  const own = samples.filter((sample) => sample.op === op)
  if (own.length === 0) return null
  const marked = operationFigures(own, {
    ...options,
    isWriting: isWriting(op),
    isRandom: op === 'randomRead' || op === 'randomWrite',
  })
  return { ...marked, warnings: operationWarnings(op, marked) }
}

/** Samples with their marks, in their order. */
export function withMarks(
  samples: readonly Sample[],
  marksOf: Readonly<Partial<Record<SampleOperation, readonly (SampleMark | null)[]>>>,
): (Sample & { readonly mark: SampleMark | null })[] {
  const next: Partial<Record<SampleOperation, number>> = {}
  return samples.map((sample) => {
    const place = next[sample.op] ?? 0
    next[sample.op] = place + 1
    return { ...sample, mark: marksOf[sample.op]?.[place] ?? null }
  })
}

/** The rows of a report, tests in their order, each operation that has samples. */
export function testRows(spec: TestSpec, samples: readonly Sample[]): TestRow[] {
  return spec.tests.flatMap((test, index) =>
    SAMPLE_OPERATIONS.flatMap((op): TestRow[] => {
      const own = samples.filter((sample) => sample.test === index && sample.op === op)
      const rates = distributionOf(own.map(({ bytes, ns }) => (bytes * 1e9) / Math.max(1, ns)))
      const times = distributionOf(own.map(({ ns }) => ns))
      const sizes = distributionOf(own.map(({ bytes }) => bytes))
      if (!rates || !times || !sizes) return []
      return [
        {
          test: index,
          name: nameOfTest(test, index),
          op,
          samples: own.length,
          bytes: own.reduce((total, { bytes }) => total + bytes, 0),
          smallestBytes: sizes.min,
          largestBytes: sizes.max,
          rates,
          times,
        },
      ]
    }),
  )
}
