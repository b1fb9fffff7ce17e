import { expect, it } from 'vitest'
import { compressed, compressedTar } from '../../../../src/engine/codecs/compressStream'
import { seededRandom } from '../../../../src/primitives/seededRandom'

/** Bytes that do not compress, and whether somebody who began to read them is not done yet. */
function noise(pieces: number): { input: AsyncGenerator<Uint8Array>; isOpen: () => boolean } {
  let open = false
  async function* made(): AsyncGenerator<Uint8Array> {
    const random = seededRandom(1)
    open = true
    try {
      for (let index = 0; index < pieces; index++) {
        const piece = new Uint8Array(1 << 20)
        random.fillBytes(piece)
        yield piece
      }
    } finally {
      open = false
    }
  }
  return { input: made(), isOpen: () => open }
}

const BYTES = 16 << 20

it.each([
  ['tar by zstd', (input: AsyncIterable<Uint8Array>) => compressedTar(input, 1, 20)],
  ['zstd', (input: AsyncIterable<Uint8Array>) => compressed({ kind: 'zstd', level: 1 }, input, 'a', BYTES)],
  ['gzip', (input: AsyncIterable<Uint8Array>) => compressed({ kind: 'gzip', level: 1 }, input, 'a', BYTES)],
  ['lz4', (input: AsyncIterable<Uint8Array>) => compressed({ kind: 'lz4' }, input, 'a', BYTES)],
])('%s ends with the error when what it makes cannot be written', async (_name, compress) => {
  const { input, isOpen } = noise(16)
  const writing = (async () => {
    for await (const piece of compress(input)) {
      // A disk that takes its time and then is full: meanwhile the stream waits for its reader.
      await new Promise((fulfil) => setTimeout(fulfil, 50))
      throw new Error(`no room for ${piece.length} bytes`)
    }
  })()
  await expect(writing).rejects.toThrow(/^no room for/)
  expect(isOpen()).toBe(false)
})
