import type { BurnTimes } from '../domain/sets/planDocument'
import { formatSize } from '../primitives/quantity'
import { formatForecast, formatSpan } from '../primitives/spokenTime'

type BurnKey = 'burn.how' | 'burn.unbuffered' | 'burn.smallFirst' | 'burn.smallLast'

/** Smaller differences are not worth a sentence. */
const WORTHWHILE = 0.05

/**
 * The time of burning, its bottleneck, and the buffer and order that help: one to three sentences.
 * @param say the words of a language
 */
export function burnText(
  { from, seconds, bottleneck, bufferBytes, disc }: BurnTimes,
  say: (key: BurnKey, values: Readonly<Record<string, string | number>>) => string,
): string {
  const sentences = [
    say('burn.how', {
      from,
      span: formatSpan(seconds),
      provenance: seconds.provenance,
      bottleneck,
      buffer: formatSize(bufferBytes, 'binary'),
    }),
  ]
  if (disc.unbufferedSeconds > (1 + WORTHWHILE) * disc.seconds)
    sentences.push(
      say('burn.unbuffered', {
        disc: disc.index,
        slow: formatForecast(disc.unbufferedSeconds),
        fast: formatForecast(disc.seconds),
      }),
    )
  const sorted = Math.min(disc.smallFirstSeconds, disc.smallLastSeconds)
  if (sorted < (1 - WORTHWHILE) * disc.seconds) {
    const order = sorted === disc.smallFirstSeconds ? 'burn.smallFirst' : 'burn.smallLast'
    sentences.push(say(order, { time: formatForecast(sorted) }))
  }
  return sentences.join(' ')
}
