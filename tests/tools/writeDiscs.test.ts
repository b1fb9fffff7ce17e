import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobPipe, WaitingForDisc } from '../../src/contract/dto/job'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { type RunDocument, runDocumentSchema, writeRequestSchema } from '../../src/contract/dto/run'
import { jobRunner } from '../../src/engine/jobs/jobRunner'
import { BURNERS } from '../../src/engine/sets/write/burners'
import { writeJob } from '../../src/engine/sets/write/writeJob'
import { findProgram } from '../../src/engine/tools/findProgram'
import { systemClock } from '../../src/primitives/clock'
import { type Bench, openBench, type RunOptions, temporaryFolder } from '../support/archiveRun'
import { mostlyLong } from '../support/mostlyLong'

const folder = temporaryFolder('write')
const source = join(folder.path, 'source')
let bench: Bench
let plan: PlanDocument
let built: string
let turn = 0
/** The plan's folder, the file that stands in for the disc in a drive, and the shelf for discs that were taken out, of one test. */
let at: { directory: string; disc: string; shelf: string }

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const shelved = (label: string): string => join(at.shelf, label)

beforeAll(async () => {
  mkdirSync(source)
  for (let file = 1; file <= 5; file++) writeFileSync(join(source, `photo ${file}`), randomBytes(300_000))
  symlinkSync('photo 1', join(source, 'link'))
  bench = openBench(join(folder.path, 'data'))
  plan = await bench.plan(await bench.survey([source]), 'custom:1MB', { labelPrefix: 'SAMPLE' })
  expect(plan.volumes).toHaveLength(5)
  built = join(folder.path, 'built')
  await bench.export(plan.id, built)
  expect((await bench.build(built)).error).toBeNull()
})
afterAll(() => {
  bench.close()
  folder.dispose()
})
beforeEach(async () => {
  turn += 1
  const base = join(folder.path, `turn-${turn}`)
  at = { directory: join(base, 'plan'), disc: join(base, 'disc'), shelf: join(base, 'shelf') }
  mkdirSync(at.shelf, { recursive: true })
  const again = await bench.plan(plan.surveyId, 'custom:1MB', { labelPrefix: 'SAMPLE' })
  await bench.export(again.id, at.directory)
})

/** Takes the disc that is in the drive out, under the label of the volume before the one that is asked for. */
function changesDiscs(asked: WaitingForDisc[] = []): Pick<RunOptions, 'onWait'> {
  return {
    onWait(what) {
      if (what.kind !== 'disc') throw new Error('asked for something else than a disc')
      asked.push(what)
      const before = `SAMPLE_0${what.volume - 1}`
      renameSync(at.disc, shelved(what.reason === 'next' ? before : `${what.reason}-${asked.length}`))
    },
  }
}

function shelveLast(): void {
  renameSync(at.disc, shelved('SAMPLE_05'))
}

function statesOf({ volumes }: RunDocument): string[] {
  return volumes.map(({ state }) => state)
}

