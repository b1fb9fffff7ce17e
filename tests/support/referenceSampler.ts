import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CodecSample, SampleSet } from '../../src/engine/survey/codecSamplesUnits'
import type { SeededRandom } from '../../src/primitives/seededRandom'

const UNIT = 1024 * 1024
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
 * What the addon's sampler does, in the plainest way: every unit of 1 MiB draws its priority, length over a random number;
 * those with the largest are kept as long as their bytes fit, and 1/tau is the priority of the first that does not.
 */
export function referenceSample(folder: string, sampleBytes: number, random: SeededRandom): SampleSet {
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
    return {
      rootIndex: 0,
      path: Buffer.from(relative(folder, path)),
      fileBytes: bytes,
      offset,
      history: readRange(path, offset - before, before),
      data: readRange(path, offset, length),
    }
  })
  const next = units[kept]
  return { tau: next ? 1 / next.priority : null, samples }
}
