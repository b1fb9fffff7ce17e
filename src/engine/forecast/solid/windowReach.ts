import type { NativeAnchors } from '../../native/addon'
import type { NearCopy } from './nearCopies'
import { ANY_DISTANCE, type Ask, sumOf } from './solidRates'

/**
 * The new bytes of near copies within each dictionary, from the shortest on, and at any distance.
 */
export type NovelBytes = readonly number[]

/** The new bytes of each near copy by itself, whatever other files hold. */
export async function novelAlone(
  copies: readonly NearCopy[],
  dictionaries: readonly number[],
  anchors: NativeAnchors,
  ask: Ask,
): Promise<NovelBytes> {
  const order = Uint32Array.from(copies, ({ file }) => file.number)
  const each = Uint32Array.from(order, (_, place) => place)
  const distances = Float64Array.from([...dictionaries, ANY_DISTANCE])
  const { novelBytes } = await ask(anchors.reuse(order, new Uint32Array(order.length), 1, distances, 0, each))
  return novelBytes.map(sumOf)
}

/**
 * The share of what near copies find in other files that a dictionary still holds. What a file
 * repeats of itself does not count: a dictionary may hold that and none of the file before.
 * @param among what is new in them among other files
 * @param firstSeenBytes what of them is new anywhere: less than new in any archive where there
 *   are several
 */
export function windowReach(
  alone: NovelBytes,
  among: NovelBytes,
  dictionary: number,
  firstSeenBytes = among.at(-1) ?? 0,
): number {
  const found = (alone.at(dictionary) ?? 0) - (among.at(dictionary) ?? 0)
  const most = (alone.at(-1) ?? 0) - firstSeenBytes
  return most > 0 ? Math.min(1, Math.max(0, found / most)) : 1
}
