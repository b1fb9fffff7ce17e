import type { Solid } from '../../../contract/dto/survey'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { CodecSamples, KindSamples } from './solidRates'

/** A range is narrow when it reaches no farther than this share of the value to either side. */
const NARROW = 0.08
/** More samples can take too little off a range once the rest of it has at least this share. */
const REST = 1 / 1.1

/** Archives as forecast from some samples. */
type Forecast = (samples: CodecSamples) => readonly Solid[]

/**
 * True when more streams are not worth their time: every range is narrow already, or about as wide
 * as if all that was packed so far had been similar. `thorough` spends its budget whatever is
 * known.
 */
export function enoughSampled(level: SampleLevel, forecast: Forecast): (samples: CodecSamples) => boolean {
  return (samples) => {
    if (level === 'thorough') return false
    const atBest = forecast(asOneStream(samples))
    return forecast(samples).every(
      (row, index) =>
        halfOf(row) <= NARROW * row.predictedBytes || REST * halfOf(row) <= halfOf(atBest[index] ?? row),
    )
  }
}

function halfOf({ low, high }: Solid): number {
  return (high - low) / 2
}

/** With all streams of a kind as one: no spread between them. */
function asOneStream(samples: CodecSamples): CodecSamples {
  return new Map(
    Array.from(samples, ([codec, { firstSeen, all }]) => [
      codec,
      { firstSeen: firstSeen && merged(firstSeen), all: all && merged(all) },
    ]),
  )
}

function merged(samples: KindSamples): KindSamples {
  const sum = (of: (pair: KindSamples['pairs'][number]) => number): number =>
    samples.pairs.reduce((total, pair) => total + of(pair), 0)
  const one = {
    bytes: sum(({ bytes }) => bytes),
    seconds: sum(({ seconds }) => seconds),
    quickBytes: sum(({ quickBytes }) => quickBytes),
    codecBytes: sum(({ codecBytes }) => codecBytes),
  }
  return { ...samples, pairs: [one] }
}
