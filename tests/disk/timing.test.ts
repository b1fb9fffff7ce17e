import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  deviceFacts,
  readCounters,
  removeRunFolder,
  startTimedRun,
  TIMED_PHASE,
  type TimedRun,
  type TimedRunOptions,
} from '../../src/engine/native/timing'

type TimedPhase = keyof typeof TIMED_PHASE

const MIB = 1 << 20

const PLAIN = {
  runFolder: 'stowage-measure-test',
  cacheMode: 'uncached',
  flush: 'each',
  preallocate: true,
  minimumFreeBytes: 0,
} as const

interface Sample {
  step: number
  phase: TimedPhase
  bytes: number
  startNs: number
  ns: number
}

const PHASES = Object.keys(TIMED_PHASE) as TimedPhase[]

function takeAll(run: TimedRun): Sample[] {
  const all: Sample[] = []
  for (let batch = run.takeSamples(); batch; batch = run.takeSamples()) {
    for (let i = 0; i < batch.count; i++) {
      all.push({
        step: batch.step[i] as number,
        phase: PHASES[batch.phase[i] as number] as TimedPhase,
        bytes: batch.bytes[i] as number,
        startNs: batch.startNs[i] as number,
        ns: batch.ns[i] as number,
      })
    }
  }
  return all.toSorted((a, b) => a.startNs - b.startNs || b.ns - a.ns)
}

async function finish(options: TimedRunOptions) {
  const run = startTimedRun(options)
  const outcome = await run.finished
  return { outcome, samples: takeAll(run), progress: run.progress() }
}

/** The phases of a step in the order in which they began, requests left out. */
const phasesOf = (samples: Sample[], step: number) =>
  samples
    .filter((sample) => sample.step === step && !sample.phase.endsWith('Request'))
    .map((sample) => sample.phase)

const NOT_SEEN = 'the mount table does not show the folder for temporary files, as in a bare chroot'

/** Without its mount the system reports no file system. */
function isDeviceSeen(): boolean {
  return deviceFacts(tmpdir()).fileSystem !== ''
}

