import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WaitAnswer, WaitingFor } from '../../src/contract/dto/job'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { openPipe } from '../../src/engine/native/pipe'
import { streamImage } from '../../src/engine/sets/mastering/writeImage'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { readPlannedVolume } from '../../src/engine/sets/volume/planned/plannedLists'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, type RunOptions, temporaryFolder } from '../support/archiveRun'
import { checkDisc } from '../support/discChecker/checkDisc'
import { memoryDisk } from '../support/memoryDisk'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
const WHEN = 1_700_000_000

let folder: ReturnType<typeof temporaryFolder>
let source: string
let exported: string
let bench: Bench
let plan: PlanDocument

/** Six files of 1 MB for images of our own of 3 MB: two on each of three volumes. */
beforeEach(async () => {
  folder = temporaryFolder('own-faults')
  source = join(folder.path, 'source')
  exported = join(folder.path, 'plan')
  mkdirSync(source)
  const random = seededRandom(11)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const content = new Uint8Array(1_000_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
    utimesSync(join(source, name), WHEN, WHEN)
  }
  bench = openBench(join(folder.path, 'data'))
  plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
  await bench.export(plan.id, exported)
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

const images = (directory = exported): string[] =>
  existsSync(join(directory, 'images')) ? readdirSync(join(directory, 'images')).toSorted() : []
const volumeOf = (name: string): number =>
  plan.volumes.find(({ index }) =>
    [...bench.catalog.planEntries(plan.id, index)].some((entry) => entry.path === name),
  )?.index ?? 0
const neighbourOf = (name: string): string =>
  [...bench.catalog.planEntries(plan.id, volumeOf(name))].find(({ path }) => path !== name)?.path ?? ''

/** Does something once when the image of a volume has begun to be written. */
function onceWriting(label: string | undefined, work: () => void): Pick<RunOptions, 'onProgress'> {
  let isDone = false
  return {
    onProgress({ current }) {
      if (isDone || current !== label) return
      isDone = true
      work()
    },
  }
}

describe('an image of our own', () => {
  it('is not kept where a source changes while it is written', async () => {
    const [{ index, label } = { index: 0, label: '' }] = plan.volumes
    const [first] = [...bench.catalog.planEntries(plan.id, index)]
    const spoil = onceWriting(label, () => writeFileSync(first?.source ?? '', Buffer.alloc(1_000_000, 7)))
    const { error, run } = await bench.build(exported, spoil)
    expect(error).toMatchObject({ code: 'changed', path: first?.source })
    expect(run.volumes.map(({ state }) => state)).toEqual(['failed', 'done', 'done'])
    expect(images()).toEqual(['02.iso', '03.iso'])
  })

  it.each<[string, (path: string) => void]>([
    ['vanishes', (path) => rmSync(path)],
    ['is cut', (path) => truncateSync(path, 10)],
    ['is overwritten', (path) => writeFileSync(path, Buffer.alloc(1_000_000, 7))],
  ])('is begun again without a source that %s before its turn, as is asked', async (_, spoil) => {
    const asked: WaitingFor[] = []
    const file = join(source, 'c')
    const label = plan.volumes[volumeOf('c') - 1]?.label
    const { error, run } = await bench.build(exported, {
      changed: 'ask',
      ...onceWriting(label, () => spoil(file)),
      onWait(what): WaitAnswer {
        asked.push(what)
        return 'yes'
      },
    })
    expect(error).toBeNull()
    expect(asked).toMatchObject([{ kind: 'changed', label, volumes: 3, path: file, more: 0 }])
    expect(asked[0]?.problem).toContain(file)
    expect(run.volumes[volumeOf('c') - 1]).toMatchObject({
      state: 'done',
      files: 1,
      bytes: 1_000_000,
      skipped: [{ path: 'c' }],
    })
    expect(images()).toEqual(['01.iso', '02.iso', '03.iso'])
    expect(checkDisc(join(exported, 'images', `0${volumeOf('c')}.iso`)).findings).toEqual([])
    const verified = await bench.verify(exported)
    expect(verified.error).toBeNull()
    expect(verified.run.volumes[volumeOf('c') - 1]?.skipped).toEqual(run.volumes[volumeOf('c') - 1]?.skipped)
  })

  it('is not made where that is the answer, and the others are', async () => {
    rmSync(join(source, 'c'))
    const { error, run } = await bench.build(exported, { changed: 'ask', onWait: () => 'no' })
    expect(error).toMatchObject({ code: 'vanished', path: join(source, 'c') })
    expect(run.volumes.map(({ state }) => state).toSorted()).toEqual(['done', 'done', 'failed'])
    expect(images()).toHaveLength(2)
  })

  it('asks about each file, until one answer is for all', async () => {
    const names = ['a', 'c', 'e']
    expect(new Set(names.map(volumeOf)).size).toBe(3)
    for (const name of names) rmSync(join(source, name))
    const asked: string[] = []
    const { error, run } = await bench.build(exported, {
      changed: 'ask',
      onWait(what) {
        asked.push(what.label)
        return asked.length === 1 ? 'yes' : 'all'
      },
    })
    expect(error).toBeNull()
    expect(asked).toHaveLength(2)
    expect(run.volumes.flatMap(({ skipped = [] }) => skipped.map(({ path }) => path)).toSorted()).toEqual(
      names.toSorted(),
    )
  })

  it('has all of a file that only grew nowhere, but its neighbours at their places', async () => {
    appendFileSync(join(source, 'd'), 'more')
    const index = volumeOf('d')
    const whole = await bench.build(exported, { volumes: [index], changed: 'skip' })
    expect(whole.error).toBeNull()
    const image = readFileSync(join(exported, 'images', `0${index}.iso`))
    expect(image.indexOf(readFileSync(join(source, neighbourOf('d'))))).toBeGreaterThan(0)
    expect(image.indexOf(readFileSync(join(source, 'd')).subarray(0, 2048))).toBe(-1)
  })

  it('is not left half on a full disk, and those that were finished are kept', async (context) => {
    const small = memoryDisk(join(folder.path, 'small'), 4 << 20)
    if (typeof small === 'string') return context.skip(small)
    try {
      await bench.export(plan.id, join(small.path, 'plan'))
      const { run, error } = await bench.build(join(small.path, 'plan'))
      expect(error?.code).toBe('no-space')
      expect(error?.message.split('\n')).toHaveLength(1)
      expect(run.volumes.map(({ state }) => state)).toEqual(['done', 'failed', 'pending'])
      expect(images(join(small.path, 'plan'))).toEqual(['01.iso'])
    } finally {
      small.unmount()
    }
  })

  it('is not left half by a build that is killed, and the next one goes on', async () => {
    // It has to read a file that is long enough to be killed in.
    const large = join(folder.path, 'large')
    mkdirSync(large)
    writeFileSync(join(large, 'film'), Buffer.alloc(1))
    truncateSync(join(large, 'film'), 2 ** 30)
    const home = join(folder.path, 'home')
    const command = (...args: string[]): ChildProcess =>
      spawn(process.execPath, [BUNDLE, ...args], {
        env: { ...process.env, STOWAGE_HOME: home },
        stdio: 'ignore',
      })
    const ended = (child: ChildProcess): Promise<number | null> =>
      new Promise((resolve) => child.on('close', (code) => resolve(code)))
    const to = join(folder.path, 'killed')
    const args = ['plan', large, '--medium', 'custom:2GB', '--out', to]
    expect(await ended(command(...args))).toBe(0)
    const build = command('build', to)
    const end = ended(build)
    const partial = (): string | undefined => images(to).find((name) => name.includes('.partial-'))
    await expect
      .poll(
        () => {
          const name = partial()
          return name === undefined ? 0 : statSync(join(to, 'images', name)).size
        },
        { timeout: 20_000, interval: 5 },
      )
      .toBeGreaterThan(0)
    build.kill('SIGKILL')
    expect(await end).toBeNull()
    expect(images(to)).toHaveLength(1)
    expect(images(to)).not.toContain('01.iso')
    // The next start removes what it had noted.
    expect(await ended(command('catalog', 'list'))).toBe(0)
    expect(images(to)).toEqual([])
  })

  it('fails in one line where the pipe that takes it is closed', async () => {
    const opened = await openPlanFolder(exported)
    const [first] = opened.plan.volumes
    if (!first) throw new Error('a plan without volumes')
    const { signal } = new AbortController()
    const volume = await readPlannedVolume(opened, first, signal)
    const ends = openPipe()
    closeSync(ends.read)
    await expect(streamImage(opened, volume, ends.write, signal)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^cannot write the image of \S+: .*pipe/i),
    })
    closeSync(ends.write)
  })
})
