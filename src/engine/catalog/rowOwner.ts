import { mayBeAlive, ownIdentity } from '../files/processIdentity'

/**
 * True when the process that a row belongs to may still run, but for this one, which has just
 * started and left none.
 */
export function isOwnerAlive(owner: string): boolean {
  return owner !== ownIdentity() && mayBeAlive(owner)
}
