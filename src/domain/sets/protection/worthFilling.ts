/** The least share of a volume that must be free for it to be filled up. */
const LEAST_FREE = 0.02

/** True where so much of a volume is free that it is filled up with recovery data. */
export function isWorthFilling(used: number, capacity: number): boolean {
  return capacity - used >= LEAST_FREE * capacity
}
