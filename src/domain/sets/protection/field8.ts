/** The field of 256 elements of RAID-6: polynomials modulo x^8 + x^4 + x^3 + x^2 + 1. */
const POLYNOMIAL = 0x11d

export function product(one: number, other: number): number {
  let sum = 0
  for (let bit = 7; bit >= 0; bit--) {
    sum <<= 1
    if (sum > 0xff) sum ^= POLYNOMIAL
    if ((other >> bit) & 1) sum ^= one
  }
  return sum
}

/** A power of 2. */
export function powerOfTwo(exponent: number): number {
  let power = 1
  for (let step = 0; step < exponent; step++) power = product(power, 2)
  return power
}

/** @param element not 0 */
export function inverse(element: number): number {
  // The group has 255 elements.
  let found = 1
  for (let step = 0; step < 254; step++) found = product(found, element)
  return found
}
