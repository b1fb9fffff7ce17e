import { closedForm } from './closedForm'
import { simulateWrite, type WriteSetting } from './simulateWrite'

/** The capacity of a pipe of the system: less is not worth a buffer. */
export const LEAST_BUFFER_BYTES = 64 * 1024
/** The share of the rate that a buffer of the whole stream would reach. */
export const ENOUGH_OF_RATE = 0.99

/**
 * The smallest power of two, of at least 64 KiB, whose buffer reaches 99 % of the possible rate: no
 * more than twice the smallest buffer that does. Bisection over `simulateWrite`, at most five runs:
 * 0.1 s for a disc.
 */
export function recommendedBuffer(setting: Omit<WriteSetting, 'bufferBytes'>): number {
  const { lostSeconds, unbufferedSeconds } = closedForm({ ...setting, bufferBytes: 0 })
  // Where no file is slower than what comes before and after it, none is needed.
  if (lostSeconds <= (1 - ENOUGH_OF_RATE) * unbufferedSeconds) return LEAST_BUFFER_BYTES
  let total = setting.headBytes ?? 0
  for (let at = 0; at < setting.sizes.length; at++) total += setting.sizes[at] as number
  const seconds = (bufferBytes: number): number => simulateWrite({ ...setting, bufferBytes }).seconds
  let [low, high] = [0, Math.max(0, Math.ceil(Math.log2(total / LEAST_BUFFER_BYTES)))]
  const most = seconds(LEAST_BUFFER_BYTES * 2 ** high) / ENOUGH_OF_RATE
  while (low < high) {
    const middle = (low + high) >> 1
    if (seconds(LEAST_BUFFER_BYTES * 2 ** middle) <= most) high = middle
    else low = middle + 1
  }
  return LEAST_BUFFER_BYTES * 2 ** high
}
