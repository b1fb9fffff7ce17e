import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { DedupTotals } from '../../src/engine/forecast/codecs/codecSamplesTogether'
import type { CodecSample, SampleSet } from '../../src/engine/forecast/codecs/codecSamplesUnits'
import type { SeededRandom } from '../../src/primitives/seededRandom'

const UNIT = 256 * 1024
const HISTORY = 32 * 1024

/** All regular files of a folder with their sizes, in the order of their names. */
export function filesOf(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const found = lstatSync(path)
      return found.isFile() ? [{ path, bytes: found.size }] : []
    })
}

/** `length` bytes from `offset` of a file. */
export function readRange(path: string, offset: number, length: number): Buffer {
  const target = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    let done = 0
    while (done < length) {
      const read = readSync(file, target, done, length - done, offset + done)
      if (read === 0) break
      done += read
    }
    return target.subarray(0, done)
  } finally {
    closeSync(file)
  }
}

/**
 * What the addon's sampler does, in the plainest way: every unit of 256 KiB draws its priority, length over a random number;
 * those with the largest are kept as long as their bytes fit, and 1/tau is the priority of the first that does not.
 */
export function referenceSample(
  folder: string,
  sampleBytes: number,
  random: SeededRandom,
  repeats?: RepeatedBlocks,
): SampleSet {
  const units = filesOf(folder).flatMap(({ path, bytes }) =>
    Array.from({ length: Math.ceil(bytes / UNIT) }, (_, index) => {
      const offset = index * UNIT
      const length = Math.min(UNIT, bytes - offset)
      return { path, bytes, offset, length, priority: length / (1 - random.unit()) }
    }),
  )
  units.sort((a, b) => b.priority - a.priority)
  let kept = 0
  let room = sampleBytes
  while (kept < units.length && (units[kept] as { length: number }).length <= room) {
    room -= (units[kept] as { length: number }).length
    kept++
  }
  const samples = units.slice(0, kept).map(({ path, bytes, offset, length }): CodecSample => {
    const before = Math.min(offset, HISTORY)
    const sample = {
      rootIndex: 0,
      path: Buffer.from(relative(folder, path)),
      fileBytes: bytes,
      offset,
      history: readRange(path, offset - before, before),
      data: readRange(path, offset, length),
    }
    return repeats ? Object.assign(sample, { copies: repeats.copiesOf(path, bytes, offset, length) }) : sample
  })
  const next = units[kept]
  return { tau: next ? 1 / next.priority : null, samples }
}

interface Counted {
  copies: number
  readonly bytes: number
  readonly isZero: boolean
}

/** Every block of 4 KiB to 1 MiB of a folder's files, counted by content: what the addon's tables know. */
export class RepeatedBlocks {
  readonly #levels = [4, 8, 16, 32, 64, 128, 256, 512, 1024].map((size) => size * 1024)
  readonly #counts = new Map<number, Map<string, Counted>>()
  readonly #keys = new Map<string, Map<number, string[]>>()
  readonly #digests = new Map<string, number>()
  readonly #distinctSizes: number[] = []
  bytes = 0
  files = 0
  duplicateFiles = 0
  duplicateBytes = 0

  constructor(folder: string) {
    for (const { path } of filesOf(folder)) this.#add(path)
  }

  #add(path: string): void {
    const data = readFileSync(path)
    this.files++
    this.bytes += data.length
    const keys = new Map<number, string[]>()
    this.#keys.set(path, keys)
    for (const size of this.#levels) {
      const counts = this.#counts.get(size) ?? new Map<string, Counted>()
      this.#counts.set(size, counts)
      const own: string[] = []
      keys.set(size, own)
      for (let at = 0; at < data.length; at += size) {
        const block = data.subarray(at, at + size)
        const key = createHash('sha1').update(block).digest('base64')
        own.push(key)
        const count = counts.get(key)
        if (count) count.copies++
        else counts.set(key, { copies: 1, bytes: block.length, isZero: block.every((byte) => byte === 0) })
      }
    }
    if (data.length === 0) return
    const digest = createHash('sha1').update(data).digest('base64')
    const seen = this.#digests.get(digest) ?? 0
    this.#digests.set(digest, seen + 1)
    if (seen === 0) {
      this.#distinctSizes.push(data.length)
      return
    }
    this.duplicateFiles++
    this.duplicateBytes += data.length
  }

  copiesOf(path: string, fileBytes: number, offset: number, length: number): Map<number, Uint32Array> {
    return new Map(
      this.#levels.map((size) => {
        if (size > UNIT && fileBytes > UNIT) return [size, new Uint32Array()]
        const counts = this.#counts.get(size)
        const own = this.#keys.get(path)?.get(size) ?? []
        const keys = own.slice(offset / size, Math.ceil((offset + length) / size))
        return [size, Uint32Array.from(keys, (key) => counts?.get(key)?.copies ?? 0)]
      }),
    )
  }

  totals(): DedupTotals {
    const blocks = [...this.#counts].map(([blockSize, counts]) => {
      let uniqueBytes = 0
      let zeroBytes = 0
      for (const { bytes, copies, isZero } of counts.values()) {
        uniqueBytes += bytes
        if (isZero) zeroBytes += bytes * copies
      }
      return {
        blockSize,
        uniqueBlocks: counts.size,
        uniqueBytes,
        low: uniqueBytes,
        high: uniqueBytes,
        zeroBytes,
      }
    })
    const duplicates = { files: this.duplicateFiles, bytes: this.duplicateBytes }
    const distinctBelow = (below: number): { count: number } => ({
      count: this.#distinctSizes.filter((size) => size < below).length,
    })
    return { bytes: this.bytes, files: this.files, blocks, duplicates, distinctBelow }
  }
}