describe('writing to discs', () => {
  test('builds, writes and reads back every volume, asks for a disc between them, and keeps what is done', async () => {
    const asked: WaitingForDisc[] = []
    const { run, error } = await bench.write({ directory: at.directory, file: at.disc }, changesDiscs(asked))
    expect(error).toBeNull()
    shelveLast()
    expect(run).toMatchObject({ kind: 'write', outcome: 'done', target: { kind: 'file', tool: 'xorriso' } })
    expect(statesOf(run)).toEqual(['done', 'done', 'done', 'done', 'done'])
    expect(asked.map(({ reason, label, volume, volumes }) => [reason, label, volume, volumes])).toEqual(
      [2, 3, 4, 5].map((volume) => ['next', `SAMPLE_0${volume}`, volume, 5]),
    )
    for (const { label, index, written, actualSectors } of run.volumes) {
      const image = readFileSync(join(at.directory, 'images', `0${index}.iso`))
      // A disc may be longer than the image.
      expect(readFileSync(shelved(label)).subarray(0, image.length).equals(image)).toBe(true)
      expect(written).toMatchObject({ bytes: image.length, verified: true })
      expect(written?.sha256).toBe(createHash('sha256').update(image).digest('hex'))
      expect(written?.pipe?.bytes).toBe((actualSectors ?? 0) * 2048)
    }
    const saved: unknown = JSON.parse(readFileSync(join(at.directory, 'runs', `${run.id}.json`), 'utf8'))
    expect(runDocumentSchema.parse(saved)).toEqual(run)

    const again = await bench.write({ directory: at.directory, file: at.disc })
    expect(statesOf(again.run)).toEqual(['kept', 'kept', 'kept', 'kept', 'kept'])
    expect(existsSync(at.disc)).toBe(false)
    const found = bench.catalog.find('photo 1', 10).find(({ volume }) => volume?.planId === run.planId)
    expect(found?.volume?.state).toMatchObject({ writtenWallMs: expect.any(Number), failedWallMs: null })
  })

  test('makes the same discs on the fly, with no image on the disk', async () => {
    const pipes: (JobPipe | null)[] = []
    const options = { ...changesDiscs(), onPipe: (pipe: JobPipe | null) => pipes.push(pipe) }
    const { run, error } = await bench.write(
      { directory: at.directory, file: at.disc, onTheFly: true, bufferBytes: 65_536 },
      options,
    )
    expect(error).toBeNull()
    shelveLast()
    expect(existsSync(join(at.directory, 'images'))).toBe(false)
    expect(run.target?.onTheFly).toBe(true)
    expect((await bench.build(at.directory)).error).toBeNull()
    for (const { label, index, written } of run.volumes) {
      expect(written?.sha256).toBe(sha256(join(at.directory, 'images', `0${index}.iso`)))
      expect(written?.pipe).toMatchObject({ bufferBytes: 65_536 })
      expect(existsSync(shelved(label))).toBe(true)
    }
    expect(pipes.at(-1)).toBeNull()
  })

  test('writes one volume and continues with the next one when it is run again', {
    tags: 'long',
  }, async () => {
    const one = { directory: at.directory, file: at.disc, atMost: 1 }
    for (let volume = 1; volume <= 3; volume++) {
      const { run } = await bench.write(one)
      expect(statesOf(run)).toEqual([...Array<string>(volume - 1).fill('kept'), 'done'])
      renameSync(at.disc, shelved(`SAMPLE_0${volume}`))
    }
    const last = await bench.write({ ...one, volumes: [5] })
    expect(last.run.volumes.map(({ index, state }) => [index, state])).toEqual([[5, 'done']])
  })

  test('refuses a disc that is not blank where nobody is asked, and asks for another one otherwise', async () => {
    writeFileSync(at.disc, 'somebody needs this')
    const request = { directory: at.directory, file: at.disc, volumes: [1] }
    const refused = await bench.write({ ...request, atMost: 1 })
    expect(refused.error).toMatchObject({
      code: 'refused',
      message: `cannot write SAMPLE_01: ${at.disc} is not empty; a file used as a blank disc must be empty or absent`,
    })
    expect(readFileSync(at.disc, 'utf8')).toBe('somebody needs this')
    const asked: WaitingForDisc[] = []
    const { run } = await bench.write(request, changesDiscs(asked))
    expect(asked.map(({ reason }) => reason)).toEqual(['not-blank'])
    expect(statesOf(run)).toEqual(['done'])
    expect(readFileSync(shelved('not-blank-1'), 'utf8')).toBe('somebody needs this')
  })

  test('ends a cancelled run after the last complete volume, and the next run goes on there', {
    tags: 'long',
  }, async () => {
    const stop = new AbortController()
    const cancelled = await bench.write(
      { directory: at.directory, file: at.disc },
      {
        signal: stop.signal,
        onWait: (what) => {
          renameSync(at.disc, shelved(`SAMPLE_0${what.volume - 1}`))
          if (what.volume === 3) stop.abort()
        },
      },
    )
    expect(cancelled.error?.code).toBe('cancelled')
    expect(statesOf(cancelled.run)).toEqual(['done', 'done', 'cancelled', 'pending', 'pending'])
    const { run } = await bench.write({ directory: at.directory, file: at.disc }, changesDiscs())
    expect(statesOf(run)).toEqual(['kept', 'kept', 'done', 'done', 'done'])
  })

  test('is on record after every volume, before the next disc is asked for', { tags: 'long' }, async () => {
    const seen: string[][] = []
    await bench.write(
      { directory: at.directory, file: at.disc },
      {
        onWait(what) {
          renameSync(at.disc, shelved(`SAMPLE_0${what.volume - 1}`))
          for (const name of readdirSync(join(at.directory, 'runs'))) {
            if (!name.startsWith('w-')) continue
            const saved = runDocumentSchema.parse(
              JSON.parse(readFileSync(join(at.directory, 'runs', name), 'utf8')),
            )
            seen.push([saved.outcome, ...statesOf(saved)])
          }
        },
      },
    )
    expect(seen[0]).toEqual(['interrupted', 'done', 'pending', 'pending', 'pending', 'pending'])
    expect(seen.at(-1)).toEqual(['interrupted', 'done', 'done', 'done', 'done', 'pending'])
  })

  test('continues from what the plan folder has on record, and brings it to the catalog', {
    tags: 'long',
  }, async () => {
    const one = { directory: at.directory, file: at.disc, atMost: 1 }
    const { run } = await bench.write(one)
    renameSync(at.disc, shelved('SAMPLE_01'))
    // As a kill between the two leaves it; and a folder that claims to be somewhere else.
    const empty = { ...run, volumes: run.volumes.map((volume) => ({ ...volume, state: 'pending' as const })) }
    bench.catalog.saveRun(empty)
    const other = bench.catalog.runs().find(({ planId }) => planId !== run.planId)
    if (!other) throw new Error('there are runs of other plans')
    const claims = (id: string): string => join(at.directory, 'runs', `${id}.json`)
    writeFileSync(
      claims('w-claim'),
      JSON.stringify({ ...run, id: 'w-claim', directory: '/etc', volumes: [] }),
    )
    writeFileSync(claims(other.id), JSON.stringify({ ...run, id: other.id }))
    writeFileSync(claims('w-broken'), '{')
    expect(statesOf((await bench.write(one)).run)).toEqual(['kept', 'done'])
    expect(bench.catalog.run(run.id)).toEqual(run)
    expect(bench.catalog.run('w-claim').directory).toBe(at.directory)
    expect(bench.catalog.run(other.id)).toEqual(other)
  })

  test('writes a volume again when it was built again, or when a further copy is asked for', {
    tags: 'long',
  }, async () => {
    const one = { directory: at.directory, file: at.disc, volumes: [1], atMost: 1 }
    await bench.write(one)
    renameSync(at.disc, shelved('first'))
    expect(statesOf((await bench.write({ ...one, again: true })).run)).toEqual(['done'])
    renameSync(at.disc, shelved('copy'))
    expect(sha256(shelved('copy'))).toBe(sha256(shelved('first')))
    await bench.build(at.directory, { volumes: [1], force: true })
    expect(statesOf((await bench.write(one)).run)).toEqual(['done'])
  })

  test('pauses after a disc and not in it, and loses a disc only while it burns', {
    tags: 'long',
  }, async () => {
    const seen: string[] = []
    const { error } = await bench.write(
      { directory: at.directory, file: at.disc, volumes: [1, 2] },
      {
        ...changesDiscs(),
        pausable: (rest) => void seen.push(rest ? 'pauses at once' : 'cannot'),
        onPausesAfter: (what) => void seen.push(`pauses after ${what}`),
        onSafePoint: () => void seen.push('safe point'),
        onWriting({ to, losesDisc }) {
          expect(to).toBe(at.disc)
          seen.push(losesDisc ? 'burns' : 'burns no more')
        },
      },
    )
    expect(error).toBeNull()
    const disc = ['safe point', 'burns', 'burns no more']
    expect(seen).toEqual(['burns no more', 'pauses after disc', ...disc, ...disc])
  })

  test('rests after the disc while it is paused, and the next disc is asked for when it goes on', {
    tags: 'long',
  }, async () => {
    const order: string[] = []
    const states: string[] = []
    const catalog = bench.catalog
    const runner = jobRunner(
      systemClock,
      {
        progress({ jobId, state, pausesAfter, waitingFor, current, writing }) {
          states.push(`${current} ${state}`)
          if (writing?.losesDisc && state === 'running' && order.length === 0) {
            expect(pausesAfter).toBe('disc')
            order.push('pause')
            runner.pause(jobId)
          }
          if (state === 'paused' && order.length === 1) {
            order.push('resume')
            setImmediate(() => runner.resume(jobId))
          }
          if (!waitingFor || order.length !== 2) return
          order.push('asked')
          renameSync(at.disc, shelved('SAMPLE_01'))
          setImmediate(() => runner.proceed(jobId))
        },
        live: () => undefined,
        measured: () => undefined,
        swept: () => undefined,
        ended: () => undefined,
      },
      () => 'j-1',
    )
    const request = writeRequestSchema.parse({ directory: at.directory, file: at.disc, volumes: [1, 2] })
    const end = await runner.start(writeJob({ catalog }, request)).finished
    expect(end).toMatchObject({ outcome: 'done' })
    expect(order).toEqual(['pause', 'resume', 'asked'])
    expect(states).toContain('SAMPLE_01 pausing')
    expect(states).not.toContain('SAMPLE_02 pausing')
    expect(statesOf(catalog.run(end.resultId ?? ''))).toEqual(['done', 'done'])
  })

  test('can be paused at any time while it copies to a folder', { tags: 'long' }, async () => {
    const hooks: string[] = []
    await bench.write(
      { directory: at.directory, folder: at.shelf, volumes: [1] },
      {
        pausable(rest) {
          hooks.push(rest ? 'can pause' : 'cannot')
          rest?.pause()
          rest?.resume()
        },
      },
    )
    expect(hooks).toContain('can pause')
    expect(hooks.at(-1)).toBe('cannot')
  })
})

