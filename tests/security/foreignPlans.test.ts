import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/primitives/appError'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

let folder: ReturnType<typeof temporaryFolder>
let bench: Bench
let victim: string

const exportFor = async (mediumId: string): Promise<string> => {
  const source = join(folder.path, 'source')
  mkdirSync(join(source, 'sub'), { recursive: true })
  writeFileSync(join(source, 'sub', 'a'), 'content')
  symlinkSync('sub', join(source, 'link'))
  const plan = await bench.plan(await bench.survey([source]), mediumId)
  const exported = join(folder.path, 'plan')
  await bench.export(plan.id, exported)
  return exported
}

beforeEach(() => {
  folder = temporaryFolder('foreign')
  victim = join(folder.path, 'victim')
  mkdirSync(victim)
  bench = openBench(join(folder.path, 'data'))
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

/** Builds a plan whose files somebody else has changed, and gives the code of the refusal. */
const refusal = async (exported: string): Promise<string> => {
  const failure = await bench.build(exported).then(
    ({ error }) => error,
    (thrown: unknown) => AppError.from(thrown),
  )
  expect(readdirSync(victim)).toEqual([])
  return failure?.code ?? 'none'
}

describe("a plan's folder that somebody else has changed", () => {
  test.each([
    ['leads out of the volume', '"path":"sub/a"', '"path":"../victim/a"'],
    ['begins at the root', '"path":"sub/a"', '"path":"/tmp/a"'],
    ['lies below a link', '"path":"sub/a"', '"path":"link/a"'],
    ['lies deep below a link', '"path":"sub/a"', '"path":"link/x/y/a"'],
    ['occurs twice', '"path":"sub/a"', '"path":"link"'],
    ['has a zero byte', '"path":"sub/a"', String.raw`"path":"sub\u0000a"`],
  ])('cannot be copied into folders when a path %s', async (_, from, to) => {
    const exported = await exportFor('folder:10MB')
    const list = join(exported, 'volumes/01/entries.jsonl')
    const text = readFileSync(list, 'utf8').replace('"target":"sub"', `"target":${JSON.stringify(victim)}`)
    expect(text).toContain(from)
    writeFileSync(list, text.replace(from, to))
    expect(await refusal(exported)).toBe('bad-input')
    expect(existsSync(join(exported, 'folders', '01'))).toBe(false)
  })

  const whateverIsSpoilt = (rounds: number) => async () => {
    const exported = await exportFor('folder:10MB')
    const random = seededRandom(8)
    const outcomes = new Set<string>()
    for (const name of ['plan.json', 'volumes/01/entries.jsonl']) {
      const file = join(exported, name)
      const good = readFileSync(file)
      for (let round = 0; round < rounds; round++) {
        const spoilt = Buffer.from(good)
        for (let flip = 0; flip <= random.below(3); flip++)
          spoilt[random.below(spoilt.length)] = random.below(256)
        writeFileSync(
          file,
          spoilt.subarray(0, random.below(3) === 0 ? random.below(spoilt.length) : spoilt.length),
        )
        const code = await refusal(exported)
        expect(code).not.toBe('internal')
        outcomes.add(code)
      }
      writeFileSync(file, good)
    }
    expect(outcomes).toContain('bad-input')
  }

  const spoilt = 'is used or refused in plain words whatever was spoilt in it'
  test(spoilt, whateverIsSpoilt(40))
  test(`${spoilt}, 300 times`, { tags: 'long' }, whateverIsSpoilt(150))
})
