import { type SpeedCurve, secondsAlong } from '../../media/speedCurve'

/** Seconds that a source costs a program that reads it file by file. */
export interface SourceCost {
  /** Before the first byte: the list of files, the directories of an image. */
  readonly startSeconds: number
  /** For each file, apart from its bytes: open, seek, close. */
  readonly fileSeconds: number
  readonly secondsPerByte: number
}

/** A source, a buffer and a writer. */
export interface WriteSetting {
  /** Bytes of the files as they come in the stream, in the order in which they are written. */
  readonly sizes: ArrayLike<number>
  /** Bytes before the files that come from memory, such as the directories of an image. */
  readonly headBytes?: number | undefined
  readonly source: SourceCost
  readonly curve: SpeedCurve
  /** All that lies between what the source's program holds itself and what the writer took. */
  readonly bufferBytes: number
  /**
   * As in `stowage pipe`: nothing is written before so much is in the buffer; and again once less
   * than `lowBytes` is.
   */
  readonly startBytes?: number | undefined
  readonly lowBytes?: number | undefined
}

export interface SimulatedWrite {
  /** Until the last byte is written. */
  readonly seconds: number
  /** The time of each side alone, without ever waiting for the other. */
  readonly sourceSeconds: number
  readonly writerSeconds: number
  /** No buffer does better: the source alone, or its start and then the writer. */
  readonly leastSeconds: number
  /**
   * How long the source waited because the buffer was full, and the writer because it was empty,
   * once it had begun.
   */
  readonly sourceWaits: number
  readonly writerWaits: number
  /** Waits of the writer above 10 ms. */
  readonly underruns: number
}

/**
 * The bytes that mkisofs and genisoimage read and hand over at once, and that growisofs writes at
 * once.
 */
const PIECE_BYTES = 32 * 1024
/**
 * Pieces of a stream through a large buffer are merged to at most this, and to no more than a 256th
 * of the buffer.
 */
const MOST_PIECE_BYTES = 256 * 1024
const PIECES_IN_BUFFER = 256
/** As in the pipe: a side that waits longer has stalled. */
const STALL_SECONDS = 0.01

/**
 * Writes a stream through a buffer, event by event: the source reads a piece, hands over of it what
 * the buffer has room for, and reads on once all of it is handed over; the writer takes a whole
 * block, then writes it. Both as bytes come and go, in the order of the files (the max-plus
 * recursion of a producer and a consumer, on pieces instead of equal units). O(files + pieces):
 * about 0.1 s for 25 GB through a pipe of one page, 10 ms through 64 MiB.
 *
 * Error bound: exact to the piece for buffers up to 8 MiB. For larger ones equal pieces are merged,
 * and the result is off by at most the time that source and writer take for two merged pieces, at
 * most a 128th of the buffer (`tests/unit/domain/sets/times/simulateWrite.test.ts`).
 */
export function simulateWrite(setting: WriteSetting): SimulatedWrite {
  const { sizes, headBytes = 0, source, curve, bufferBytes, startBytes = 0, lowBytes = 0 } = setting
  let filesBytes = 0
  for (let at = 0; at < sizes.length; at++) filesBytes += sizes[at] as number
  const total = headBytes + filesBytes
  const most = Math.min(MOST_PIECE_BYTES, Math.max(PIECE_BYTES, Math.floor(bufferBytes / PIECES_IN_BUFFER)))
  const rate = ratesAlong(curve)

  let [now, level, handedOver] = [0, 0, 0]
  // The source: what it has read and not handed over, when that is ready, and what is left of its file.
  let [toGive, readyAt, blockedSince] = [headBytes, source.startSeconds, -1]
  let [file, left, isReading] = [-1, 0, true]
  // The writer: the block that it takes or writes, what it has of it, and until when it is busy.
  let [block, held, busyUntil, written] = [0, 0, 0, 0]
  let mayWrite = startBytes === 0
  let [sourceWaits, writerWaits, underruns] = [0, 0, 0]

  for (;;) {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false
      if (isReading && now >= readyAt) {
        if (toGive > 0 && level < bufferBytes) {
          const given = Math.min(toGive, bufferBytes - level)
          level += given
          handedOver += given
          toGive -= given
          hasMoved = true
        }
        if (toGive > 0) {
          if (blockedSince < 0) blockedSince = now
        } else {
          if (blockedSince >= 0) sourceWaits += now - blockedSince
          blockedSince = -1
          let cost = 0
          while (left === 0 && file + 1 < sizes.length) {
            file++
            left = sizes[file] as number
            cost += source.fileSeconds
          }
          toGive = Math.min(left, most)
          left -= toGive
          readyAt = now + cost + toGive * source.secondsPerByte
          isReading = toGive > 0 || cost > 0
          hasMoved ||= isReading
        }
      }
      if (now < busyUntil) continue
      if (block > 0 && held === block) {
        written += block
        block = 0
        held = 0
        if (level < lowBytes) mayWrite = false
      }
      if (!mayWrite && (level >= Math.min(startBytes, bufferBytes) || handedOver === total)) mayWrite = true
      if (mayWrite && level > 0) {
        if (block === 0) block = Math.min(most, total - written)
        const taken = Math.min(block - held, level)
        level -= taken
        held += taken
        hasMoved = true
        if (held === block) {
          const waited = now - busyUntil
          if (written > 0) {
            writerWaits += waited
            if (waited > STALL_SECONDS) underruns++
          }
          busyUntil = now + rate.seconds(written, written + block)
        }
      }
    }
    const readingUntil = isReading && readyAt > now ? readyAt : Number.POSITIVE_INFINITY
    const writingUntil = busyUntil > now ? busyUntil : Number.POSITIVE_INFINITY
    const next = Math.min(readingUntil, writingUntil)
    if (next === Number.POSITIVE_INFINITY) break
    now = next
  }
  const sourceSeconds =
    source.startSeconds + sizes.length * source.fileSeconds + filesBytes * source.secondsPerByte
  const writerSeconds = secondsAlong(curve, total)
  return {
    seconds: now,
    sourceSeconds,
    writerSeconds,
    leastSeconds: Math.max(sourceSeconds, source.startSeconds + writerSeconds),
    sourceWaits,
    writerWaits,
    underruns,
  }
}

/** Seconds between two bytes of a curve, asked for in rising order. */
function ratesAlong(curve: SpeedCurve): { seconds(from: number, to: number): number } {
  let step = 0
  return {
    seconds(from, to) {
      let [seconds, at] = [0, from]
      while (at < to) {
        while ((curve[step + 1]?.fromByte ?? Number.POSITIVE_INFINITY) <= at) step++
        const end = Math.min(to, curve[step + 1]?.fromByte ?? to)
        seconds += (end - at) / (curve[step]?.bytesPerSecond as number)
        at = end
      }
      return seconds
    },
  }
}
