import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { type CommandEnd, type Place, plain } from './faultedCommand.ts'
import { fileReading, jsonReading, jsonTextReading, treeReading } from './readings.ts'

/** Each target by its name, as text that is equal when what is there is. */
export type Reading = Readonly<Record<string, string>>

/** A command that writes, from the state in which it is started to what it leaves. */
export interface Scenario {
  readonly name: string
  /** Brings the place into the state before the command. */
  setup?(stowage: Stowage, place: Place): Promise<void> | void
  args(place: Place): string[]
  reading(place: Place): Reading | Promise<Reading>
  /** Files of the person's within what the command replaces. */
  readonly foreign?: readonly string[]
  /** A share of the usual number of faults, where a run takes long. */
  readonly share?: number
  /** It may end with this exit code without faults. */
  readonly code?: number
}

/** Runs a command that has to succeed. */
export type Stowage = (...args: string[]) => Promise<CommandEnd>

/** Times, identifiers and the memory of one run. */
const OF_ONE_RUN = ['id', 'createdWallMs', 'timing', 'trusted', 'notTrusted', 'ctimeNs']
const PLAN: Parameters<typeof treeReading>[1] = { text: /./, without: /^(images|folders|runs)(\/|$)/ }

const SPEC = `
name: Small
tests:
  - sizes: [{size: 10kB, count: 10}, {size: 256KiB, count: 3}]
`
const [OLD_PASSWORD, NEW_PASSWORD] = ['correct horse', 'battery staple']
const DISK_BYTES = 6 << 20

/** Some files of each sort: text, noise, copies, links, an empty one and an awkward name. */
export function makeSource(folder: string, random: SeededRandom): void {
  mkdirSync(join(folder, 'letters'), { recursive: true })
  mkdirSync(join(folder, 'photos/empty folder'), { recursive: true })
  for (let index = 0; index < 8; index++) {
    const words = Array.from({ length: 3000 }, () => `word${random.below(500)}`).join(' ')
    writeFileSync(join(folder, `letters/${index}.txt`), words)
    const noise = new Uint8Array(40_000 + 1000 * index)
    random.fillBytes(noise)
    writeFileSync(join(folder, `photos/${index}.jpg`), noise)
    if (index % 4 === 0) writeFileSync(join(folder, `photos/again ${index}.jpg`), noise)
  }
  writeFileSync(join(folder, 'letters/nothing'), '')
  writeFileSync(join(folder, "-o it's $HOME.txt"), 'awkward\n')
}