describe('writing with another burner', () => {
  test('cdrskin writes the same discs', async (context) => {
    const program = await findProgram('cdrskin')
    if (program === null) return context.skip('cdrskin is not installed')
    const bin = join(folder.path, 'cdrskin')
    const discs = join(folder.path, 'discs')
    for (const made of [bin, discs]) mkdirSync(made)
    // cdrskin takes no files from root: another user runs it.
    const isRoot = process.getuid?.() === 0
    const other = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups'
    writeFileSync(join(bin, 'cdrskin'), `#!/bin/sh\n${isRoot ? other : 'exec'} ${program} "$@"\n`)
    chmodSync(join(bin, 'cdrskin'), 0o755)
    chmodSync(folder.path, 0o755)
    chmodSync(discs, 0o777)
    const before = process.env['PATH']
    process.env['PATH'] = `${bin}:${before}`
    try {
      const file = join(discs, 'disc')
      const { run, error } = await bench.write({
        directory: at.directory,
        file,
        volumes: [1],
        burner: 'cdrskin',
        speed: 4,
      })
      expect(error).toBeNull()
      expect(run.target).toMatchObject({ tool: 'cdrskin', speed: 4 })
      const image = readFileSync(join(at.directory, 'images', '01.iso'))
      expect(readFileSync(file).subarray(0, image.length).equals(image)).toBe(true)
    } finally {
      process.env['PATH'] = before
    }
  })

  test('growisofs is refused for a file, and shows what it would do with a device', async (context) => {
    const request = { directory: at.directory, file: at.disc, volumes: [1], atMost: 1 }
    const { error } = await bench.write({ ...request, burner: 'growisofs' })
    expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining('growisofs') })
    expect(existsSync(at.disc)).toBe(false)
    const program = await findProgram('growisofs')
    if (program === null) return context.skip('growisofs is not installed')
    const medium = { kind: 'bd-r', name: 'BD-R', blank: true, rewritable: false } as const
    const facts = { ...medium, capacitySectors: null, usedSectors: 0, speeds: [] }
    const device = join(folder.path, 'no device')
    writeFileSync(device, '')
    const growisofs = BURNERS.find(({ name }) => name === 'growisofs')
    const args = growisofs?.args({ device, medium: facts, sectors: 400, speed: 4 }) ?? []
    const image = join(at.directory, 'images', '01.iso')
    const shown = spawnSync(program, ['-dry-run', ...args.map((arg) => arg.replace('/dev/fd/0', image))], {
      encoding: 'utf8',
    })
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('builtin_dd') })
    expect(readFileSync(device)).toHaveLength(0)
  })
})

