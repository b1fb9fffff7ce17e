import { createHash } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { XXHash128 } from 'xxhash-addon'
import { CHUNKERS, type Chunker, cutRuleOf, meanChunkBytes } from '../../../../src/domain/survey/chunkers'
import { type NativeSurveyOptions, startNativeSurvey } from '../../../../src/engine/native/addon'
import { loadAddon } from '../../../../src/engine/native/loadAddon'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { DEFAULTS, put, takeAll, temporaryFolder } from '../../../support/surveyedFolder'

const WORD = (1n << 64n) - 1n
const WINDOW = 64
/** As native/src/core/hashing/gearHash.h and chunkCutter.h have them. */
const CANDIDATE_LIMIT = 1n << 53n
const SEGMENT_BYTES = 16_384

function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}

/** The sums of two halves' numbers by SplitMix64, as native/src/core/hashing/gearHash.h has them. */
function gearTable(): bigint[] {
  let state = 0x73746f77616765n
  const halves = Array.from({ length: 32 }, () => {
    state = (state + 0x9e3779b97f4a7c15n) & WORD
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & WORD
    return mixed ^ (mixed >> 31n)
  })
  return Array.from(
    { length: 256 },
    (_, byte) => ((halves[byte % 16] as bigint) + (halves[16 + (byte >> 4)] as bigint)) & WORD,
  )
}

/** The hash of each position of a content in which no pattern repeats itself within a window. */
function rolled(content: Uint8Array): BigUint64Array {
  const table = gearTable()
  let hash = 0n
  return BigUint64Array.from(content, (byte) => {
    hash = ((hash << 1n) + (table[byte] as bigint)) & WORD
    return hash
  })
}

/** What each candidate's hash becomes with the two segments before it; other positions stay as they are. */
function withSegments(content: Uint8Array, hashes: BigUint64Array): BigUint64Array {
  const long = hashes.slice()
  let before = 0n
  let start = 0
  for (const [index, hash] of hashes.entries()) {
    const isCandidate = hash < CANDIDATE_LIMIT
    if (!isCandidate && index + 1 - start < SEGMENT_BYTES) continue
    const segment = XXHash128.hash(Buffer.from(content.subarray(start, index + 1))).readBigUInt64BE(8)
    if (isCandidate) long[index] = (hash + segment + ((before << 1n) | (before >> 63n))) % CANDIDATE_LIMIT
    before = segment
    start = index + 1
  }
  return long
}

function countedByContent(contents: readonly Uint8Array[], chunkers: readonly Chunker[]) {
  const short = contents.map(rolled)
  const long = contents.map((content, index) => withSegments(content, short[index] as BigUint64Array))
  return chunkers.map((chunker) => {
    const rule = cutRuleOf(chunker)
    const hashes = { short, long }[chunker.window]
    const limits = [rule.oddsBefore, rule.oddsAfter].map((odds) => BigInt(Math.floor(2 ** 64 / odds)))
    const distinct = new Map<string, number>()
    let chunks = 0
    contents.forEach((content, index) => {
      let start = 0
      const close = (end: number) => {
        const chunk = content.subarray(start, end)
        distinct.set(createHash('sha256').update(chunk).digest('hex'), chunk.length)
        chunks += 1
        start = end
      }
      for (let end = 1; end <= content.length; end++) {
        const length = end - start
        if (length < rule.minBytes) continue
        const limit = limits[length < rule.normalBytes ? 0 : 1] as bigint
        if (length === rule.maxBytes || ((hashes[index] as BigUint64Array)[end - 1] as bigint) < limit)
          close(end)
      }
      if (start < content.length) close(content.length)
    })
    return {
      chunker: chunker.name,
      chunks,
      bytes: contents.reduce((sum, content) => sum + content.length, 0),
      uniqueChunks: distinct.size,
      uniqueBytes: [...distinct.values()].reduce((sum, bytes) => sum + bytes, 0),
      exact: true,
    }
  })
}

async function chunked(root: string, options: Partial<NativeSurveyOptions> = {}) {
  const survey = startNativeSurvey({ roots: [root], ...DEFAULTS, chunkers: CHUNKERS, ...options })
  await survey.finished
  takeAll(survey)
  return { chunks: survey.chunkLevels(), blocks: survey.blockLevels() }
}

