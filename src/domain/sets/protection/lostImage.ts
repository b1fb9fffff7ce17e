import { inverse, powerOfTwo, product } from './field8'
import type { ParityKind } from './setParity'

/** The factors of what is there, whose sum is a lost image. */
export interface LostImageFactors {
  /** By the number of the image, counted from 1. */
  readonly images: ReadonlyMap<number, number>
  readonly parity: ReadonlyMap<ParityKind, number>
}

/** The factor of an image in a kind of parity. */
export function parityFactor(kind: ParityKind, number: number): number {
  return kind === 'P' ? 1 : powerOfTwo(number - 1)
}

/**
 * How an image is calculated from the others.
 * @param images how many the set has
 * @param missing the numbers of all that are not there, the wanted one among them
 * @returns null where more are missing than parity can give back
 */
export function lostImageFactors(
  images: number,
  wanted: number,
  missing: readonly number[],
  parity: readonly ParityKind[],
): LostImageFactors | null {
  const others = missing.filter((number) => number !== wanted)
  const [other] = others
  const there = Array.from({ length: images }, (_, at) => at + 1).filter(
    (number) => !missing.includes(number),
  )
  const sum = (kinds: ReadonlyMap<ParityKind, number>): LostImageFactors => ({
    images: new Map(
      there.map((number) => [
        number,
        [...kinds].reduce((all, [kind, factor]) => all ^ product(factor, parityFactor(kind, number)), 0),
      ]),
    ),
    parity: kinds,
  })
  if (other === undefined) {
    const [kind] = parity
    return kind === undefined ? null : sum(new Map([[kind, inverse(parityFactor(kind, wanted))]]))
  }
  if (others.length > 1 || parity.length < 2) return null
  // P + x + y = 0 and Q + a x + b y = 0 over what is there: x = (b P + Q) / (a + b).
  const [a, b] = [parityFactor('Q', wanted), parityFactor('Q', other)]
  // The powers of 2 repeat: of two images with the same one Q says no more than P.
  if (a === b) return null
  const divisor = inverse(a ^ b)
  return sum(
    new Map([
      ['P', product(b, divisor)],
      ['Q', divisor],
    ]),
  )
}
