import { formatShare, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Medium } from '../../media/medium'
import type { PlanProblem } from '../planDocument'

/** From this share of a volume on, parity decides how many volumes a source needs. */
const NOTED_FROM = 0.05

/**
 * A note where parity takes much of the room of every volume: a parity disc holds an image as large
 * as the largest, and structures and lists of its own.
 * @param left the medium as its volumes may fill it
 */
export function parityRoomProblem(medium: Medium, left: Medium): PlanProblem[] {
  const taken = medium.capacityBytes - left.capacityBytes
  const share = taken / medium.capacityBytes
  if (share < NOTED_FROM) return []
  const message = said`parity leaves ${formatSize(taken)} (${formatShare(share)}) of each volume empty: a parity disc holds an image and its own lists; larger volumes lose less`
  return [{ code: 'parity-room', message, blocking: false }]
}
