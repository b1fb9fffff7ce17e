import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, type TestContext } from 'vitest'
import { takeLease, withLease } from '../../src/engine/files/lease'
import { AppError } from '../../src/primitives/appError'
import { temporaryFolder } from '../support/archiveRun'
import { memoryDisk } from '../support/memoryDisk'

const folder = temporaryFolder('lease')
afterAll(() => folder.dispose())

const busy = (): AppError => new AppError('refused', 'somebody has it')
const lease = (at: string, work = async (): Promise<string> => 'done'): Promise<string> =>
  withLease(at, busy, work)

async function onDisk(
  context: TestContext,
  limit: { bytes: number; names?: number },
  use: (path: string) => Promise<void>,
): Promise<void> {
  const disk = memoryDisk(join(folder.path, 'disk'), limit.bytes, limit.names)
  if (typeof disk === 'string') return context.skip(disk)
  try {
    await use(disk.path)
  } finally {
    disk.unmount()
  }
}

it('needs no room and no journal file on a full disk', (context) =>
  onDisk(context, { bytes: 1 << 20 }, async (disk) => {
    expect(() => writeFileSync(join(disk, 'full'), new Uint8Array(2 << 20))).toThrow(/ENOSPC/)
    const at = join(disk, 'runs')
    const names = await withLease(at, busy, async () => {
      await expect(lease(at)).rejects.toMatchObject({ code: 'refused', message: 'somebody has it' })
      return readdirSync(at)
    })
    expect([names, readdirSync(at), statSync(join(at, '.lock')).size]).toEqual([['.lock'], ['.lock'], 0])
    expect(await lease(at)).toBe('done')
  }))

it('names a disk without room for one more file as the cause', (context) =>
  // The top folder, the folder and what fills it.
  onDisk(context, { bytes: 1 << 20, names: 3 }, async (disk) => {
    const at = join(disk, 'runs')
    mkdirSync(at)
    writeFileSync(join(disk, 'last'), '')
    await expect(lease(at)).rejects.toMatchObject({
      code: 'no-space',
      message: `cannot write to ${at}: no space left on the device`,
    })
    expect(readdirSync(at)).toEqual([])
  }))

it('names what it found in place of its file', async () => {
  const at = join(folder.path, 'taken')
  mkdirSync(join(at, '.lock'), { recursive: true })
  await expect(lease(at)).rejects.toMatchObject({
    code: 'refused',
    message: `cannot use ${at}/.lock: it is not an empty file`,
  })
})

it('is waited for by whoever asks to, until it is free or the wait is cancelled', async () => {
  const at = join(folder.path, 'awaited')
  const held = await takeLease(at, busy)
  let isDone = false
  const work = async (): Promise<string> => {
    isDone = true
    return 'done'
  }
  const waiting = withLease(at, busy, work, new AbortController().signal)
  const abort = new AbortController()
  const cancelled = withLease(at, busy, work, abort.signal)
  await expect(lease(at)).rejects.toMatchObject({ message: 'somebody has it' })
  abort.abort()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  expect(isDone).toBe(false)
  held.release()
  expect(await waiting).toBe('done')
})
