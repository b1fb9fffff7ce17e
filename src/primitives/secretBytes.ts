/** The deepest level of a message at which a password can be. */
const DEEPEST = 4

/**
 * Overwrites every byte array among the values with zeros. Bytes travel only as passwords in our
 * messages. What the runtime copied on its way (the system's pipes between processes) is out of
 * reach.
 */
export function wipe(value: unknown, deepest = DEEPEST): void {
  if (value instanceof Uint8Array) value.fill(0)
  else if (typeof value === 'object' && value !== null && deepest > 0)
    for (const each of Object.values(value)) wipe(each, deepest - 1)
}