/** @param surveyFile of the source, with samples; @param otherSketch of other files */
export function scenarios(surveyFile: string, otherSketch: string, random: SeededRandom): Scenario[] {
  const onDisk = new Uint8Array(DISK_BYTES)
  random.fillBytes(onDisk.subarray(0, 2 << 20))
  random.fillBytes(onDisk.subarray(4 << 20, (4 << 20) + 70_000))

  const survey = (more: readonly string[]): Pick<Scenario, 'args' | 'reading'> => ({
    args: ({ source, out }) => [
      'survey',
      source,
      '--samples',
      'none',
      '--out',
      join(out, 's.json'),
      '--sketch',
      join(out, 's.sketch'),
      ...more,
    ],
    reading: async (place) => ({
      survey: jsonReading(join(place.out, 's.json'), OF_ONE_RUN),
      sketch: await sketchReading(place, 's.sketch', otherSketch),
    }),
  })

  const option = (variant: string, name: string, reading: (path: string) => string): Scenario => ({
    name: `options build ${variant}`,
    args: ({ out }) => [
      'options',
      'build',
      `${variant}@disk`,
      '--survey',
      surveyFile,
      '--out',
      join(out, name),
    ],
    reading: ({ out }) => ({ built: reading(join(out, name)) }),
  })

  const planned = (label: string, medium: string) => (place: Place) => [
    'plan',
    '--survey',
    surveyFile,
    '--medium',
    medium,
    '--label',
    label,
    '--out',
    join(place.out, 'plan'),
  ]
  const withPlan = (medium: string, built: boolean) => async (stowage: Stowage, place: Place) => {
    await stowage(...planned('FIRST', medium)(place))
    if (built) await stowage('build', join(place.out, 'plan'))
  }
  const ofPlan = (part: 'images' | 'folders') => (place: Place) => {
    const volumes = ['01', '02'].map((number) => `${part}/${number}${part === 'images' ? '.iso' : ''}`)
    const built = volumes.map((name) => {
      const path = join(place.out, 'plan', name)
      return [name, part === 'images' ? fileReading(path) : treeReading(path)]
    })
    return { ...Object.fromEntries(built), plan: treeReading(join(place.out, 'plan'), PLAN) } as Reading
  }

  const disk = (out: string): string => {
    writeFileSync(join(out, 'disk.img'), onDisk)
    return join(out, 'disk.img')
  }
  const oldPassword = (folder: string): string[] => ['--password-file', join(folder, 'old.password')]
  const passwordFiles = (folder: string): void => {
    writeFileSync(join(folder, 'old.password'), `${OLD_PASSWORD}\n`)
    writeFileSync(join(folder, 'new.password'), `${NEW_PASSWORD}\n`)
  }
  const image =
    (name: string, isEncrypted = false) =>
    async (place: Place): Promise<Reading> => ({ image: await imageReading(place, name, isEncrypted) })
  const changedImage = (
    name: string,
    kind: string,
    verb: (path: string) => string[],
    prepare: (stowage: Stowage, path: string) => Promise<unknown> = () => Promise.resolve(),
  ): Scenario => ({
    name: `image ${verb('')[0]} ${kind}`,
    setup: async (stowage, { out }) => {
      const bands = kind === 'UDSB' ? ['--band', '1MiB'] : []
      await stowage('image', 'convert', disk(out), join(out, name), '--to', kind, ...bands)
      await prepare(stowage, join(out, name))
    },
    args: ({ out }) => ['image', ...verb(join(out, name))],
    reading: image(name),
  })

  return [
    { name: 'survey --out --sketch', ...survey([]) },
    {
      name: 'survey --force --full',
      ...survey(['--force', '--full']),
      setup: async (stowage, { source, out }) => {
        const paths = ['--out', join(out, 's.json'), '--sketch', join(out, 's.sketch')]
        await stowage('survey', join(source, 'letters'), '--samples', 'none', ...paths)
      },
    },
    {
      name: 'survey again',
      ...survey(['--force']),
      setup: async (stowage, { source, out }) => {
        await stowage('survey', source, '--samples', 'none')
        await stowage('survey', join(source, 'letters'), '--samples', 'none', '--out', join(out, 's.json'))
      },
    },
    {
      name: 'survey --order-list',
      args: ({ source, out }) => [
        'survey',
        source,
        '--samples',
        'fast',
        '--out',
        join(out, 's.json'),
        '--order-list',
        join(out, 'order'),
      ],
      reading: ({ out }) => ({
        survey: jsonReading(join(out, 's.json'), [...OF_ONE_RUN, 'compression', 'combined', 'solid']),
        order: fileReading(join(out, 'order')),
      }),
      share: 0.5,
    },
    {
      name: 'survey merge --out',
      setup: async (stowage, { source, out }) => {
        for (const part of ['letters', 'photos'])
          await stowage(
            'survey',
            join(source, part),
            '--samples',
            'none',
            '--sketch',
            join(out, `${part}.sketch`),
          )
      },
      args: ({ out }) => [
        'survey',
        'merge',
        join(out, 'letters.sketch'),
        join(out, 'photos.sketch'),
        '--out',
        join(out, 'merged.json'),
      ],
      reading: ({ out }) => ({ merged: jsonReading(join(out, 'merged.json'), [...OF_ONE_RUN, 'elapsedMs']) }),
    },
    {
      name: 'catalog list (first start)',
      args: () => ['catalog', 'list'],
      reading: () => ({}),
      share: 0.5,
    },
    {
      name: 'sample',
      args: ({ out }) => ['sample', join(out, 'sample')],
      reading: ({ out }) => ({ sample: treeReading(join(out, 'sample')) }),
    },
    {
      name: 'plan --out',
      args: planned('SECOND', 'cd-700'),
      reading: ({ out }) => ({ plan: treeReading(join(out, 'plan'), PLAN) }),
    },
    {
      name: 'plan --force',
      setup: withPlan('cd-700', true),
      args: (place) => [...planned('SECOND', 'custom:900kB')(place), '--force'],
      reading: ({ out }) => ({
        plan: treeReading(join(out, 'plan'), {
          ...PLAN,
          without: /^(images|folders|runs|my notes\.txt|scans)(\/|$)/,
        }),
      }),
      foreign: ['plan/my notes.txt', 'plan/scans/a.png'],
    },
    {
      name: 'build (images)',
      setup: withPlan('custom:900kB', false),
      args: ({ out }) => ['build', join(out, 'plan')],
      reading: ofPlan('images'),
    },
    {
      name: 'build --force (images)',
      setup: withPlan('custom:900kB', true),
      args: ({ out }) => ['build', join(out, 'plan'), '--force'],
      reading: ofPlan('images'),
    },
    {
      name: 'build (folders)',
      setup: withPlan('folder:400kB', false),
      args: ({ out }) => ['build', join(out, 'plan')],
      reading: ofPlan('folders'),
    },
    {
      name: 'build --force (folders)',
      setup: withPlan('folder:400kB', true),
      args: ({ out }) => ['build', join(out, 'plan'), '--force'],
      reading: ofPlan('folders'),
    },
    {
      name: 'verify',
      setup: withPlan('cd-700', true),
      args: ({ out }) => ['verify', join(out, 'plan')],
      reading: ofPlan('images'),
    },
    {
      name: 'options --csv',
      args: ({ out }) => ['options', '--survey', surveyFile, '--csv', join(out, 'options.csv')],
      reading: ({ out }) => ({ csv: rowsOf(join(out, 'options.csv')) }),
    },
    option('plain', 'plain', (path) => treeReading(path, { withTimes: true })),
    option('files-zstd-3', 'files', (path) => treeReading(path)),
    option('tar-zst-19-1m-path', 'a.tar.zst', fileReading),
    option('7z-solid-1m-type', 'a.7z', fileReading),
    option('squashfs-gzip-128k', 'a.squashfs', fileReading),
    option('iso', 'a.iso', fileReading),
    {
      ...option('udzo', 'a.dmg', fileReading),
      reading: async (place) => ({ built: await imageReading(place, 'a.dmg', false) }),
    },
    { ...option('borg-1-lz4', 'borg', (path) => treeReading(path, { namesOnly: true })), share: 0.5 },
    {
      ...option('7z-solid-1m-type', 'a.7z', fileReading),
      name: 'options build --force',
      setup: (_stowage, { out }) => writeFileSync(join(out, 'a.7z'), 'what was there before'),
      args: ({ out }) => [
        'options',
        'build',
        '7z-solid-1m-type@disk',
        '--survey',
        surveyFile,
        '--force',
        '--out',
        join(out, 'a.7z'),
      ],
    },
    {
      name: 'measure --csv',
      setup: (_stowage, { folder }) => writeFileSync(join(folder, 'spec.yaml'), SPEC),
      args: ({ folder, out }) => [
        'measure',
        out,
        '--spec',
        join(folder, 'spec.yaml'),
        '--csv',
        join(out, 'measure.csv'),
      ],
      reading: ({ out }) => ({ csv: rowsOf(join(out, 'measure.csv')) }),
    },
    {
      name: 'bands --csv',
      args: ({ out }) => [
        'bands',
        out,
        '--sizes',
        '1MiB',
        '--kinds',
        'UDSB',
        '--repeats',
        '3',
        '--budget',
        '60MiB',
        '--csv',
        join(out, 'bands.csv'),
      ],
      reading: ({ out }) => ({ csv: rowsOf(join(out, 'bands.csv')) }),
      share: 0.5,
    },
    ...(['UDSB', 'UDSP', 'UDRW'] as const).map((kind) => ({
      name: `image create ${kind}`,
      args: ({ out }: Place) => ['image', 'create', join(out, 'new'), '--size', '30MiB', '--kind', kind],
      reading: image('new'),
      share: 0.5,
    })),
    {
      name: 'image create --encrypt',
      setup: (_stowage, { folder }) => passwordFiles(folder),
      args: ({ folder, out }) => [
        'image',
        'create',
        join(out, 'a.sparsebundle'),
        '--size',
        '30MiB',
        '--encrypt',
        '256',
        ...oldPassword(folder),
      ],
      reading: image('a.sparsebundle', true),
      share: 0.5,
    },
    {
      name: 'image create --force UDSB',
      setup: async (stowage, { out }) => {
        await stowage('image', 'convert', disk(out), join(out, 'a.sparsebundle'))
      },
      args: ({ out }) => ['image', 'create', join(out, 'a.sparsebundle'), '--size', '30MiB', '--force'],
      reading: image('a.sparsebundle'),
    },
    ...(['UDZO', 'UDSB', 'UDSP', 'UDRW'] as const).map((kind) => ({
      name: `image convert --to ${kind}`,
      setup: (_stowage: Stowage, { out }: Place) => {
        disk(out)
      },
      args: ({ out }: Place) => ['image', 'convert', join(out, 'disk.img'), join(out, 'new'), '--to', kind],
      reading: image('new'),
    })),
    {
      name: 'image convert --force UDZO',
      setup: async (stowage, { out }) => {
        disk(out)
        await stowage('image', 'create', join(out, 'a.dmg'), '--size', '3MiB', '--kind', 'UDRW')
      },
      args: ({ out }) => [
        'image',
        'convert',
        join(out, 'disk.img'),
        join(out, 'a.dmg'),
        '--to',
        'UDZO',
        '--force',
      ],
      reading: image('a.dmg'),
    },
    changedImage('a.sparsebundle', 'UDSB', (path) => ['resize', path, '60MiB']),
    changedImage('a.sparseimage', 'UDSP', (path) => ['resize', path, '60MiB']),
    changedImage('a.img', 'UDRW', (path) => ['resize', path, '60MiB']),
    changedImage(
      'a.sparsebundle',
      'UDSB',
      (path) => ['compact', path],
      (_stowage, path) => {
        for (const band of ['3', '5']) writeFileSync(join(path, 'bands', band), new Uint8Array(1 << 20))
        return Promise.resolve()
      },
    ),
    changedImage('a.sparseimage', 'UDSP', (path) => ['compact', path]),
    changedImage('a.sparsebundle', 'UDSB', (path) => ['rebands', path, '2MiB']),
    ...(['a.sparsebundle', 'a.img'] as const).map((name) => ({
      name: `image passwd ${name}`,
      setup: async (stowage: Stowage, { folder, out }: Place) => {
        passwordFiles(folder)
        const to = ['--encrypt', '128', '--new-password-file', join(folder, 'old.password')]
        await stowage('image', 'convert', disk(out), join(out, name), ...to)
      },
      args: ({ folder, out }: Place) => [
        'image',
        'passwd',
        join(out, name),
        ...oldPassword(folder),
        '--new-password-file',
        join(folder, 'new.password'),
      ],
      reading: image(name, true),
    })),
  ]
}

