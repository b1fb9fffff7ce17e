import type { Solid } from '../../../contract/dto/survey'
import type { CopyTrial } from '../../../domain/forecast/solidForecast'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { CodecSamples, KindSamples } from './solidRates'

/** A range is narrow when it reaches no farther than this share of the value to either side. */
const NARROW = 0.08
/** What more samples could take off a wider range is too little when the rest of it is so much of it. */
const REST = 1 / 1.1

/** Archives as forecast from some samples. */
type Forecast = (samples: CodecSamples, trials: readonly CopyTrial[]) => readonly Solid[]

/**
 * Whether more streams, or more trials of near copies, are not worth their time: every range is narrow already, or about as wide as if
 * what was packed so far had been all alike. `thorough` spends its budget whatever is known.
 */
export function enoughSampled(
  level: SampleLevel,
  forecast: Forecast,
): {
  streams(samples: CodecSamples): boolean
  trials(samples: CodecSamples, trials: readonly CopyTrial[]): boolean
} {
  const isEnough = (known: readonly Solid[], atBest: readonly Solid[]): boolean =>
    level !== 'thorough' &&
    known.every(
      (row, index) =>
        halfOf(row) <= NARROW * row.predictedBytes || REST * halfOf(row) <= halfOf(atBest[index] ?? row),
    )
  return {
    streams: (samples) => isEnough(forecast(samples, []), forecast(asOneStream(samples), [])),
    trials: (samples, trials) =>
      trials.length >= LEAST_TRIALS && isEnough(forecast(samples, trials), forecast(samples, alike(trials))),
  }
}

/** With fewer their spread tells nothing. */
const LEAST_TRIALS = 3

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

/** As many trials with as much in all, each the same. */
function alike(trials: readonly CopyTrial[]): CopyTrial[] {
  const mean = (of: (trial: CopyTrial) => number): number =>
    trials.reduce((total, trial) => total + of(trial), 0) / trials.length
  const one: CopyTrial = {
    novelBytes: mean(({ novelBytes }) => novelBytes),
    quietBytes: mean(({ quietBytes }) => quietBytes),
    runs: mean(({ runs }) => runs),
    codecBytes: mean(({ codecBytes }) => codecBytes),
  }
  return trials.map(() => one)
}
