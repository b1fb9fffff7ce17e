import { constants, deflateRawSync, deflateSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CODEC_IDS, CODECS } from '../../../../src/engine/codecs/codecRegistry'
import {
  type BufferCodec,
  compressAfter,
  compressRecord,
  packed,
  unpackNow,
} from '../../../../src/engine/codecs/compressBuffer'
import { packedSizes, processorSeconds } from '../../../../src/engine/codecs/sevenZipSizes'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const NOTHING = new Uint8Array(0)

/** Lines that repeat each other somewhat, as logs do. */
function text(bytes: number, seed: number): Buffer {
  const random = seededRandom(seed)
  const lines: string[] = []
  for (let length = 0; length < bytes; ) {
    const line = `entry ${random.below(3000)} of part ${random.below(40)} took ${random.below(900)} ms\n`
    lines.push(line)
    length += line.length
  }
  return Buffer.from(lines.join('')).subarray(0, bytes)
}

const codecs = CODEC_IDS.map((id) => CODECS[id]).filter((codec) => codec.family !== 'lzma2') as BufferCodec[]

describe('compressing a buffer', () => {
  it('gives the bytes of deflate and zstd without their containers', async () => {
    const data = text(50_000, 1)
    const deflated = await compressAfter(CODECS['gzip-6'] as BufferCodec, NOTHING, data)
    expect(deflated).toEqual({ bytes: deflateRawSync(data, { level: 6 }).length, bytesRead: data.length })
    const params = { [constants.ZSTD_c_compressionLevel]: 3 }
    const frame = zstdCompressSync(data, { params })
    // Magic 4, descriptor 1, content size in 2 bytes for less than 65,792.
    const added = await compressAfter(CODECS['zstd-3'] as BufferCodec, NOTHING, data)
    expect(added.bytes).toBe(frame.length - 7)
  })

  for (const codec of codecs) {
    // Seconds each.
    const tags = codec.id.startsWith('zstd-19') ? ['long'] : []
    it(`adds up to the whole when ${codec.id} goes through it in parts with the preceding data`, {
      tags,
    }, async () => {
      const data = text(400_000, 2)
      const whole = (await compressAfter(codec, NOTHING, data)).bytes
      let sum = 0
      for (let at = 0; at < data.length; at += 100_000) {
        const piece = data.subarray(at, at + 100_000)
        sum += (await compressAfter(codec, data.subarray(Math.max(0, at - 400_000), at), piece)).bytes
      }
      expect(Math.abs(sum / whole - 1)).toBeLessThan(0.03)
    })

    it(`gives back what ${codec.id} packed`, async () => {
      for (const length of [0, 1, 70_000, 300_000]) {
        const data = text(length, 5)
        const unpacked = unpackNow(codec, await packed(codec, data), length)
        expect(Buffer.compare(unpacked, data)).toBe(0)
      }
    })

    it(`never makes more of a unit of random bytes than a little above its size with ${codec.id}`, async () => {
      const data = new Uint8Array(70_000)
      seededRandom(3).fillBytes(data)
      const { bytes } = await compressAfter(codec, NOTHING, data)
      expect(bytes).toBeGreaterThan(data.length * 0.99)
      expect(bytes).toBeLessThan(data.length * 1.001 + 16)
    })
  }

  it('puts a record into the wrapping that stores give it', async () => {
    const record = text(4096, 4)
    expect(await compressRecord(CODECS['gzip-9'] as BufferCodec, record)).toBe(
      deflateSync(record, { level: 9 }).length,
    )
  })
})

describe('the listing of 7-Zip', () => {
  it('gives each file its packed size, and nothing of the archive itself', () => {
    const listing = [
      'Path = samples.7z',
      'Physical Size = 300',
      '----------',
      'Path = 00000000.txt',
      'Size = 500',
      'Packed Size = 120',
      '',
      'Path = 00000001',
      'Size = 9',
      'Packed Size = 13',
    ]
    expect([...packedSizes(listing.join('\r\n'))]).toEqual([
      ['00000000.txt', 120],
      ['00000001', 13],
    ])
  })
})

describe("7-Zip's account of its time", () => {
  it('is what the system and the program took together', () => {
    const reported = `Everything is Ok

Files: 24
Size:       24000000

Kernel  Time =     0.010 =    2%
User    Time =     0.440 =   90%
Process Time =     0.450 =   92%    Virtual  Memory =     78 MB
Global  Time =     0.486 =  100%    Physical Memory =     12 MB
`
    expect(processorSeconds(reported)).toBeCloseTo(0.45)
    expect(processorSeconds('')).toBe(0)
  })
})
