import { totalmem } from 'node:os'

/** The usual memory for recovery blocks, made or used for a repair: half of the machine's. */
export function usualMemory(): number {
  return Math.floor(totalmem() / 2)
}