describe('the chunks of a native survey', () => {
  test('are those of a slow count by content for every chunker, with any number of threads', async () => {
    const root = temporaryFolder()
    const base = noise(900_000, 1)
    const contents = [
      base,
      Buffer.concat([noise(WINDOW + 7, 2), base]),
      Buffer.concat([base.subarray(0, 400_000), noise(99, 3), base.subarray(400_000)]),
      noise(1_200_000, 4),
      ...[0, 1, 127, 2048, 2049, 65_536].map((bytes) => noise(bytes, bytes + 5)),
    ]
    contents.forEach((content, index) => put(root, `${index % 3}/${index}`, content))
    const expected = countedByContent(contents, CHUNKERS)
    for (const threads of [1, 2, 5]) {
      expect((await chunked(root, { threads })).chunks).toMatchObject(expected)
    }
  })

  test('have the mean length that the registry computes', async () => {
    const root = temporaryFolder()
    put(root, 'noise', noise(40_000_000, 6))
    const { chunks } = await chunked(root)
    CHUNKERS.forEach((chunker, index) => {
      const level = chunks[index] as (typeof chunks)[number]
      const mean = level.bytes / level.chunks
      // One chunk varies by its mean at most.
      expect(Math.abs(mean / meanChunkBytes(chunker) - 1)).toBeLessThan(4 / Math.sqrt(level.chunks))
    })
  })

  test('of holes are counted without reading them', async () => {
    const root = temporaryFolder()
    put(root, 'hole', noise(10, 7))
    truncateSync(join(root, 'hole'), 2 ** 40)
    for (const level of (await chunked(root)).chunks) {
      expect(level.bytes).toBe(2 ** 40)
      expect(level.uniqueChunks).toBeLessThanOrEqual(4)
    }
  })

  test('are estimated within their stated error once the tables are full, and alike with any threads', async () => {
    const root = temporaryFolder()
    for (let index = 0; index < 6; index++) put(root, `${index}`, noise(8_000_000, 10 + (index % 4)))
    const truth = (await chunked(root)).chunks
    const maxTableBytes = 256 << 10
    const { chunks } = await chunked(root, { maxTableBytes, threads: 1 })
    expect(truth.every((level) => level.exact)).toBe(true)
    expect(chunks.some((level) => !level.exact)).toBe(true)
    chunks.forEach((level, index) => {
      const exact = truth[index] as (typeof truth)[number]
      const error = Math.sqrt((1 - level.theta) * level.retained) / level.theta
      const errorBytes = Math.sqrt((1 - level.theta) * level.sumSquaredBytesRetained) / level.theta
      expect(level).toMatchObject({ chunks: exact.chunks, bytes: exact.bytes })
      expect(Math.abs(level.uniqueChunks - exact.uniqueChunks)).toBeLessThanOrEqual(3 * error + 0.5)
      expect(Math.abs(level.uniqueBytes - exact.uniqueBytes)).toBeLessThanOrEqual(3 * errorBytes + 0.5)
    })
    expect((await chunked(root, { maxTableBytes, threads: 4 })).chunks).toEqual(chunks)
  })

  test('leave the figures of blocks as they are, and are none unless asked for', async () => {
    const root = temporaryFolder()
    put(root, 'file', noise(3_000_000, 8))
    const without = await chunked(root, { chunkers: [] })
    expect(without.chunks).toEqual([])
    expect((await chunked(root)).blocks).toEqual(without.blocks)
  })

  test('are refused where the numbers cannot be cut by', () => {
    const start = (chunkers: Float64Array) =>
      loadAddon().startSurvey({
        roots: [],
        leaveOut: [],
        rules: null,
        countExcluded: false,
        walkOnly: false,
        listFirst: false,
        blocksFrom512: false,
        blockSizes: new Float64Array(),
        sha256: false,
        chunkers,
        anchors: false,
        sampleBytes: 0,
        maxTableBytes: 1 << 20,
        marks: false,
        fingerprints: null,
        known: null,
        threads: 1,
      })
    expect(() => start(Float64Array.of(2048, 8192))).toThrow(TypeError)
    expect(() => start(Float64Array.of(100, 8192, 65536, 8192, 8192, 0, 0, 0))).toThrow('out of range')
    expect(() => start(Float64Array.of(2048, 8192, 65536, 8192, 1024, 0, 0, 0))).toThrow('out of range')
    expect(() => start(Float64Array.of(2048, 8192, 65537, 8192, 8192, 0, 0, 0))).toThrow('out of range')
    expect(() => start(Float64Array.of(2048, 8192, 65536, 8192, 8192, 0, 0, 1))).toThrow('out of range')
    expect(() => start(Float64Array.of(2048, 8192, 65536, Number.NaN, 8192, 0, 0, 0))).toThrow('out of range')
  })
})
