import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { smallDisk } from '../support/smallDisk'
import { temporaryFolder } from '../support/surveyedFolder'

/** After that a command is taken for one that never ends; on a busy machine they take their time. */
const HANGS_MS = 200_000

/** Runs a command; one that does not end is killed, and has no exit code. */
function ended(args: readonly string[], home: string): Promise<CommandEnd> {
  let limit: NodeJS.Timeout
  return stowage(args, {
    home,
    onStart: (kill) => {
      limit = setTimeout(() => kill('SIGKILL'), HANGS_MS)
    },
  }).finally(() => clearTimeout(limit))
}

function smallSource(folder: string, files = 3): string {
  const source = join(folder, 'source')
  mkdirSync(source)
  for (let file = 0; file < files; file++) writeFileSync(join(source, `file ${file}`), `${file}`.repeat(100))
  return source
}

describe('a folder that cannot be made', () => {
  it.each<[string, (source: string) => string[]]>([
    ['plan --out', (source) => ['plan', source, '--medium', 'custom:1MB', '--out', '/proc/x/y']],
    ['sample', () => ['sample', '/proc/x/y']],
    ['survey --out', (source) => ['survey', source, '--samples', 'quick', '--out', '/proc/x/y']],
    ['image create', () => ['image', 'create', '/proc/x/y.sparseimage', '--size', '1MiB']],
    ['measure', () => ['measure', '/proc/x/y']],
  ])('ends %s with one line', async (_name, args) => {
    const folder = temporaryFolder()
    const { code, stderr } = await ended(args(smallSource(folder)), join(folder, 'home'))
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/cannot .*\/proc\/x.*: .*(no such file or folder|does not exist)/)
    expect(code).toBe(2)
  })

  it('ends every command with one line when it is that of the catalog', async () => {
    const { code, stderr } = await ended(['catalog', 'list'], '/proc/x')
    expect(stderr).toBe('stowage: cannot make the folder /proc/x: no such file or folder\n')
    expect(code).toBe(2)
  })

  it('is not tried after the source has been read, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    const source = smallSource(folder)
    const out = join(folder, 'a/b/plan')
    const home = join(folder, 'home')
    const { code } = await ended(['plan', source, '--medium', 'no-such', '--out', out], home)
    expect(code).toBe(2)
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })
})

describe('a read-only disk', () => {
  type Use = [command: string, args: (plan: string, at: string) => string[]]

  const NAMED = 'is named as the cause by %s'
  it.for<Use>([['restore', (plan, at) => ['restore', plan, '--to', `${at}/restored/here`]]])(
    NAMED,
    expectNamed,
  )
  it.for<Use>([
    ['write', (plan, at) => ['write', plan, '--to', `${at}/copies/here`]],
    ['sample', (_plan, at) => ['sample', `${at}/sample`]],
    ['image create', (_plan, at) => ['image', 'create', `${at}/y.sparseimage`, '--size', '1MiB']],
  ])(NAMED, { tags: 'long' }, expectNamed)

  async function expectNamed([, args]: Use, { skip }: TestContext): Promise<void> {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 8)
    if (typeof disk === 'string') return skip(disk)
    try {
      const [home, plan] = [join(folder, 'home'), join(folder, 'plan')]
      const asked = ['plan', smallSource(folder), '--medium', 'custom:1MB', '--out', plan]
      expect((await stowage(asked, { home })).code).toBe(0)
      expect((await stowage(['build', plan], { home })).code).toBe(0)
      execFileSync('mount', ['-o', 'remount,ro', disk.path])
      const { code, stderr } = await ended(args(plan, disk.path), home)
      expect(stderr).toMatch(/^stowage: cannot .*: the file system is read-only$/m)
      expect(code).toBe(2)
    } finally {
      disk.unmount()
    }
  }
})

const SMALL_CATALOG = 'a disk with blocks of %i bytes under the catalog'
describe.each([4096])(SMALL_CATALOG, onSmallCatalog)
describe.each([1024])(SMALL_CATALOG, { tags: 'long' }, onSmallCatalog)

function onSmallCatalog(blockBytes: number): void {
  /** Leaves so many bytes free on a disk. */
  function fill(disk: string, left: number): void {
    const handle = openSync(join(disk, 'filler'), 'w')
    const free = (): number => {
      const { bavail, bsize } = statfsSync(disk)
      return bavail * bsize
    }
    try {
      while (free() > left) writeSync(handle, Buffer.alloc(Math.min(1 << 20, Math.max(1024, free() - left))))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown
    } finally {
      closeSync(handle)
    }
  }

  it.for([
    ['full from the start', 0, 3],
    ['full once the catalog is there', 60_000, 3],
    ['full in the middle of a survey', 150_000, 4000],
  ] as const)('that is %s ends a survey with one line', async ([_name, left, files], { skip }) => {
    const folder = temporaryFolder()
    const source = smallSource(folder, files)
    const disk = smallDisk(folder, 12, blockBytes)
    if (typeof disk === 'string') return skip(disk)
    try {
      fill(disk.path, left)
      const home = join(disk.path, 'home')
      const { code, stderr } = await ended(['survey', source, '--samples', 'quick'], home)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toMatch(/^stowage: cannot .*: no space left on the device\n$/)
      expect(code).toBe(4)
    } finally {
      disk.unmount()
    }
  })

  it('with free space allows several surveys at once', async (context) => {
    const folder = temporaryFolder()
    const source = smallSource(folder)
    const disk = smallDisk(folder, 24, blockBytes)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const home = join(disk.path, 'home')
      const survey = ['survey', source, '--samples', 'quick']
      const ends = await Promise.all(Array.from({ length: 4 }, () => ended(survey, home)))
      expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 4 }, () => [0, '']))
    } finally {
      disk.unmount()
    }
  })
}