describe('a timed run', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'stowage-timing-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('times each part of writing and reading by itself, with direct I/O, and leaves nothing behind', async ({
    skip,
  }) => {
    if (!isDeviceSeen()) skip(NOT_SEEN)
    const { outcome, samples, progress } = await finish({
      ...PLAIN,
      directory,
      files: [
        { name: 'a', bytes: 8 * MIB, seed: 1 },
        { name: 'b', bytes: 10_000, seed: 2 },
      ],
      steps: [
        { op: 'create', file: 0 },
        { op: 'write', file: 0, requestBytes: MIB, depth: 4 },
        { op: 'create', file: 1 },
        { op: 'write', file: 1, requestBytes: MIB, depth: 1 },
        { op: 'read', file: 0, requestBytes: MIB, depth: 2 },
        { op: 'randomRead', file: 0, requestBytes: 4096, depth: 4, count: 200, seed: 9 },
        { op: 'verify', file: 0 },
        { op: 'verify', file: 1 },
        { op: 'cachedRead', file: 0, requestBytes: MIB },
        { op: 'remove', file: 0 },
      ],
    })
    expect(outcome.error).toBeNull()
    expect(outcome.notRemoved).toBeNull()
    expect(outcome.cache.requested).toBe('uncached')
    expect(outcome.cache.because).toContain('O_DIRECT')
    expect(outcome.cache.obtained).toBe('uncached')
    expect(outcome.cache.residentBytes).toBe(0)
    expect(outcome.cache.residentBeforeBytes).toBe(0)
    expect(outcome.cache.checkedBytes).toBe(2 * 8 * MIB)
    expect(outcome.verifiedBytes).toBe(8 * MIB + 12_288)
    expect(phasesOf(samples, 0)).toEqual(['create'])
    expect(phasesOf(samples, 1)).toEqual(['preallocate', 'write', 'flush', 'close'])
    expect(phasesOf(samples, 4)).toEqual(['open', 'read', 'close'])
    expect(phasesOf(samples, 5)).toEqual(['open', 'randomRead', 'close'])
    const requests = samples.filter((sample) => sample.step === 5 && sample.phase === 'readRequest')
    expect(requests).toHaveLength(200)
    expect(requests.every((sample) => sample.bytes === 4096 && sample.ns > 0)).toBe(true)
    const write = samples.find((sample) => sample.step === 3 && sample.phase === 'write')
    expect(write?.bytes).toBe(12_288)
    expect(progress).toMatchObject({ stepsDone: 10, stepsTotal: 10, current: null })
    expect(readdirSync(directory)).toEqual([])
    const device = outcome.cache.device
    if (device) expect(device.reading.deviceBytes).toBeGreaterThanOrEqual(device.reading.issuedBytes)
  })

  it('holds a whole transfer between its first and its last request', async () => {
    const { samples } = await finish({
      ...PLAIN,
      directory,
      files: [{ name: 'a', bytes: 4 * MIB, seed: 1 }],
      steps: [
        { op: 'create', file: 0 },
        { op: 'write', file: 0, requestBytes: 65_536, depth: 3 },
      ],
    })
    const requests = samples.filter((sample) => sample.phase === 'writeRequest')
    const whole = samples.find((sample) => sample.phase === 'write') as Sample
    expect(requests).toHaveLength(64)
    expect(whole.startNs).toBe(Math.min(...requests.map((sample) => sample.startNs)))
    expect(whole.startNs + whole.ns).toBe(Math.max(...requests.map((sample) => sample.startNs + sample.ns)))
    expect(whole.bytes).toBe(requests.reduce((sum, sample) => sum + sample.bytes, 0))
  })

  it.runIf(existsSync('/dev/shm'))('says that memory cannot be timed past the cache', async () => {
    const memory = mkdtempSync('/dev/shm/stowage-timing-')
    try {
      const { outcome, samples } = await finish({
        ...PLAIN,
        directory: memory,
        files: [{ name: 'a', bytes: MIB, seed: 1 }],
        steps: [
          { op: 'create', file: 0 },
          { op: 'write', file: 0, requestBytes: 65_536, depth: 1 },
          { op: 'read', file: 0, requestBytes: 65_536, depth: 1 },
        ],
      })
      expect(outcome.error).toBeNull()
      expect(outcome.cache.requested).toBe('uncached')
      const { obtained, because, residentBytes } = outcome.cache
      // Linux 6.6 and later accept O_DIRECT there; the memory is the cache all the same.
      expect({ obtained, because }).toMatchObject({ obtained: 'buffered' })
      expect(residentBytes).toBe(MIB)
      expect(samples.some((sample) => sample.phase === 'flush')).toBe(true)
      expect(deviceFacts(memory).kind).toBe('memory')
    } finally {
      rmSync(memory, { recursive: true, force: true })
    }
  })

  it('ends with what it has when the free space to be left would be touched', async () => {
    const free = deviceFacts(directory).freeBytes
    const { outcome, samples } = await finish({
      ...PLAIN,
      directory,
      minimumFreeBytes: free - 64 * MIB,
      files: [
        { name: 'small', bytes: MIB, seed: 1 },
        { name: 'large', bytes: 8 * 1024 * MIB, seed: 2 },
      ],
      steps: [
        { op: 'create', file: 0 },
        { op: 'write', file: 0, requestBytes: MIB, depth: 1 },
        { op: 'create', file: 1 },
        { op: 'write', file: 1, requestBytes: MIB, depth: 1 },
      ],
    })
    expect(outcome.error?.code).toBe('no-space')
    expect(outcome.error?.message).toContain('large.timed: less than the minimum would stay free')
    expect(samples.some((sample) => sample.phase === 'write')).toBe(true)
    expect(readdirSync(directory)).toEqual([])
  })

  it('ends with what it has when the disk is full', async ({ skip }) => {
    const image = join(directory, 'image')
    const mountPoint = join(directory, 'mounted')
    mkdirSync(mountPoint)
    try {
      execFileSync('truncate', ['--size=8M', image])
      execFileSync('mkfs.ext4', ['-q', '-F', '-O', '^has_journal', image], { stdio: 'pipe' })
      execFileSync('mount', ['-o', 'loop', image, mountPoint], { stdio: 'pipe' })
    } catch {
      skip('a small disk to be filled needs mkfs.ext4 and the right to mount a loop device')
    }
    try {
      const facts = deviceFacts(mountPoint)
      expect(facts).toMatchObject({ kind: 'virtual', bus: 'loop', fileSystem: 'ext4', mountPoint })
      const names = Array.from({ length: 8 }, (_, index) => `f${index}`)
      const { outcome, samples } = await finish({
        ...PLAIN,
        directory: mountPoint,
        preallocate: false,
        files: names.map((name, seed) => ({ name, bytes: 1.5 * MIB, seed })),
        steps: names.flatMap((_, file) => [
          { op: 'create', file } as const,
          { op: 'write', file, requestBytes: 65_536, depth: 2 } as const,
        ]),
      })
      expect(outcome.error?.code).toBe('no-space')
      const wholes = samples.filter((sample) => sample.phase === 'write')
      expect(wholes.length).toBeGreaterThan(1)
      expect(wholes.length).toBeLessThan(8)
      expect(readdirSync(mountPoint)).toEqual(['lost+found'])
    } finally {
      execFileSync('umount', [mountPoint])
    }
  })

  it('never takes a folder that is there already', async () => {
    mkdirSync(join(directory, PLAIN.runFolder))
    writeFileSync(join(directory, PLAIN.runFolder, 'mine'), 'x')
    const { outcome } = await finish({ ...PLAIN, directory, files: [], steps: [] })
    expect(outcome.error?.code).toBe('exists')
    expect(readdirSync(join(directory, PLAIN.runFolder))).toEqual(['mine'])
    expect(removeRunFolder(directory, PLAIN.runFolder)).toBe('not-ours')
  })

  it('recognizes a left-over run folder and removes only files that runs make', async () => {
    const options = {
      ...PLAIN,
      directory,
      keepFolder: true,
      files: [{ name: 'a', bytes: 4096, seed: 1 }],
      steps: [
        { op: 'create', file: 0 },
        { op: 'write', file: 0, requestBytes: 4096, depth: 1 },
      ],
    } as const
    const run = startTimedRun({ ...options, steps: [...options.steps, { op: 'pause', ms: 20_000 }] })
    const folder = join(directory, PLAIN.runFolder)
    while (!existsSync(join(folder, 'a.timed')) || run.progress().stepsDone < 2)
      await new Promise((resolve) => setTimeout(resolve, 2))
    expect(removeRunFolder(directory, PLAIN.runFolder)).toBe('in-use')
    run.cancel()
    expect((await run.finished).cancelled).toBe(true)
    expect(statSync(join(folder, 'a.timed')).size).toBe(4096)
    writeFileSync(join(folder, 'mine.txt'), 'x')
    expect(removeRunFolder(directory, PLAIN.runFolder)).toBe('foreign-files-left')
    expect(existsSync(join(folder, 'a.timed'))).toBe(false)
    rmSync(join(folder, 'mine.txt'))
    expect(removeRunFolder(directory, PLAIN.runFolder)).toBe('removed')
    expect(removeRunFolder(directory, PLAIN.runFolder)).toBe('absent')
  })

  it('reads somebody’s files without writing anything', async () => {
    const path = join(directory, 'mine')
    writeFileSync(path, Buffer.alloc(3 * MIB + 17, 7))
    const { outcome, samples } = await finish({
      ...PLAIN,
      directory,
      runFolder: null,
      files: [{ path, bytes: 3 * MIB + 17 }],
      steps: [{ op: 'read', file: 0, requestBytes: MIB, depth: 1 }],
    })
    expect(outcome.error).toBeNull()
    expect(samples.find((sample) => sample.phase === 'read')?.bytes).toBe(3 * MIB + 17)
    expect(readdirSync(directory)).toEqual(['mine'])
    const options = { ...PLAIN, directory, runFolder: null, files: [{ path, bytes: 1 }] }
    expect(() =>
      startTimedRun({ ...options, steps: [{ op: 'write', file: 0, requestBytes: 1, depth: 1 }] }),
    ).toThrowError(/not possible/)
  })

  it('reads and writes at once', async () => {
    const streamed = async () => {
      const { outcome, samples } = await finish({
        ...PLAIN,
        directory,
        files: [
          { name: 'a', bytes: 16 * MIB, seed: 1 },
          { name: 'b', bytes: 16 * MIB, seed: 2 },
        ],
        steps: [
          { op: 'create', file: 0 },
          { op: 'write', file: 0, requestBytes: MIB, depth: 1 },
          { op: 'stream', file: 0, writeFile: 1, requestBytes: MIB },
        ],
      })
      expect(outcome.error).toBeNull()
      const read = samples.find((sample) => sample.phase === 'streamRead') as Sample
      const written = samples.find((sample) => sample.phase === 'streamWrite') as Sample
      expect([read.bytes, written.bytes]).toEqual([16 * MIB, 16 * MIB])
      return read.startNs < written.startNs + written.ns && written.startNs < read.startNs + read.ns
    }
    // On a busy machine a thread may come too late for so small a file.
    let isAtOnce = false
    for (let tries = 0; tries < 8 && !isAtOnce; tries++) isAtOnce = await streamed()
    expect(isAtOnce).toBe(true)
  })
})

describe('the device', () => {
  it('is reported by the system', ({ skip }) => {
    if (!isDeviceSeen()) skip(NOT_SEEN)
    const facts = deviceFacts(tmpdir())
    expect(facts.totalBytes).toBeGreaterThan(facts.freeBytes)
    expect(facts.fileSystem).not.toBe('')
    expect(facts.mountPoint.startsWith('/')).toBe(true)
    expect(() => deviceFacts('/no/such/place')).toThrowError(/cannot find the device of \/no\/such\/place/)
    expect(readCounters('/proc')).toBeNull()
  })
})
