import { seededRandom } from '../../primitives/seededRandom'

/** Longer than the window of every codec that is measured: no codec finds a repeat of the text. */
const TEXT_BYTES = 16 * 1024 * 1024
const WORDS = 4096
const PHRASES = 512
const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz'

/**
 * Text that codecs compress to about a third to a half, as they do logs and tables: words of a
 * fixed vocabulary, frequent ones more often, and numbers. Bytes from anywhere in it, as long as
 * wanted: `pieces` begins where the seed says and goes on at the start when the text ends.
 */
export function compressibleContent(): {
  pieces(bytes: number, seed: number, pieceBytes: number): Generator<Uint8Array, void, void>
} {
  const text = textOf()
  return {
    *pieces(bytes, seed, pieceBytes) {
      let at = seededRandom(seed).below(text.length)
      for (let left = bytes; left > 0; ) {
        const length = Math.min(left, pieceBytes, text.length - at)
        yield text.subarray(at, at + length)
        left -= length
        at = (at + length) % text.length
      }
    },
  }
}

function textOf(): Buffer {
  const random = seededRandom(1)
  const letter = (): string => LETTERS[Math.floor(LETTERS.length * random.unit() ** 2)] ?? 'e'
  const words = Array.from({ length: WORDS }, () =>
    Buffer.from(`${Array.from({ length: 2 + random.below(9) }, letter).join('')} `),
  )
  const word = (): Buffer => words[Math.floor(WORDS * random.unit() ** 3)] as Buffer
  const phrases = Array.from({ length: PHRASES }, () =>
    Buffer.concat(Array.from({ length: 4 + random.below(8) }, word)),
  )
  const text = Buffer.alloc(TEXT_BYTES)
  for (let at = 0; at < text.length; ) {
    if (random.below(6) === 0) {
      at += text.write(`${random.uint32()},`, at, 'latin1')
      continue
    }
    const next = random.below(7) === 0 ? (phrases[random.below(PHRASES)] as Buffer) : word()
    at += next.copy(text, at)
  }
  return text
}
