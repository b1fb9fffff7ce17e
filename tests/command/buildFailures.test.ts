import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { exitCodeOf } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { memoryDisk } from '../support/memoryDisk'

let folder: ReturnType<typeof temporaryFolder>
let source: string
let exported: string
let bench: Bench
let plan: PlanDocument

/** Six files of 1 MB for volumes of 3 MB: two on each of three volumes. */
beforeEach(async () => {
  folder = temporaryFolder('failures')
  source = join(folder.path, 'source')
  exported = join(folder.path, 'plan')
  mkdirSync(source)
  const random = seededRandom(11)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const content = new Uint8Array(1_000_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
    // Whole milliseconds, which Node can set again.
    utimesSync(join(source, name), 1_700_000_000, 1_700_000_000)
  }
  bench = openBench(join(folder.path, 'data'))
  plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
  await bench.export(plan.id, exported)
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

const images = (): string[] =>
  existsSync(join(exported, 'images')) ? readdirSync(join(exported, 'images')) : []
const volumeOf = (name: string): number =>
  plan.volumes.find(({ index }) =>
    [...bench.catalog.planEntries(plan.id, index)].some((entry) => entry.path === name),
  )?.index ?? 0

describe('a build', () => {
  test('names a source that vanished, and still builds the volumes that do not need it', async () => {
    rmSync(join(source, 'c'))
    const { run, error } = await bench.build(exported)
    expect(error).toMatchObject({
      code: 'vanished',
      message: `cannot use ${source}/c: it no longer exists`,
    })
    const states = run.volumes.map(({ index, state }) => [index, state])
    expect(states).toEqual(
      plan.volumes.map(({ index }) => [index, index === volumeOf('c') ? 'failed' : 'done']),
    )
    expect(images()).toHaveLength(plan.volumes.length - 1)
  })

  test('names a source that has another size', async () => {
    writeFileSync(join(source, 'd'), 'short')
    const { error } = await bench.build(exported, { volumes: [volumeOf('d')] })
    expect(error?.code).toBe('changed')
    expect(error?.message).toBe(`cannot use ${source}/d: it has 5 bytes, and had 1000000 when it was planned`)
    expect(images()).toEqual([])
  })

  describe('of folders', () => {
    const onceCopied = (work: () => void) => {
      let isDone = false
      return ({ bytesDone }: { bytesDone: number }) => {
        if (isDone || bytesDone < 6_000_000) return
        isDone = true
        work()
      }
    }
    const folders = (): string[] =>
      existsSync(join(exported, 'folders')) ? readdirSync(join(exported, 'folders')) : []

    beforeEach(async () => {
      rmSync(exported, { recursive: true })
      plan = await bench.plan(await bench.survey([source]), 'folder:20MB')
      await bench.export(plan.id, exported)
    })

    test('notices a source that was touched after it was copied, and keeps no folder', async () => {
      const onProgress = onceCopied(() => utimesSync(join(source, 'a'), 1, 1))
      const { error } = await bench.build(exported, { onProgress })
      expect(error).toMatchObject({ code: 'changed', path: join(source, 'a') })
      expect(folders()).toEqual([])
    })

    test('keeps what somebody puts into the old folder meanwhile', async () => {
      await bench.build(exported)
      const mine = join(exported, 'folders', folders()[0] ?? '', 'mine')
      const onProgress = onceCopied(() => writeFileSync(mine, 'mine'))
      const { error } = await bench.build(exported, { force: true, onProgress })
      expect(error?.code).toBe('refused')
      expect(readFileSync(mine, 'utf8')).toBe('mine')
    })
  })

  test.each([
    ['other bytes and another time', false, 'it was modified after it was planned'],
    ['other bytes and its old time', true, 'its content differs from the plan'],
  ])('names a source of the same size with %s', async (_, keepsTime, because) => {
    const file = join(source, 'e')
    const { atime, mtime } = statSync(file)
    writeFileSync(file, Buffer.alloc(1_000_000, 1))
    // A whole millisecond, so that the time of the file is really the one planned.
    utimesSync(file, atime, keepsTime ? mtime : new Date(mtime.getTime() + 1000))
    const { run, error } = await bench.build(exported)
    expect(error).toMatchObject({ code: 'changed', message: `cannot use ${file}: ${because}` })
    expect(exitCodeOf('changed')).toBe(7)
    expect(run.outcome).toBe('failed')
    expect(run.volumes.map(({ index, state }) => [index, state])).toEqual(
      plan.volumes.map(({ index }) => [index, index === volumeOf('e') ? 'failed' : 'done']),
    )
    expect(images()).toHaveLength(plan.volumes.length - 1)
  })

  const OTHER_BYTES = 'into folders names a %s source of the same size and time with other bytes'
  test.each([
    ['short', 1_000_000],
    ['split', 90_000_000],
  ])(OTHER_BYTES, expectNamed)
  test.each([
    ['longer than a mebibyte', 1_500_000],
    ['longer than is copied at once', 70_000_000],
  ])(OTHER_BYTES, { tags: 'long' }, expectNamed)

  async function expectNamed(_: string, bytes: number): Promise<void> {
    const file = join(source, 'g')
    writeFileSync(file, Buffer.alloc(bytes))
    utimesSync(file, 1_600_000_000, 1_600_000_000)
    const folders = await bench.plan(await bench.survey([source]), 'folder:80MB')
    const other = join(folder.path, 'folders')
    await bench.export(folders.id, other)
    writeFileSync(file, Buffer.alloc(bytes, 1))
    utimesSync(file, 1_600_000_000, 1_600_000_000)
    const { error } = await bench.build(other)
    expect(error).toMatchObject({
      code: 'changed',
      message: `cannot use ${file}: its content differs from the plan`,
    })
    expect(readdirSync(join(other, 'folders')).filter((name) => name.endsWith('.partial'))).toEqual([])
  }

  test('keeps a file that is not the image of its volume, even with --force', async () => {
    mkdirSync(join(exported, 'images'))
    writeFileSync(join(exported, 'images', '02.iso'), 'mine')
    const { error } = await bench.build(exported, { volumes: [2] })
    expect(error?.code).toBe('exists')
    await expect(bench.build(exported, { force: true })).rejects.toMatchObject({
      code: 'refused',
      message: `cannot build ${exported}: move images/02.iso away first, as Stowage did not make it for this plan`,
    })
    expect(exitCodeOf('refused')).toBe(7)
    expect(readFileSync(join(exported, 'images', '02.iso'), 'utf8')).toBe('mine')
    expect(images()).toEqual(['02.iso'])
    // The others are not in the way of a build that leaves that one out.
    expect((await bench.build(exported, { volumes: [1, 3], force: true })).error).toBeNull()
  })

  test('replaces a damaged image of its volume by force', async () => {
    expect((await bench.build(exported, { volumes: [1] })).error).toBeNull()
    const image = join(exported, 'images', '01.iso')
    const built = readFileSync(image)
    const damaged = Buffer.from(built)
    damaged.fill(0, 1_000_000, 1_100_000)
    writeFileSync(image, damaged)
    expect((await bench.build(exported, { volumes: [1], force: true })).error).toBeNull()
    expect(readFileSync(image).equals(built)).toBe(true)
  })

  test('stops when it is cancelled, keeps finished volumes and leaves nothing half-made', async () => {
    const abort = new AbortController()
    const second = plan.volumes[1]?.label
    const { run, error } = await bench.build(exported, {
      signal: abort.signal,
      onProgress: ({ current }) => {
        if (current === second) abort.abort()
      },
    })
    expect(error?.code).toBe('cancelled')
    expect(run.outcome).toBe('cancelled')
    expect(run.volumes.map(({ state }) => state)).toEqual(['done', 'cancelled', 'pending'])
    expect(images()).toEqual(['01.iso'])
    const again = await bench.build(exported)
    expect(again.run.volumes.map(({ state }) => state)).toEqual(['kept', 'done', 'done'])
  })

  test('removes what a killed build left behind', async () => {
    mkdirSync(join(exported, 'images'))
    writeFileSync(join(exported, 'images', '01.iso.partial'), 'half')
    expect((await bench.build(exported)).error).toBeNull()
    expect(images()).toEqual(['01.iso', '02.iso', '03.iso'])
  })

  test('refuses a volume that the plan does not have', async () => {
    await expect(bench.build(exported, { volumes: [9] })).rejects.toMatchObject({ code: 'usage' })
  })

  test('says that the disk is full, and keeps the images that were finished', async (context) => {
    const small = memoryDisk(join(folder.path, 'small'), 5 << 20)
    if (typeof small === 'string') return context.skip(small)
    try {
      await bench.export(plan.id, join(small.path, 'plan'))
      const { run, error } = await bench.build(join(small.path, 'plan'))
      expect(error?.code).toBe('no-space')
      expect(exitCodeOf('no-space')).toBe(4)
      expect(error?.message).toMatch(/^cannot build images\/02\.iso: [\d.]+ MB needed, [\d.]+ [kM]B free$/)
      expect(run.volumes.map(({ state }) => state)).toEqual(['done', 'failed', 'pending'])
      expect(readdirSync(join(small.path, 'plan', 'images'))).toEqual(['01.iso'])
    } finally {
      small.unmount()
    }
  })

  test('leaves no half export on a full disk', async (context) => {
    const small = memoryDisk(join(folder.path, 'small'), 32 << 10)
    if (typeof small === 'string') return context.skip(small)
    try {
      await expect(bench.export(plan.id, join(small.path, 'plan'))).rejects.toMatchObject({
        code: 'no-space',
      })
      expect(readdirSync(small.path)).toEqual([])
    } finally {
      small.unmount()
    }
  })
})

test('an unreadable source fails the build of its volume in one line', async () => {
  if (process.getuid?.() === 0) {
    // Root can read everything, but not a file whose place was taken by a folder.
    rmSync(join(source, 'a'))
    mkdirSync(join(source, 'a'))
  } else chmodSync(join(source, 'a'), 0)
  const { error } = await bench.build(exported, { volumes: [volumeOf('a')] })
  expect(error?.message.split('\n')).toHaveLength(1)
  expect(error?.message).toContain(join(source, 'a'))
})
