import { seededRandom } from '../../src/primitives/seededRandom'

/** Noise that a seed decides. */
export function seededNoise(bytes: number, seed: number): Buffer {
  const content = Buffer.alloc(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}
