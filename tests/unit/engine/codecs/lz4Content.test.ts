import { describe, expect, test } from 'vitest'
import { lz4Content } from '../../../../src/engine/codecs/lz4Content'
import { lz4Frame } from '../../../../src/engine/codecs/lz4Frame'
import { AppError } from '../../../../src/primitives/appError'
import { seededRandom } from '../../../../src/primitives/seededRandom'

async function* piecesOf(data: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += bytes) yield data.subarray(at, at + bytes)
}

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const piece of pieces) found.push(Buffer.from(piece))
  return Buffer.concat(found)
}

/** Half of it can be compressed. */
function dataOf(bytes: number): Buffer {
  const data = Buffer.alloc(bytes, 'some words. ')
  seededRandom(bytes).fillBytes(data.subarray(0, bytes / 2))
  return data
}

const frameOf = (data: Buffer): Promise<Buffer> => all(lz4Frame(piecesOf(data, 100_000), data.length))

describe('the content of an LZ4 frame', () => {
  test.each([0, 1, 1000, 4 << 20, (4 << 20) + 1, 9_000_000])('of %d bytes is what went in', async (bytes) => {
    const data = dataOf(bytes)
    const frame = await frameOf(data)
    for (const pieceBytes of [65_536, 1_000_003])
      expect((await all(lz4Content(piecesOf(frame, pieceBytes)))).equals(data)).toBe(true)
  })

  test('comes from pieces of single bytes', async () => {
    const data = dataOf(1000)
    expect((await all(lz4Content(piecesOf(await frameOf(data), 1)))).equals(data)).toBe(true)
  })

  test('that is cut short or of another kind is refused', async () => {
    const frame = await frameOf(dataOf(50_000))
    await expect(all(lz4Content(piecesOf(frame.subarray(0, -9), 4096)))).rejects.toThrow(/it ends early$/)
    await expect(all(lz4Content(piecesOf(Buffer.alloc(5000), 4096)))).rejects.toThrow(
      /no LZ4 frame of this kind$/,
    )
  })

  test('ends with data or a plain refusal whatever bytes are spoilt', async () => {
    const frame = await frameOf(dataOf(5000))
    const random = seededRandom(5)
    for (let round = 0; round < 300; round++) {
      const spoilt = Buffer.from(frame)
      spoilt[random.below(frame.length)] = random.below(256)
      const end = await all(lz4Content(piecesOf(spoilt, 700))).catch((thrown: unknown) => thrown)
      if (!Buffer.isBuffer(end)) expect(end).toBeInstanceOf(AppError)
    }
  })
})
