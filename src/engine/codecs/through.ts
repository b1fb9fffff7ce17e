import type { Transform } from 'node:stream'

/**
 * The output of a transform for an input. Ends both however either ends; a piece of the input is
 * not needed when the next is asked for.
 */
export async function* through(
  transform: Transform,
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const fed = feed(transform, input)
  fed.catch(() => undefined)
  try {
    for await (const piece of transform) yield piece as Uint8Array
  } finally {
    // The failure of what is read says more than that of the stream it broke.
    await fed
  }
}

async function feed(transform: Transform, input: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of input) if (!(await isTaken(transform, piece))) return
    transform.end()
  } catch (thrown) {
    transform.destroy(thrown as Error)
    throw thrown
  }
}

/**
 * True when a piece was taken; false when the reader of the stream has given up. A write that waits
 * for that reader is never answered then (Node 24), but the stream reports that it is closed.
 */
function isTaken(transform: Transform, piece: Uint8Array): Promise<boolean> {
  return new Promise((answer, failed) => {
    const closed = (): void => answer(false)
    transform.once('close', closed)
    transform.write(piece, (error) => {
      transform.off('close', closed)
      if (error && !transform.destroyed) failed(error)
      else answer(!error)
    })
  })
}
