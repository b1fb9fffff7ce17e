import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { estimateOf, scaled, sumTogether } from '../../options/cost/estimateParts'
import { workTime } from '../../options/cost/rates'
import { threadsWorth } from '../../options/cost/stepTimes'
import type { MachineFacts } from '../../options/facts'
import type { Protection, VolumeProtection } from '../protection/volumeProtection'
import { isWorthFilling } from '../protection/worthFilling'

/** The work of making recovery data. */
export interface RecoveryWork {
  /** Bytes that are in blocks. */
  readonly dataBytes: number
  /** These bytes times the recovery blocks of their set. */
  readonly summedBytes: number
}

/** CPU time of recovery data, and how long it takes by several threads. */
interface RecoverySeconds {
  readonly cpu: Estimate
  readonly elapsed: Estimate
}

/** The work that the recovery data of a volume is. */
export function recoveryWork({ sets, blockBytes }: VolumeProtection): RecoveryWork {
  const bytesOf = (blocks: number): number => blocks * blockBytes
  return {
    dataBytes: sets.reduce((sum, { blocks }) => sum + bytesOf(blocks), 0),
    summedBytes: sets.reduce((sum, { blocks, recoveryBlocks }) => sum + bytesOf(blocks) * recoveryBlocks, 0),
  }
}

/** Blocks of a volume where files are large. */
const USUAL_BLOCKS = 2000

/**
 * The recovery data of a volume whose archives are not made yet.
 * @param bytes of its image, with a share of recovery data and without what fills it up
 * @returns bytes that fill it up, and the work
 */
export function expectedRecovery(
  bytes: number,
  capacityBytes: number,
  protection: Protection,
): RecoveryWork & { readonly filledBytes: number } {
  if (protection !== 'fill') {
    const share = protection / 100
    const dataBytes = bytes / (1 + share)
    return { dataBytes, summedBytes: dataBytes * USUAL_BLOCKS * share, filledBytes: 0 }
  }
  if (bytes <= 0 || !isWorthFilling(bytes, capacityBytes))
    return { dataBytes: 0, summedBytes: 0, filledBytes: 0 }
  const filledBytes = Math.min(bytes, capacityBytes - bytes)
  return { dataBytes: bytes, summedBytes: USUAL_BLOCKS * filledBytes, filledBytes }
}

/** The time of making recovery data: digests by one thread, sums by all of the machine's. */
export function recoverySeconds(
  { dataBytes, summedBytes }: RecoveryWork,
  machine: MachineFacts,
): RecoverySeconds {
  const digests = workTime('recovery.digests', { byte: dataBytes }, machine)
  const sums = workTime('recovery.sums', { byte: summedBytes }, machine)
  const threads = threadsWorth(machine.cores, machine.cores)
  const basis = said`making recovery data`
  return {
    cpu: sumTogether([digests, sums], basis),
    elapsed: sumTogether([digests, scaled(sums, 1 / threads)], basis),
  }
}

/**
 * CPU time of the parity of images.
 * @param imageBytes of all images together
 * @param discs of parity: 1 or 2
 */
export function parityCpuSeconds(imageBytes: number, discs: number, machine: MachineFacts): Estimate {
  const basis = said`making parity discs`
  if (discs === 0) return estimateOf({ value: 0, low: 0, high: 0 }, 'exact', basis)
  const parts = [workTime('parity.p', { byte: imageBytes }, machine)]
  if (discs > 1) parts.push(workTime('parity.q', { byte: imageBytes }, machine))
  return sumTogether(parts, basis)
}
