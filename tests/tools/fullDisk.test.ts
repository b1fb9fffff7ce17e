import { cpSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'
import { memoryDisk } from '../support/memoryDisk'

const PAGE = 4096
const ROOM = 96 << 20

const folder = temporaryFolder('full-disk')
const at = (...names: string[]): string => join(folder.path, ...names)
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: at('home') })
let surveying: Promise<string> | null = null
/** Its samples take long: only for the commands that need them. */
const surveyed = (): Promise<string> =>
  (surveying ??= run('survey', at('source'), '--json', '--samples', 'fast', '--sketch', at('a.sketch')).then(
    idOf,
  ))
let building: Promise<string> | null = null
/** A plan with a copy of each volume, for commands that say where these are. */
const built = (): Promise<string> =>
  (building ??= (async () => {
    await run('plan', at('other'), '--medium', 'folder:8MB', '--out', at('plan'))
    return idOf(await run('build', at('plan'), '--json'))
  })())
const idOf = (end: CommandEnd): string => {
  expect(end.code, end.stderr).toBe(0)
  return (JSON.parse(end.stdout) as { id: string }).id
}

beforeAll(async () => {
  const random = seededRandom(11)
  for (let index = 0; index < 300; index++) {
    const content = Buffer.alloc(random.below(3000))
    random.fillBytes(content)
    mkdirSync(at('source', `album ${index % 9}`), { recursive: true })
    writeFileSync(at('source', `album ${index % 9}`, `picture number ${index}.jpg`), content)
  }
  // The same under another name: sketch files of two surveys.
  cpSync(at('source', 'album 1'), at('other'), { recursive: true })
  idOf(await run('survey', at('other'), '--json', '--samples', 'none', '--sketch', at('b.sketch')))
  const disk = Buffer.alloc(4 << 20)
  random.fillBytes(disk)
  writeFileSync(at('random.img'), disk)
})
afterAll(() => folder.dispose())

/** Calls `use` with a folder on a file system of its own. */
async function onDisk(
  bytes: number,
  context: TestContext,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const disk = memoryDisk(at('disk'), bytes)
  if (typeof disk === 'string') return context.skip(disk)
  try {
    await use(disk.path)
  } finally {
    disk.unmount()
  }
}

function bytesUsed(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path)
  return (blocks - bfree) * bsize
}

/** Everything that can be written by one command, by what it is called with. */
const COMMANDS: Readonly<Record<string, (disk: string) => string[] | Promise<string[]>>> = {
  'survey --out': (disk) => ['survey', at('source'), '--samples', 'none', '--out', join(disk, 'it.json')],
  'survey --sketch': (disk) => ['survey', at('source'), '--samples', 'none', '--sketch', join(disk, 'it')],
  'survey --fingerprints': (disk) => [
    'survey',
    at('source'),
    '--samples',
    'none',
    '--fingerprint-share',
    '1',
    '--fingerprints',
    join(disk, 'it'),
  ],
  async 'catalog export --parquet'(disk) {
    await built()
    return ['catalog', 'export', '--parquet', join(disk, 'it')]
  },
  'fleet import': (disk) => ['fleet', 'import', at('b.sketch'), '--out', join(disk, 'it')],
  'survey merge --out': async (disk) => [
    'survey',
    'merge',
    await surveyed(),
    at('b.sketch'),
    '--out',
    join(disk, 'it.json'),
  ],
  'plan --out, for discs': (disk) => [
    'plan',
    at('source'),
    '--medium',
    'custom:8MB',
    '--out',
    join(disk, 'it'),
  ],
  'plan --out, for folders': (disk) => [
    'plan',
    at('source'),
    '--medium',
    'folder:8MB',
    '--out',
    join(disk, 'it'),
  ],
  'options --csv': async (disk) => ['options', '--survey', await surveyed(), '--csv', join(disk, 'it.csv')],
  'compare --csv': (disk) => ['compare', '--csv', join(disk, 'it.csv')],
  async 'measure --csv'(disk) {
    const id = idOf(await run('measure', at(), '--budget', '4MB', '--json'))
    return ['measure', '--show', id, '--csv', join(disk, 'it.csv')]
  },
  async 'bands --csv'(disk) {
    const id = idOf(await run('bands', at(), '--sizes', '1MiB,2MiB', '--budget', '90MB', '--json'))
    return ['bands', '--show', id, '--csv', join(disk, 'it.csv')]
  },
  sample: (disk) => ['sample', join(disk, 'it')],
  'image create': (disk) => ['image', 'create', join(disk, 'it.sparsebundle'), '--size', '8MiB'],
  'image convert to a bundle': (disk) => [
    'image',
    'convert',
    at('random.img'),
    join(disk, 'it.sparsebundle'),
  ],
  'image convert to one file': (disk) => ['image', 'convert', at('random.img'), join(disk, 'it.sparseimage')],
  ...Object.fromEntries(
    ['plain', 'iso', 'files-gzip-6', 'files-lz4', 'files-zstd-3', '7z-files'].map((variant) => [
      `options build ${variant}`,
      async (disk: string) => [
        'options',
        'build',
        variant,
        '--survey',
        await surveyed(),
        '--out',
        join(disk, 'it'),
      ],
    ]),
  ),
}

/** A document, and an image. */
const QUICK = new Set(['survey --out', 'image convert to one file'])

describe('a command that writes to a disk that holds half of it', () => {
  for (const [words, args] of Object.entries(COMMANDS)) {
    const tags = QUICK.has(words) ? [] : ['long']
    it(`${words} fails and leaves nothing behind`, { tags }, async (context) => {
      let needed = 0
      await onDisk(ROOM, context, async (disk) => {
        const whole = await run(...(await args(disk)))
        expect(whole.code, whole.stderr).toBe(0)
        needed = bytesUsed(disk)
      })
      // What fits into one page meets a disk without any.
      const isShort = needed <= PAGE
      await onDisk(isShort ? PAGE : Math.floor(needed / 2 / PAGE) * PAGE, context, async (disk) => {
        if (isShort) writeFileSync(join(disk, 'filler'), 'x')
        const end = await run(...(await args(disk)))
        expect(`${end.code} ${end.stderr}`).toMatch(/^4 [^]*(no space left on the device|\d [kMG]?B free)$/m)
        expect(readdirSync(disk)).toEqual(isShort ? ['filler'] : [])
      })
    })
  }
})

it('a command whose output goes to a full disk fails', async (context) => {
  await onDisk(PAGE, context, async (disk) => {
    const command = `exec "$0" "$@" > '${join(disk, 'out.json')}'`
    const { code, stderr } = await stowage(['survey', at('source'), '--samples', 'none', '--json'], {
      home: at('home'),
      through: ['sh', '-c', command],
    })
    expect(`${code} ${stderr}`).toMatch(
      /^4 \{"error":\{"code":"no-space","message":"cannot write the output: /,
    )
  })
})
