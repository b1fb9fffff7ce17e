import type { BurnTimes } from '../domain/sets/planDocument'
import { formatSize } from '../primitives/quantity'
import { formatForecast, formatSpan } from '../primitives/spokenTime'

const DECIDES: Readonly<Record<BurnTimes['bottleneck'], string>> = {
  source: 'reading the files is the bottleneck',
  writer: 'the drive is the bottleneck',
  starvation: 'files and drive wait for each other in turn',
}
/** Smaller differences are not worth a sentence. */
const WORTHWHILE = 0.05

/**
 * The time of burning, its bottleneck, and the buffer and order that help: one to three sentences.
 */
export function burnText({ from, seconds, bottleneck, bufferBytes, disc }: BurnTimes): string {
  const how = from === 'files' ? 'Burned without an image on disk' : 'Burned from the images'
  const sentences = [
    `${how}: ${formatSpan(seconds)} (${seconds.provenance}); ${DECIDES[bottleneck]}; a buffer of ${formatSize(bufferBytes, 'binary')} is enough.`,
  ]
  if (disc.unbufferedSeconds > (1 + WORTHWHILE) * disc.seconds)
    sentences.push(
      `Without it, disc ${disc.index} takes ${formatForecast(disc.unbufferedSeconds)} instead of ${formatForecast(disc.seconds)}.`,
    )
  const sorted = Math.min(disc.smallFirstSeconds, disc.smallLastSeconds)
  if (sorted < (1 - WORTHWHILE) * disc.seconds) {
    const order = sorted === disc.smallFirstSeconds ? 'first' : 'last'
    sentences.push(`With its small files ${order}, ${formatForecast(sorted)}.`)
  }
  return sentences.join(' ')
}
