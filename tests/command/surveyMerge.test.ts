import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { surveyMergeSchema } from '../../src/contract/dto/surveyMerge'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-merge-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Surveys a folder as another machine would, with a catalog of its own. */
async function surveyed(name: string, files: readonly Buffer[], ...args: string[]): Promise<string> {
  const source = join(folder, name)
  mkdirSync(source)
  for (const [index, content] of files.entries()) writeFileSync(join(source, `f${index}`), content)
  const sketch = join(folder, `${name}.sketch`)
  const end = await stowage(['survey', source, '--samples', 'none', '--sketch', sketch, ...args], {
    home: join(folder, `home of ${name}`),
  })
  expect(end.code, end.stderr).toBe(0)
  return sketch
}

describe('stowage survey merge', () => {
  const random = seededRandom(12)
  const noise = (bytes: number): Buffer => {
    const content = Buffer.alloc(bytes)
    random.fillBytes(content)
    return content
  }
  const home = (): string => join(folder, 'home')

  it('gives the same figures for two machines as one survey of both', async () => {
    const shared = [noise(300_000), noise(70_001)]
    const [a, b] = [noise(500_000), noise(200_000)]
    const one = await surveyed('one', [...shared, a])
    const two = await surveyed('two', [...shared, shared[0] as Buffer, b])
    await surveyed('both', [...shared, a, ...shared, shared[0] as Buffer, b])
    const whole = await stowage(['survey', join(folder, 'both'), '--samples', 'none', '--json'], {
      home: home(),
    })
    const end = await stowage(['survey', 'merge', one, two, '--json'], { home: home() })
    expect(end.code, end.stderr).toBe(0)
    const merge = surveyMergeSchema.parse(JSON.parse(end.stdout))
    const document = JSON.parse(whole.stdout)
    expect(merge.fixedBlocks).toEqual(document.fixedBlocks)
    expect(merge.chunked).toEqual(document.chunked)
    expect(merge.duplicateFiles).toMatchObject({ bytes: document.duplicateFiles.bytes, exact: true })
    expect(merge.totals).toEqual({ files: 7, bytes: document.totals.bytes })
    expect(merge.surveys[1]?.adds[0]).toMatchObject({ cut: 2048, addedBytes: 200_000, exact: true })
    expect((await stowage(['survey', 'merge', one, two], { home: home() })).stdout).toMatch(
      /together 7 files, 1\.74 MB/,
    )
  })

  it('says of each of five machines what it adds to those before, and the same of all as one survey', async () => {
    const shared = noise(200_000)
    const own = Array.from({ length: 5 }, (_, at) => noise(50_000 * (at + 1)))
    // Each has what the one before has, and all of them one file: more than eight names of it.
    const filesOf = (at: number): Buffer[] =>
      [shared, shared, own[at], own[at - 1]].flatMap((content) => content ?? [])
    const sketches = []
    for (const at of own.keys()) sketches.push(await surveyed(`m${at}`, filesOf(at)))
    await surveyed(
      'all',
      own.flatMap((_, at) => filesOf(at)),
    )
    const whole = await stowage(['survey', join(folder, 'all'), '--samples', 'none', '--json'], {
      home: home(),
    })
    const end = await stowage(['survey', 'merge', ...sketches, '--json'], { home: home() })
    const merge = surveyMergeSchema.parse(JSON.parse(end.stdout))
    const document = JSON.parse(whole.stdout)
    expect(merge.fixedBlocks).toEqual(document.fixedBlocks)
    expect(merge.chunked).toEqual(document.chunked)
    expect(merge.duplicateFiles).toMatchObject({ bytes: document.duplicateFiles.bytes, exact: true })
    const added = merge.surveys.map(({ adds }) => adds[0])
    expect(added.map((one) => one?.addedBytes)).toEqual(
      own.map(({ length }, at) => (at === 0 ? length + shared.length : length)),
    )
    expect(added.every((one) => one?.exact)).toBe(true)
  })

  it('refuses what does not fit in one clear line', async () => {
    const one = await surveyed('one', [noise(10_000)])
    const quick = await surveyed('quick', [noise(10_000)], '--quick')
    const alien = join(folder, 'alien')
    writeFileSync(alien, 'not a sketch')
    const answers = [
      [[one], /at least two/],
      [[one, one], /is given twice/],
      [[one, quick], /different block sizes or chunkers/],
      [[one, alien], /not a sketch file/],
      [[one, 's-unknown'], /cannot merge s-unknown: it is neither a survey/],
    ] as const
    for (const [inputs, line] of answers) {
      const end = await stowage(['survey', 'merge', ...inputs], { home: home() })
      expect(end.stderr).toMatch(line)
      expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(end.code).toBe(2)
    }
  })
})
