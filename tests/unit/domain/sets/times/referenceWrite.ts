import type { WriteSetting } from '../../../../../src/domain/sets/times/simulateWrite'

const UNIT = 512
const UNITS_IN_PIECE = 64

/**
 * The recursion of a producer and a consumer with a bounded buffer between them, on units of 512 bytes: unit `i` is given once it is
 * read, the one before is given, and the unit that has to leave for it is taken; it is taken once it is given and the block before is
 * written. Sizes, and where rates change, are multiples of a unit.
 */
export function referenceWrite(setting: WriteSetting): { seconds: number; writerWaits: number } {
  const { headBytes = 0, source, curve, bufferBytes, startBytes = 0, lowBytes = 0 } = setting
  const rateAt = (byte: number): number =>
    curve.findLast(({ fromByte }) => fromByte <= byte)?.bytesPerSecond as number
  // What each unit costs the source, and which units it reads in one piece.
  const pieces: { units: number; seconds: number }[] = [
    { units: headBytes / UNIT, seconds: source.startSeconds },
  ]
  for (const bytes of Array.from(setting.sizes)) {
    for (let at = 0; at === 0 || at < bytes / UNIT; at += UNITS_IN_PIECE) {
      const units = Math.min(UNITS_IN_PIECE, bytes / UNIT - at)
      pieces.push({
        units,
        seconds: (at === 0 ? source.fileSeconds : 0) + units * UNIT * source.secondsPerByte,
      })
    }
  }
  const pieceOf = pieces.flatMap(({ units }, at) => Array.from({ length: units }, () => at))
  const count = pieceOf.length
  const room = bufferBytes / UNIT
  const [start, low] = [startBytes / UNIT, lowBytes / UNIT]

  const given: number[] = []
  const taken: number[] = []
  let readAt = 0
  const giveUpTo = (last: number): void => {
    while (given.length <= Math.min(last, count - 1)) {
      const at = given.length
      // Pieces since that of the unit before, files of no bytes among them.
      for (
        let piece = at === 0 ? 0 : (pieceOf[at - 1] as number) + 1;
        piece <= (pieceOf[at] as number);
        piece++
      ) {
        readAt = Math.max(readAt, given[at - 1] ?? 0) + (pieces[piece]?.seconds as number)
      }
      const leaves = at < room ? 0 : (taken[at - room] as number)
      given.push(Math.max(readAt, given[at - 1] ?? 0, leaves))
    }
  }

  let [idle, waits] = [0, 0]
  for (let first = 0; first < count; first += UNITS_IN_PIECE) {
    let gate = idle
    const least = first === 0 ? start : low
    giveUpTo(first + least - 1)
    if (least > 0 && (given[Math.min(first + least, count) - 1] as number) > idle) {
      giveUpTo(first + start - 1)
      gate = given[Math.min(first + start, count) - 1] as number
    }
    const last = Math.min(first + UNITS_IN_PIECE, count) - 1
    let seconds = 0
    for (let at = first; at <= last; at++) {
      giveUpTo(at)
      taken.push(Math.max(given[at] as number, taken[at - 1] ?? 0, gate))
      seconds += UNIT / rateAt(at * UNIT)
    }
    if (first > 0) waits += (taken[last] as number) - idle
    idle = (taken[last] as number) + seconds
  }
  return { seconds: idle, writerWaits: waits }
}
