import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, type RunOutcome, temporaryFolder } from '../support/archiveRun'
import { asPlannedForXorriso, masterByXorriso } from '../support/xorrisoPlan'

const folder = temporaryFolder('verify')
const source = join(folder.path, 'source')
const exported = join(folder.path, 'plan')
const image = join(exported, 'images', '01.iso')
const good = join(folder.path, 'good.iso')
/** A plan of the same files, with images of Stowage's own. */
const own = join(folder.path, 'own plan')
let bench: Bench
let plan: PlanDocument

beforeAll(async () => {
  mkdirSync(join(source, 'folder'), { recursive: true })
  const random = seededRandom(3)
  for (const name of ['a', 'folder/b', 'folder/c']) {
    const content = new Uint8Array(50_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  bench = openBench(join(folder.path, 'data'))
  const surveyId = await bench.survey([source], { sha256: true })
  plan = await bench.plan(surveyId, 'custom:3MB')
  await bench.export(plan.id, exported)
  // Images without UDF, which xorriso can make wrong.
  await asPlannedForXorriso(exported, [1])
  await bench.export((await bench.plan(surveyId, 'custom:3MB')).id, own)
  expect((await bench.build(own)).error).toBeNull()
  copyFileSync(image, good)
})
beforeEach(() => copyFileSync(good, image))
afterAll(() => {
  bench.close()
  folder.dispose()
})

const messages = ({ run }: RunOutcome): string[] =>
  run.volumes.flatMap(({ errors }) => errors.map(({ message }) => message))

function flipByteOf(path: string, marker: Buffer, offset = 0): void {
  const at = readFileSync(path).indexOf(marker)
  expect(at).toBeGreaterThan(0)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from([(marker[offset] ?? 0) ^ 1]), 0, 1, at + offset)
  closeSync(file)
}

/** Puts another image into the plan's place, which xorriso makes of a changed volume. */
function masterWith(change: {
  readonly label?: string
  readonly entries?: (entries: readonly PlanEntry[]) => readonly Pick<PlanEntry, 'path' | 'source'>[]
}): void {
  const entries = [...bench.catalog.planEntries(plan.id, 1)]
  masterByXorriso(exported, 1, {
    label: change.label ?? plan.volumes[0]?.label ?? '',
    entries: change.entries?.(entries) ?? entries,
  })
}

describe('verification', () => {
  test('passes on the image as it was built', async () => {
    const outcome = await bench.verify(exported)
    expect(messages(outcome)).toEqual([])
    expect(outcome.error).toBeNull()
  })

  test('names the file in which one byte was flipped, and ends with its own exit code', async () => {
    flipByteOf(image, readFileSync(join(source, 'folder/b')).subarray(20_000, 20_064))
    const outcome = await bench.verify(exported)
    expect(messages(outcome)).toEqual([
      `verification of ${plan.volumes[0]?.label} failed: folder/b: its content differs (SHA-256)`,
    ])
    expect(outcome.error?.code).toBe('verification-failed')
    expect(exitCodeOf(outcome.error?.code ?? 'internal')).toBe(6)
    expect(outcome.run).toMatchObject({ kind: 'verify', outcome: 'failed', volumes: [{ state: 'failed' }] })
  })

  test('notices a byte flipped in a name', async () => {
    flipByteOf(image, Buffer.from('NM\u000b\u0001\0folder'), 5)
    const outcome = await bench.verify(exported)
    expect(outcome.error?.code).toBe('verification-failed')
    expect(messages(outcome).join('\n')).toMatch(/folder\/b: it is missing/)
  })

  test.each([
    ['in the middle of a file', 200 * 2048],
    ['in the padding at its end', -1],
    ['in its directories', 20 * 2048 + 100],
    ['before its descriptors', 1000],
  ])('notices an image cut short %s', async (_, bytes) => {
    truncateSync(image, bytes < 0 ? readFileSync(image).length + bytes : bytes)
    const outcome = await bench.verify(exported)
    expect(outcome.error?.code).toBe('verification-failed')
    expect(messages(outcome)[0]).toMatch(/the image has \d+ bytes instead of \d+/)
  })

  test('notices an image of our own that is cut short anywhere', async () => {
    const cut = join(own, 'images/01.iso')
    const content = readFileSync(cut)
    const whole = content.length
    for (const bytes of [whole - 1, 350 * 2048, 280 * 2048 + 100, 20 * 2048, 1000, 0]) {
      truncateSync(cut, bytes)
      const outcome = await bench.verify(own)
      expect(outcome.error?.code, `${bytes} bytes`).toBe('verification-failed')
      expect(messages(outcome)[0]).toMatch(/the image has \d+ bytes instead of \d+/)
    }
    writeFileSync(cut, content)
  })

  test('notices bytes behind its end', async () => {
    appendFileSync(image, new Uint8Array(2048))
    expect(messages(await bench.verify(exported))[0]).toMatch(/bytes instead of/)
  })

  test('names a file that is missing', async () => {
    masterWith({ entries: (entries) => entries.filter(({ path }) => path !== 'folder/c') })
    expect(messages(await bench.verify(exported)).join('\n')).toContain('folder/c: it is missing')
  })

  test('names a file too many', async () => {
    const more = { path: 'folder/d', source: join(source, 'folder/c') }
    masterWith({ entries: (entries) => [...entries, more] })
    expect(messages(await bench.verify(exported)).join('\n')).toContain('folder/d: it is not in the plan')
  })

  test('names both files whose names were swapped', async () => {
    const swapped: Readonly<Record<string, string>> = { 'folder/b': 'folder/c', 'folder/c': 'folder/b' }
    masterWith({
      entries: (entries) =>
        entries.map(({ path, source: from }) => ({ path: swapped[path] ?? path, source: from })),
    })
    const found = messages(await bench.verify(exported)).join('\n')
    expect(found).toContain('folder/b: its content differs')
    expect(found).toContain('folder/c: its content differs')
  })

  test('notices a volume with another label', async () => {
    masterWith({ label: 'OTHER' })
    expect(messages(await bench.verify(exported)).join('\n')).toContain('the image is labelled "OTHER"')
  })

  test('says which image is not there', async () => {
    rmSync(image)
    const { error } = await bench.verify(exported)
    expect(error).toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(
        /^cannot verify \w+: it is not built yet \(no images\/01\.iso\)$/,
      ) as string,
    })
  })

  describe.each(['verify', 'build'] as const)('of the lists by %s', { tags: 'long' }, (kind) => {
    const shortened = (text: string): string => text.slice(0, text.slice(0, -1).lastIndexOf('\n') + 1)

    test.each([
      ['entries.jsonl'],
      ['SHA256SUMS'],
      ['payload/STOWAGE/SHA256SUMS'],
      ['payload/STOWAGE/INDEX.tsv'],
      ['payload/STOWAGE/README.txt'],
    ])('names %s when lines of it are missing or it is gone', async (name) => {
      const list = join(own, 'volumes/01', name)
      const text = readFileSync(list, 'utf8')
      renameSync(list, `${own}.list`)
      try {
        writeFileSync(list, shortened(text))
        const { error } = await bench[kind](own, { force: true })
        expect(error).toMatchObject({ code: 'verification-failed', path: list })
        expect(exitCodeOf(error?.code ?? 'internal')).toBe(6)
        rmSync(list)
        expect((await bench[kind](own, { force: true })).error).not.toBeNull()
      } finally {
        renameSync(`${own}.list`, list)
      }
      expect((await bench.verify(own)).error).toBeNull()
    })

    test('names an extra file next to the planned files', async () => {
      const added = join(own, 'volumes/01/payload/STOWAGE/other')
      writeFileSync(added, '')
      try {
        expect((await bench[kind](own, { force: true })).error).toMatchObject({
          code: 'verification-failed',
          path: added,
        })
      } finally {
        rmSync(added)
      }
    })

    test('is not possible for a plan of an older version, and the run notes that', async () => {
      const file = join(own, 'plan.json')
      const text = readFileSync(file, 'utf8')
      const { lists, ...old } = JSON.parse(text) as PlanDocument
      expect(lists?.length).toBeGreaterThan(5)
      writeFileSync(file, JSON.stringify(old))
      try {
        const { run, error } = await bench[kind](own)
        expect(error).toBeNull()
        expect(run.notes?.join()).toContain('cannot be checked')
      } finally {
        writeFileSync(file, text)
      }
      expect((await bench[kind](own)).run.notes).toBeUndefined()
    })
  })

  test('refuses a plan whose entry list leads out of the volume', async () => {
    const list = join(exported, 'volumes/01/entries.jsonl')
    const text = readFileSync(list, 'utf8')
    renameSync(list, `${list}.good`)
    try {
      writeFileSync(list, text.replace('"path":"folder/b"', '"path":"../b"'))
      expect((await bench.verify(exported)).error?.code).toBe('bad-input')
    } finally {
      renameSync(`${list}.good`, list)
    }
  })
})
