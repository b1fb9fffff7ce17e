import { describe, expect, it } from 'vitest'
import { chunkFigures, type DrawCounts } from '../../../../src/domain/survey/chunkFigures'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

/** The claim was held against 200 sources with STOWAGE_TRIALS=200; fewer keep the test quick. */
const TRIALS = Number(process.env['STOWAGE_TRIALS'] ?? 48)
const DRAWS = 8
const LEAST = 1024
const MOST = 16_384
/** One position in 2048 is a boundary, one in 32 a candidate that a draw may choose. */
const CANDIDATES = 2 ** 32 / 32
const LIMIT = 2 ** 32 / 2048

/** A content and some copies of it with insertions, deletions and bytes written over. */
function nearDuplicates(random: SeededRandom, bytes: number, copies: number, edits: number): Uint8Array[] {
  const base = new Uint8Array(bytes)
  random.fillBytes(base)
  const files = [base]
  for (let copy = 0; copy < copies; copy++) {
    let file = Buffer.from(files[random.below(files.length)] as Uint8Array)
    for (let edit = 0; edit < edits; edit++) {
      const at = random.below(file.length)
      const added = new Uint8Array(random.below(60))
      random.fillBytes(added)
      file = Buffer.concat([file.subarray(0, at), added, file.subarray(at + random.below(60))])
    }
    files.push(file)
  }
  return files
}

interface Candidate {
  readonly end: number
  readonly hash: number
}

/** Positions of a file whose 32-bit gear hash is small, by a table of its own seed. */
function candidatesOf(file: Uint8Array, table: Int32Array): Candidate[] {
  const found: Candidate[] = []
  let hash = 0
  for (let at = 0; at < file.length; at++) {
    hash = ((hash << 1) + (table[file[at] as number] as number)) | 0
    if (hash >>> 0 < CANDIDATES) found.push({ end: at + 1, hash: hash >>> 0 })
  }
  return found
}

function gearTable(seed: number): Int32Array {
  const random = seededRandom(seed)
  return Int32Array.from({ length: 256 }, () => random.below(2 ** 32) | 0)
}

/** What one draw (candidates chosen by a multiplier) makes of all files. */
function counted(files: readonly Uint8Array[], candidates: readonly Candidate[][], draw: number): DrawCounts {
  const chunks = new Map<string, number>()
  let count = 0
  let bytes = 0
  files.forEach((file, index) => {
    let start = 0
    const close = (from: number, end: number): number => {
      const key = Buffer.from(file.buffer, file.byteOffset + from, end - from).toString('latin1')
      chunks.set(key, end - from)
      count++
      bytes += end - from
      return end
    }
    for (const { end, hash } of candidates[index] as Candidate[]) {
      while (end - start > MOST) start = close(start, start + MOST)
      const drawn = (Math.imul(hash, draw) >>> 0) % CANDIDATES
      if (end - start >= LEAST && drawn < LIMIT) start = close(start, end)
    }
    while (file.length - start > MOST) start = close(start, start + MOST)
    if (start < file.length) close(start, file.length)
  })
  let sum = 0
  let squares = 0
  for (const size of chunks.values()) {
    sum += size
    squares += size * size
  }
  return {
    chunks: count,
    bytes,
    exact: true,
    theta: 1,
    retained: chunks.size,
    sumBytesRetained: sum,
    sumSquaredBytesRetained: squares,
  }
}

describe('the range of a chunker', () => {
  for (const [name, bytes, copies, edits] of [
    ['a few large files with many edits', 60_000, 4, 12],
    ['versions with few edits', 40_000, 6, 2],
  ] as const) {
    it(`holds what other boundaries keep in 95 of 100 sources, ${name}`, () => {
      let held = 0
      const halves: number[] = []
      const errors: number[] = []
      for (let trial = 0; trial < TRIALS; trial++) {
        const random = seededRandom(7000 + trial)
        const files = nearDuplicates(random, bytes, copies, edits)
        const own = files.map((file) => candidatesOf(file, gearTable(1)))
        const [first, ...otherDraws] = Array.from({ length: DRAWS }, (_, draw) =>
          counted(files, own, draw === 0 ? 1 : random.below(2 ** 31) * 2 + 1),
        ) as [DrawCounts, ...DrawCounts[]]
        const { uniqueBytes, low, high } = chunkFigures({ chunker: 'any', ...first, otherDraws }, 0)
        const secret = gearTable(9000 + trial)
        const truth = counted(
          files,
          files.map((file) => candidatesOf(file, secret)),
          1,
        ).sumBytesRetained
        if (low <= truth && truth <= high) held++
        halves.push((high - low) / 2 / first.bytes)
        errors.push((uniqueBytes - truth) / first.bytes)
      }
      const half = halves.toSorted((a, b) => a - b)[TRIALS >> 1] as number
      const bias = errors.reduce((sum, error) => sum + error, 0) / TRIALS
      const luck = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / TRIALS)
      console.log(`${name}: ${JSON.stringify({ held: held / TRIALS, half, bias, luck })}`)
      // Of 48 fixed sources at most 4 may miss: a weaker claim than that of the 200, which is the one that counts.
      expect(held / TRIALS).toBeGreaterThanOrEqual(TRIALS >= 200 ? 0.95 : 0.9)
      // No wider than three times what one draw and the mean of eight really differ by.
      expect(half).toBeLessThan(3 * luck)
      expect(Math.abs(bias)).toBeLessThan(TRIALS >= 200 ? luck / 4 : luck / 2)
    })
  }
})
