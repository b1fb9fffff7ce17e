import { LEAST_BUFFER_BYTES, recommendedBuffer } from './recommendedBuffer'
import { simulateWrite, type WriteSetting } from './simulateWrite'

/**
 * The effect of a buffer and of the order of the files on one write; seconds, without the disc's
 * time apart from its bytes.
 */
export interface BufferAdvice {
  /** The smallest power of two that reaches 99 % of the possible rate. */
  readonly bufferBytes: number
  readonly seconds: number
  /** With nothing but the system's pipe of 64 KiB. */
  readonly unbufferedSeconds: number
  /** With the recommended buffer, where the small files come first, and where they come last. */
  readonly smallFirstSeconds: number
  readonly smallLastSeconds: number
}

/**
 * Which buffer a write needs, what its lack costs, and what writing small files first or last would
 * change.
 */
export function bufferAdvice(setting: Omit<WriteSetting, 'bufferBytes'>): BufferAdvice {
  const bufferBytes = recommendedBuffer(setting)
  const rising = Float64Array.from(setting.sizes).toSorted()
  const seconds = (more: Partial<WriteSetting>): number =>
    simulateWrite({ ...setting, bufferBytes, ...more }).seconds
  return {
    bufferBytes,
    seconds: seconds({}),
    unbufferedSeconds: seconds({ bufferBytes: LEAST_BUFFER_BYTES }),
    smallFirstSeconds: seconds({ sizes: rising }),
    smallLastSeconds: seconds({ sizes: rising.toReversed() }),
  }
}