describe('a burner that does not do its work', () => {
  /** A program named `xorriso` that writes discs in its own way, and is the real one for all else. */
  function withBurner(script: string): () => void {
    const bin = join(folder.path, `bin-${turn}`)
    mkdirSync(bin)
    const text = `#!/bin/sh\nif [ "$1" = -as ]; then\n${script}\nfi\nexec /usr/bin/xorriso "$@"\n`
    writeFileSync(join(bin, 'xorriso'), text)
    chmodSync(join(bin, 'xorriso'), 0o755)
    const before = process.env['PATH']
    process.env['PATH'] = `${bin}:${before}`
    return () => {
      process.env['PATH'] = before
    }
  }

  const short = { writingMs: 400, closingMs: 400 }

  mostlyLong(
    test,
    [
      [
        'hangs without reading',
        'sleep 60',
        /xorriso made no progress for 0\.\d s and was ended$/,
        'tool-failed',
      ],
      [
        'hangs after reading everything',
        'cat > /dev/null; sleep 60',
        /xorriso made no progress for 0\.\d s and was ended$/,
        'tool-failed',
      ],
      [
        'prints garbage and fails',
        'head -c 3000000 /dev/urandom >&2; exit 9',
        /^cannot write SAMPLE_01 to stdio:.*: xorriso ended with code 9$/,
        'tool-failed',
      ],
      [
        'takes everything and writes nothing',
        'cat > /dev/null; echo x > "$DISC"; exit 0',
        /has fewer than \d+ bytes$/,
        'verification-failed',
      ],
      [
        'ends well after half of it',
        'head -c 300000 > "$DISC"; exit 0',
        // Less than what a pipe holds is noticed only on the disc.
        /has fewer than \d+ bytes$/,
        'verification-failed',
      ],
      [
        'reports that the disc is full',
        'cat > /dev/null; echo "libburn : SORRY : write(2) returned -1. : No space left on device" >&2; exit 5',
        /no space left on the device$/,
        'no-space',
      ],
    ],
    ([kind]) => kind === 'ends well after half of it',
  )('%s: is named in one line, and the run can be continued', async (_, script, message, code) => {
    process.env['DISC'] = at.disc
    const restore = withBurner(script)
    const request = { directory: at.directory, file: at.disc, volumes: [1], atMost: 1 }
    await bench.build(at.directory, { volumes: [1] })
    try {
      const { run, error } = await bench.write(request, /sleep/.test(script) ? { limits: short } : {})
      expect(error?.code).toBe(code)
      expect(error?.message).toMatch(message)
      expect(statesOf(run)).toEqual(['failed'])
    } finally {
      restore()
    }
    rmSync(at.disc, { force: true })
    expect(statesOf((await bench.write(request)).run)).toEqual(['done'])
  })

  test('spoils a disc: another blank one is asked for, and the same volume is written to it', {
    tags: 'long',
  }, async () => {
    process.env['DISC'] = at.disc
    const restore = withBurner(
      'if [ -e "$DISC.spoiled" ]; then :; else touch "$DISC.spoiled"; head -c 9000 > "$DISC"; exit 5; fi',
    )
    const asked: WaitingForDisc[] = []
    try {
      const request = { directory: at.directory, file: at.disc, volumes: [2] }
      const { run } = await bench.write(request, changesDiscs(asked))
      expect(statesOf(run)).toEqual(['done'])
    } finally {
      restore()
    }
    expect(asked).toMatchObject([
      { reason: 'spoiled', label: 'SAMPLE_02', problem: expect.stringContaining('ended with code 5') },
    ])
  })

  test('changes a few bytes: reading back finds the file', async () => {
    process.env['DISC'] = at.disc
    const restore = withBurner(
      'cat > "$DISC"; printf changed! | dd of="$DISC" bs=1 seek=700000 conv=notrunc 2>/dev/null; exit 0',
    )
    try {
      const { run, error } = await bench.write({
        directory: at.directory,
        file: at.disc,
        volumes: [1],
        atMost: 1,
      })
      expect(error?.message).toBe('verification of SAMPLE_01 failed: photo 1: its content differs (SHA-256)')
      expect(statesOf(run)).toEqual(['failed'])
    } finally {
      restore()
    }
  })
})