/** The kind of an image and the digest of the disk in it; '-' for none, and the reason where it does not open. */
async function imageReading(place: Place, name: string, isEncrypted: boolean): Promise<string> {
  const path = join(place.out, name)
  if (sizeOf(path) === '-') return '-'
  const passwords = isEncrypted ? ['old.password', 'new.password'] : [null]
  let last = ''
  for (const file of passwords) {
    const unlock = file === null ? [] : ['--password-file', join(place.folder, file)]
    const reader = { ...place, home: join(place.folder, 'reader') }
    const { code, stdout, stderr } = await plain(reader, [
      'image',
      'verify',
      path,
      '--sha256',
      '--json',
      ...unlock,
    ])
    // 6: it opens, and something is wrong with it.
    if (code === 0 || (code === 6 && stdout !== '')) {
      const { sha256, problems } = JSON.parse(stdout) as { sha256: string; problems: string[] }
      return `${file ?? 'open'} ${sha256.slice(0, 16)}${problems.map((problem) => `: ${problem}`).join('')}`
    }
    last = stderr.trim()
  }
  return `does not open: ${last}`
}

/** What a sketch and another one hold together; '-' for none. */
async function sketchReading(place: Place, name: string, other: string): Promise<string> {
  const path = join(place.out, name)
  if (sizeOf(path) === '-') return '-'
  const reader = { ...place, home: join(place.folder, 'reader') }
  const { code, stdout, stderr } = await plain(reader, ['survey', 'merge', path, other, '--json'])
  return code === 0 ? jsonTextReading(stdout, OF_ONE_RUN) : `does not merge: ${stderr.trim()}`
}

function sizeOf(path: string): string {
  try {
    return String(readFileSync(path).length)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : '-'
  }
}

/** The number of rows of a table and of their columns. */
function rowsOf(path: string): string {
  if (sizeOf(path) === '-') return '-'
  const text = readFileSync(path, 'utf8')
  const rows = text.split('\n')
  const columns = new Set(rows.slice(0, -1).map((row) => row.replace(/"[^"]*"/g, '').split(',').length))
  return `${rows.length} rows of ${[...columns].join(', ')}, the last ${JSON.stringify(rows.at(-1))}`
}
