import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type NativeSurveyOptions, startNativeSurvey } from '../../../../src/engine/native/addon'
import { pathFromBytes } from '../../../../src/primitives/pathText'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { DEFAULTS, put, takeAll, temporaryFolder } from '../../../support/surveyedFolder'

const MEBIBYTE = 1 << 20
const UNIT = 256 * 1024

function noise(bytes: number, seed: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}

async function sampled(root: string, options: Partial<NativeSurveyOptions>) {
  const survey = startNativeSurvey({ roots: [root], ...DEFAULTS, ...options })
  await survey.finished
  takeAll(survey)
  return survey.takeSamples()
}

describe('the samples of a native survey', () => {
  test('are whole units with the preceding data, all of them while they fit', async () => {
    const root = temporaryFolder()
    const contents: Record<string, Uint8Array> = {
      'a/long': noise(2 * MEBIBYTE + 10, 1),
      'a/short': noise(1000, 2),
      empty: new Uint8Array(),
    }
    for (const [name, content] of Object.entries(contents)) put(root, name, content)
    const { tau, samples } = await sampled(root, { sampleBytes: 16 * MEBIBYTE })
    expect(tau).toBeNull()
    const places = samples.map((sample) => `${pathFromBytes(sample.path)} ${sample.offset}`)
    const long = Array.from({ length: 9 }, (_, index) => `a/long ${index * UNIT}`)
    expect(places.toSorted()).toEqual([...long, 'a/short 0'].toSorted())
    for (const sample of samples) {
      const content = Buffer.from(contents[pathFromBytes(sample.path)] as Uint8Array)
      expect(sample).toMatchObject({ rootIndex: 0, fileBytes: content.length })
      expect(sample.data.equals(content.subarray(sample.offset, sample.offset + UNIT))).toBe(true)
      const before = content.subarray(Math.max(0, sample.offset - 32_768), sample.offset)
      expect(sample.history.equals(before)).toBe(true)
    }
  })

  test('stay within their bytes, are the same with any threads, and estimate the whole', async () => {
    const root = temporaryFolder()
    let bytes = 0
    for (let index = 0; index < 400; index++) {
      const content = noise(1 + ((index * 7919) % 60_000), index)
      bytes += content.length
      put(root, `${index % 8}/${index}`, content)
    }
    const first = await sampled(root, { sampleBytes: 4 * MEBIBYTE, threads: 1 })
    const tau = first.tau as number
    const kept = first.samples.reduce((sum, sample) => sum + sample.data.length, 0)
    expect(kept).toBeLessThanOrEqual(4 * MEBIBYTE)
    const estimate = first.samples.reduce(
      (sum, { data }) => sum + data.length / Math.min(1, data.length * tau),
      0,
    )
    expect(Math.abs(estimate / bytes - 1)).toBeLessThan(0.15)
    expect(await sampled(root, { sampleBytes: 4 * MEBIBYTE, threads: 4 })).toEqual(first)
  })

  test('include how often each of their blocks occurs in the source, as far as the tables know', async () => {
    const root = temporaryFolder()
    const twin = noise(3 * MEBIBYTE, 1)
    const contents = [twin, twin, twin.subarray(0, 70_001), noise(5000, 2), new Uint8Array(50_000)]
    contents.forEach((content, index) => put(root, `${index}`, content))
    const counted = (blockSize: number) => {
      const counts = new Map<string, number>()
      for (const content of contents) {
        for (let at = 0; at < content.length; at += blockSize) {
          const key = identity(content.subarray(at, at + blockSize))
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
      return counts
    }
    const full = await sampled(root, { sampleBytes: 16 * MEBIBYTE })
    const scarce = await sampled(root, { sampleBytes: 16 * MEBIBYTE, maxTableBytes: 20_000 })
    let unknown = 0
    for (const blockSize of [2048, 65_536, MEBIBYTE]) {
      const counts = counted(blockSize)
      for (const [index, { data, copies, fileBytes }] of full.samples.entries()) {
        expect([...copies.keys()]).toEqual(Array.from({ length: 10 }, (_, level) => 2048 << level))
        if (blockSize > UNIT && fileBytes > UNIT) {
          expect(copies.get(blockSize)).toHaveLength(0)
          continue
        }
        const known = scarce.samples[index]?.copies.get(blockSize) as Uint32Array
        for (const [block, count] of (copies.get(blockSize) as Uint32Array).entries()) {
          const content = data.subarray(block * blockSize, (block + 1) * blockSize)
          expect(count).toBe(counts.get(identity(content)))
          expect([0, count]).toContain(known[block])
          if (known[block] === 0) unknown += 1
        }
      }
    }
    expect(unknown).toBeGreaterThan(100)
  })

  test('are none unless asked for', async () => {
    const root = temporaryFolder()
    put(root, 'file', 'content')
    expect((await sampled(root, {})).samples).toEqual([])
  })
})

function identity(block: Uint8Array): string {
  return createHash('sha256').update(block).digest('hex')
}
