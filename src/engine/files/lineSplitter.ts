/**
 * Cuts a stream of bytes into lines, however the bytes are cut into chunks. Empty lines are
 * dropped.
 */
interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Hands over the text after the last line end. */
  end(): void
}

/** Longer lines are cut here: output of a foreign program must not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024

/**
 * @param onLine receives each line without its end
 * @param encoding how the bytes are read; `latin1` keeps them all, for names that need not be UTF-8
 * @param carriageReturnEnds false where a lone `\r` may be inside a name
 */
export function lineSplitter(
  onLine: (line: string) => void,
  encoding: 'utf8' | 'latin1' = 'utf8',
  carriageReturnEnds = true,
): LineSplitter {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  const flush = (): void => {
    if (pendingBytes > 0) onLine(Buffer.concat(pending).toString(encoding))
    pending = []
    pendingBytes = 0
  }
  return {
    push(chunk) {
      let start = 0
      for (let index = 0; index < chunk.length; index++) {
        const byte = chunk[index]
        const isEnd = byte === 0x0a || (byte === 0x0d && carriageReturnEnds)
        if (!isEnd && pendingBytes + (index - start) < MAX_LINE_BYTES) continue
        const stop = isEnd ? index : index + 1
        if (stop > start) {
          pending.push(Uint8Array.from(chunk.subarray(start, stop)))
          pendingBytes += stop - start
        }
        flush()
        start = index + 1
      }
      if (start < chunk.length) {
        pending.push(Uint8Array.from(chunk.subarray(start)))
        pendingBytes += chunk.length - start
      }
    },
    end: flush,
  }
}
