import { NOTICED_GAINS, type NoticedGain } from '../optionsDocument'
import { floorsOf } from './floors'
import { isClearlyLess, type Measured } from './front'
import { meritsOf } from './merits'
import type { OptionRow } from './option'

/** An option by the figures that a person sees first. */
type Seen = Pick<OptionRow, 'estimate' | 'portability'>

/** Memory is no figure that a person sees first: its floor is never asked for. */
const FLOORS = floorsOf({ memoryBytes: 0 })

/**
 * The first figure in which a person notices that one option is better than another on the same
 * medium: by more than the floors of `front` and by more than the forecasts' error. Null where
 * there is none.
 */
export function noticedGain(one: Seen, other: Seen): NoticedGain | null {
  const [less, more] = [measured(one), measured(other)]
  return NOTICED_GAINS.find((merit) => isClearlyLess(merit, less, more, FLOORS)) ?? null
}

/** True when a person notices that one option is smaller: by its volumes or by its size. */
export function isNoticeablySmaller(one: Seen, other: Seen): boolean {
  const gain = noticedGain(one, other)
  return gain === 'volumes' || gain === 'bytes'
}

function measured(option: Seen): Measured {
  const { low, high } = option.estimate.bytes
  return { merits: meritsOf(option, FLOORS), bytesLow: low, bytesHigh: high, sizeFloor: 0 }
}
