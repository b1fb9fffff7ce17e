/** The bytes of one value in addition to its content: an object header, a slot, a key. */
const VALUE_BYTES = 8

/**
 * About how many bytes a message's values take (strings at two bytes a character), found without
 * recursion so that deep nesting cannot exhaust the stack. Stops counting once `limit` is passed;
 * cycles are counted until then.
 */
export function weigh(value: unknown, limit: number): number {
  const rest: unknown[] = [value]
  let total = 0
  while (rest.length > 0 && total <= limit) {
    const item = rest.pop()
    total += VALUE_BYTES
    if (typeof item === 'string') total += item.length * 2
    else if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) total += item.byteLength
    else if (item instanceof Map) rest.push(...item.keys(), ...item.values())
    else if (item instanceof Set) rest.push(...item)
    else if (Array.isArray(item)) {
      if (item.length * VALUE_BYTES > limit) return limit + 1
      for (const member of item) rest.push(member)
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, member] of Object.entries(item)) {
        total += key.length * 2
        rest.push(member)
      }
    }
  }
  return total
}
