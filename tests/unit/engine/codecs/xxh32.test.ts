import { expect, it } from 'vitest'
import { XXHash32 } from 'xxhash-addon'
import { Xxh32 } from '../../../../src/engine/codecs/xxh32'
import { seededRandom } from '../../../../src/primitives/seededRandom'

it('equals xxHash for every division of the stream', () => {
  const random = seededRandom(1)
  const data = new Uint8Array(5000)
  random.fillBytes(data)
  for (const length of [0, 1, 3, 4, 15, 16, 17, 31, 32, 100, 4095, 5000]) {
    const whole = Buffer.from(data.subarray(0, length))
    const hash = new Xxh32()
    for (let at = 0; at < length; ) {
      const piece = 1 + random.below(40)
      hash.update(whole.subarray(at, at + piece))
      at += piece
    }
    expect(hash.digest()).toBe(XXHash32.hash(whole).readUInt32BE())
  }
})
