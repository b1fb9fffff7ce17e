import { seededRandom } from '../../../src/primitives/seededRandom.ts'

/** What a process that is about to be killed does to a disk, and what may be found afterwards. */

export interface Step {
  readonly offset: number
  readonly bytes: number
  readonly flushes: boolean
}

export const SLOT_BYTES = 4096

/** Writes of whole slots, with a flush every few; slot k's content is its last writing step's number, repeated. */
export function stepsOf(seed: number, diskBytes: number, count: number): Step[] {
  const random = seededRandom(seed)
  const slots = Math.floor(diskBytes / SLOT_BYTES)
  return Array.from({ length: count }, () => {
    const slot = random.below(slots)
    const length = Math.min(slots - slot, 1 + random.below(40))
    return { offset: slot * SLOT_BYTES, bytes: length * SLOT_BYTES, flushes: random.below(8) === 0 }
  })
}

/** Never zero, so that a slot that was written is told from one that was not. */
export function contentOf(step: number, bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 4) content.writeUInt32LE(step + 1, at)
  return content
}

/**
 * Why a disk cannot be what the steps left when they were stopped after `flushed` were on the medium and at most `begun`
 * were begun; null if it can. A slot must hold what was last flushed there, or something of a later step that was begun.
 */
export function faultIn(disk: Buffer, steps: readonly Step[], flushed: number, begun: number): string | null {
  const slots = Math.floor(disk.length / SLOT_BYTES)
  const durable = Array.from({ length: slots }, () => 0)
  const allowed = Array.from({ length: slots }, () => new Set<number>())
  steps.slice(0, begun).forEach((step, index) => {
    for (let slot = step.offset / SLOT_BYTES; slot * SLOT_BYTES < step.offset + step.bytes; slot++) {
      if (index < flushed) durable[slot] = index + 1
      else allowed[slot]?.add(index + 1)
    }
  })
  for (let slot = 0; slot < slots; slot++) {
    // A write that was cut may leave a part of a slot; every word is of one step or another.
    for (let at = slot * SLOT_BYTES; at < (slot + 1) * SLOT_BYTES; at += 512) {
      const found = disk.readUInt32LE(at)
      if (found !== durable[slot] && !allowed[slot]?.has(found))
        return `slot ${slot} holds step ${found}, flushed was ${durable[slot]}`
    }
  }
  return null
}
