import { execFileSync, spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { SmallFileCopier } from '../../src/engine/files/copy'
import { startNativeSurvey } from '../../src/engine/native/addon'

const MEBIBYTE = 1 << 20

let folder: string
let mounted: string | null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-clones-'))
  mounted = null
})
afterEach(() => {
  if (mounted) execFileSync('umount', [mounted])
  rmSync(folder, { recursive: true })
})

/** A new file system in a file, mounted; or skips the test and says what stood in the way. */
function mount(context: TestContext, make: readonly string[], size: number, options = 'loop'): string {
  const image = join(folder, 'image')
  const place = join(folder, 'mounted')
  mkdirSync(place)
  writeFileSync(image, '')
  truncateSync(image, size)
  for (const [program = '', ...argv] of [
    [...make, image],
    ['mount', '-o', options, image, place],
  ]) {
    const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }
    const { error, status, stderr } = spawnSync(program, argv, { encoding: 'utf8', env })
    if (error || status !== 0)
      context.skip(`${program} is refused here: ${error?.message ?? stderr.trim().split('\n')[0]}`)
  }
  mounted = place
  return place
}

function noise(bytes: number): Buffer {
  return randomFillSync(Buffer.alloc(bytes))
}

function clone(from: string, to: string): void {
  execFileSync('cp', ['--reflink=always', from, to])
}

async function surveyed(...roots: string[]) {
  const pass = startNativeSurvey({ roots, blocksFrom512: false, sha256: false, maxTableBytes: MEBIBYTE })
  const end = await pass.finished
  let allocatedBytes = 0
  for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries())
    for (const [index, kind] of batch.kinds.entries())
      if (kind === 0) allocatedBytes += batch.allocatedBytes[index] ?? 0
  return { ...end, allocatedBytes }
}

const BTRFS = { name: 'btrfs', make: ['mkfs.btrfs', '-q'], size: 128 * MEBIBYTE }

describe.each([BTRFS, { name: 'xfs', make: ['mkfs.xfs', '-q', '-m', 'reflink=1'], size: 320 * MEBIBYTE }])(
  'clones on $name',
  ({ make, size }) => {
    it('are the bytes that several files of the survey share, beyond the first', async (context) => {
      const source = mount(context, make, size)
      writeFileSync(join(source, 'alone'), noise(3 * MEBIBYTE))
      expect((await surveyed(source)).clonedBytes).toBe(0)

      writeFileSync(join(source, 'original'), noise(2 * MEBIBYTE))
      execFileSync('sync', ['-f', source])
      clone(join(source, 'original'), join(source, 'second'))
      clone(join(source, 'original'), join(source, 'third'))
      execFileSync('sync', ['-f', source])
      expect((await surveyed(source)).clonedBytes).toBe(4 * MEBIBYTE)
      // Shared only with what is not looked at: not twice in this survey.
      expect((await surveyed(join(source, 'second'))).clonedBytes).toBe(0)

      // Half of a clone written anew is its own again.
      execFileSync('dd', [
        'if=/dev/urandom',
        `of=${join(source, 'third')}`,
        'bs=1M',
        'count=1',
        'conv=notrunc,fsync',
        'status=none',
      ])
      const { clonedBytes, allocatedBytes, reading } = await surveyed(source)
      expect(clonedBytes).toBe(3 * MEBIBYTE)
      expect(allocatedBytes).toBe(9 * MEBIBYTE)
      expect(reading.deviceKind).toBe((await surveyed(folder)).reading.deviceKind)
    })

    it('are what short files are copied as, with mode and time', async (context) => {
      const source = mount(context, make, size)
      const copies = new SmallFileCopier()
      for (const [mode, time] of [
        [0o444, 1_000_000_000],
        [0o600, 1_100_000_000],
      ] as const) {
        const from = join(source, `from-${mode}`)
        const to = join(source, `to-${mode}`)
        writeFileSync(from, noise(MEBIBYTE), { mode })
        utimesSync(from, time, time)
        execFileSync('sync', ['-f', source])
        copies.copy(from, to, MEBIBYTE)
        const made = statSync(to)
        expect({ mode: made.mode & 0o777, mtimeMs: made.mtimeMs }).toEqual({ mode, mtimeMs: time * 1000 })
        expect(readFileSync(to).equals(readFileSync(from))).toBe(true)
      }
      execFileSync('sync', ['-f', source])
      expect((await surveyed(source)).clonedBytes).toBe(2 * MEBIBYTE)
    })
  },
)

it('are counted once for each compressed extent as well', async (context) => {
  const source = mount(context, ['mkfs.btrfs', '-q'], 128 * MEBIBYTE, 'loop,compress-force=zstd')
  writeFileSync(join(source, 'original'), Buffer.concat([noise(1000), Buffer.alloc(MEBIBYTE, 'text ')]))
  execFileSync('sync', ['-f', source])
  expect((await surveyed(source)).clonedBytes).toBe(0)
  clone(join(source, 'original'), join(source, 'second'))
  execFileSync('sync', ['-f', source])
  const { clonedBytes, allocatedBytes } = await surveyed(source)
  expect(clonedBytes).toBeGreaterThanOrEqual(MEBIBYTE)
  expect(2 * (clonedBytes ?? 0)).toBe(allocatedBytes)
})

it('are unknown, not zero, where the file system does not report clones', async () => {
  const shared = mkdtempSync('/dev/shm/stowage-clones-')
  try {
    writeFileSync(join(shared, 'a'), 'content')
    const { clonedBytes, reading } = await surveyed(shared)
    expect(clonedBytes).toBeNull()
    expect(reading).toMatchObject({ deviceKind: 'memory', trials: [] })
  } finally {
    rmSync(shared, { recursive: true })
  }
})

it('a snapshot of btrfs shares every byte with its source', async (context) => {
  const source = mount(context, BTRFS.make, BTRFS.size)
  // A snapshot has a device number of its own and every byte in common with what it was taken of.
  execFileSync('btrfs', ['-q', 'subvolume', 'create', join(source, 'subvolume')])
  writeFileSync(join(source, 'subvolume', 'file'), noise(MEBIBYTE))
  execFileSync('btrfs', ['-q', 'subvolume', 'snapshot', join(source, 'subvolume'), join(source, 'snapshot')])
  execFileSync('sync', ['-f', source])
  expect((await surveyed(source)).clonedBytes).toBe(MEBIBYTE)
})
