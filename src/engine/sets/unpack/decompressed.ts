import type { Transform } from 'node:stream'
import { AppError } from '../../../primitives/appError'
import { through } from '../../options/builders/compressStream'

/**
 * What a stream decompresses to, for as long as it is asked for. A piece of the input is not needed when the next is asked for.
 * @throws AppError `verification-failed` for a damaged stream, and what `input` throws
 */
export async function* decompressed(
  input: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* through(transform, input)
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    const because = thrown instanceof Error ? thrown.message : String(thrown)
    throw new AppError('verification-failed', `cannot decompress it: ${because}`, { cause: thrown })
  }
}