describe('what is not as planned', () => {
  test('a source that changed or went is named, and nothing is written', async () => {
    const own = join(folder.path, `source-${turn}`)
    cpSync(source, own, { recursive: true, preserveTimestamps: true })
    const other = await bench.plan(await bench.survey([own]), 'custom:1MB', { labelPrefix: 'SAMPLE' })
    const directory = join(folder.path, `other-${turn}`)
    await bench.export(other.id, directory)
    const path = join(own, 'photo 3')
    const request = { directory, file: at.disc, volumes: [3], atMost: 1 }
    writeFileSync(path, randomBytes(300_000))
    expect((await bench.write({ ...request, onTheFly: true })).error).toMatchObject({ code: 'changed', path })
    rmSync(path)
    expect((await bench.write(request)).error).toMatchObject({ code: 'vanished', path })
    expect(existsSync(at.disc)).toBe(false)
  })

  test('an image that was damaged after it was built is found, and no second disc is asked for', {
    tags: 'long',
  }, async () => {
    await bench.build(at.directory, { volumes: [4] })
    const image = join(at.directory, 'images', '04.iso')
    const bytes = readFileSync(image)
    bytes[700_000] = (bytes[700_000] ?? 0) ^ 0xff
    writeFileSync(image, bytes)
    const asked: WaitingForDisc[] = []
    const { error } = await bench.write(
      { directory: at.directory, file: at.disc, volumes: [4] },
      changesDiscs(asked),
    )
    expect(error?.message).toMatch(
      /^cannot write SAMPLE_04: its image is not as planned \(.*photo 4.*\); build it again \(--force\)$/,
    )
    expect(asked).toEqual([])
  })

  test('folders are not burned, packed plans are not made on the fly, and one place must be given', async () => {
    const folders = await bench.plan(plan.surveyId, 'folder:1MB')
    const directory = join(folder.path, `folders-${turn}`)
    await bench.export(folders.id, directory)
    await expect(bench.write({ directory, file: at.disc })).rejects.toMatchObject({ code: 'refused' })
    await expect(bench.write({ directory })).rejects.toMatchObject({ code: 'usage' })
    await expect(
      bench.write({ directory: at.directory, file: at.disc, folder: at.shelf }),
    ).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('writing to a folder', () => {
  test('copies every image under its label, checked, and keeps what is there already', async () => {
    const request = { directory: at.directory, folder: at.shelf }
    const { run, error } = await bench.write(request)
    expect(error).toBeNull()
    expect(readdirSync(at.shelf).toSorted()).toEqual([1, 2, 3, 4, 5].map((volume) => `SAMPLE_0${volume}.iso`))
    for (const { label, index, written } of run.volumes) {
      expect(sha256(join(at.shelf, `${label}.iso`))).toBe(
        sha256(join(at.directory, 'images', `0${index}.iso`)),
      )
      expect(written).toMatchObject({ verified: true, sha256: sha256(join(at.shelf, `${label}.iso`)) })
    }
    rmSync(join(at.shelf, 'SAMPLE_02.iso'))
    expect(statesOf((await bench.write(request)).run)).toEqual(['kept', 'done', 'kept', 'kept', 'kept'])
    // A copy that a killed run had finished but not noted is taken for done; anything else is never replaced.
    const elsewhere = join(at.shelf, 'other')
    mkdirSync(elsewhere)
    renameSync(join(at.shelf, 'SAMPLE_01.iso'), join(elsewhere, 'SAMPLE_01.iso'))
    writeFileSync(join(elsewhere, 'SAMPLE_02.iso'), 'mine')
    const other = await bench.write({ ...request, folder: elsewhere, volumes: [1, 2] })
    expect(statesOf(other.run)).toEqual(['done', 'failed'])
    expect(other.error?.code).toBe('exists')
    expect(readFileSync(join(elsewhere, 'SAMPLE_02.iso'), 'utf8')).toBe('mine')
  })

  test('copies folder volumes with their times, links and checksums', { tags: 'long' }, async () => {
    const folders = await bench.plan(plan.surveyId, 'folder:1MB', { labelPrefix: 'SAMPLE' })
    const directory = join(folder.path, `folders-${turn}`)
    await bench.export(folders.id, directory)
    const { run, error } = await bench.write({ directory, folder: at.shelf })
    expect(error).toBeNull()
    for (const { label, written, state } of run.volumes) {
      expect(state).toBe('done')
      const sums = readdirSync(join(at.shelf, label)).find((name) => name !== 'source') ?? ''
      expect(written?.sha256).toBe(sha256(join(at.shelf, label, sums, 'SHA256SUMS')))
    }
    expect(run.volumes.every(({ written }) => written?.verified)).toBe(true)
    expect(statesOf((await bench.write({ directory, folder: at.shelf })).run)).toContain('kept')
  })
})
