import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('large-packed')
const MEDIUM = 'custom:1930KB'
const random = seededRandom(13)
let bench: Bench

beforeAll(() => {
  bench = openBench(join(folder.path, 'data'))
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

function noise(bytes: number): Uint8Array {
  const content = new Uint8Array(bytes)
  random.fillBytes(content)
  return content
}

function lines(count: number): string {
  return Array.from({ length: count }, () => `line ${random.below(1000)} of a text\n`).join('')
}

/** A source and its survey. */
async function surveyOf(name: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  const source = join(folder.path, name)
  mkdirSync(source)
  for (const [path, content] of Object.entries(files)) writeFileSync(join(source, path), content)
  // A further name that comes first
  if (files['video.mov']) linkSync(join(source, 'video.mov'), join(source, 'a video'))
  return bench.survey([source], { samples: 'fast' })
}

test('a file that no archive of one volume can hold is refused before anything is packed', {
  tags: 'long',
}, async () => {
  // The ratio of the whole source would let it fit.
  const texts = Array.from({ length: 10 }, (_, at) => [`text ${at}`, lines(30_000)] as const)
  const survey = await surveyOf('noise', { ...Object.fromEntries(texts), 'video.mov': noise(2_500_000) })
  for (const recipe of ['7z-files', 'tar-zst-19-1m-path', 'squashfs-zstd-3-1m', 'squashfs-lz4-128k']) {
    await expect(bench.plan(survey, MEDIUM, { recipe }), recipe).rejects.toMatchObject({
      code: 'cannot-fit',
      message: expect.stringMatching(/video(\.mov)?: even packed it may be larger than a volume; .*--joined/),
    })
    const joined = await bench.plan(survey, MEDIUM, { recipe, joined: true })
    expect(joined.packing?.arrangement).toBe('joined')
  }
  // Containers of one file or title are cut like plain files.
  for (const recipe of ['files-zstd-3', '7z-titles'])
    expect(await bench.plan(survey, MEDIUM, { recipe }), recipe).toMatchObject({ packing: { recipe } })
})

test('a large file that compresses well is packed though the others do not', { tags: 'long' }, async () => {
  const others = Array.from({ length: 6 }, (_, at) => [`noise ${at}`, noise(1_000_000)] as const)
  const survey = await surveyOf('text', { ...Object.fromEntries(others), 'log.txt': lines(150_000) })
  const plan = await bench.plan(survey, MEDIUM, { recipe: 'squashfs-zstd-3-1m' })
  const directory = join(folder.path, 'plan of text')
  await bench.export(plan.id, directory)
  expect((await bench.build(directory)).error).toBeNull()
  expect((await bench.verify(directory)).error).toBeNull()
  expect(readFileSync(join(directory, 'packed', 'members.jsonl'), 'utf8')).toContain('"log.txt"')
})
