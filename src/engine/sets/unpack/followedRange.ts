import { type ContentPlace, rangeOf } from '../../files/rangeOf'

/**
 * The bytes of a range in pieces; each is there until the next is asked for.
 * @param onShare how much of the range was taken, from 0 to 1
 * @throws as `rangeOf`
 */
export async function* followedRange(
  range: ContentPlace,
  signal: AbortSignal,
  onShare: (share: number) => void,
): AsyncGenerator<Buffer, void, void> {
  let done = 0
  for await (const piece of rangeOf(range, signal)) {
    yield piece
    onShare((done += piece.length) / range.bytes)
  }
}
