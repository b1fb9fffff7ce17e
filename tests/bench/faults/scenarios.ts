import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { type Place, plain } from './faultedCommand.ts'
import { imageReading, imageScenarios } from './imageScenarios.ts'
import { fileReading, jsonReading, jsonTextReading, sizeOf, treeReading } from './readings.ts'
import { restoreScenarios } from './restoreScenarios.ts'
import type { Reading, Scenario, Stowage } from './scenario.ts'
import { setScenarios } from './setScenarios.ts'

/** Times, identifiers and the memory of one run. */
const OF_ONE_RUN = ['id', 'createdWallMs', 'timing', 'trusted', 'notTrusted', 'ctimeNs']
const PLAN: Parameters<typeof treeReading>[1] = {
  text: /./,
  without: /^(images|folders|runs|packed|work|\.stowage-(packed|probe)-[^/]*)(\/|$)/,
}
/** What was packed waits for the next build, which goes on with it. */
const PACKED = /plan\/(packed|work)(\/|$)/

const SPEC = `
name: Small
tests:
  - sizes: [{size: 10kB, count: 10}, {size: 256KiB, count: 3}]
`

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

  const planned = (label: string, medium: string, recipe: string) => (place: Place) => [
    'plan',
    '--option',
    recipe,
    '--survey',
    surveyFile,
    '--medium',
    medium,
    '--label',
    label,
    '--out',
    join(place.out, 'plan'),
  ]
  const withPlan =
    (medium: string, built: boolean, recipe = 'plain') =>
    async (stowage: Stowage, place: Place) => {
      await stowage(...planned('FIRST', medium, recipe)(place))
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
      args: planned('SECOND', 'cd-700', 'plain'),
      reading: ({ out }) => ({ plan: treeReading(join(out, 'plan'), PLAN) }),
    },
    {
      name: 'plan --force',
      setup: withPlan('cd-700', true),
      args: (place) => [...planned('SECOND', 'custom:1130kB', 'plain')(place), '--force'],
      reading: ({ out }) => ({
        plan: treeReading(join(out, 'plan'), {
          ...PLAN,
          without: /^(images|folders|runs|my notes\.txt|scans|\.stowage-probe-[^/]*)(\/|$)/,
        }),
      }),
      foreign: [
        'plan/my notes.txt',
        'plan/scans/a.png',
        'plan/images/scans/b.png',
        'plan/folders/mine',
        'plan/runs/notes.txt',
      ],
      keptIn: /^plan\.replaced-DATE(-2)?$/,
    },
    {
      name: 'build (images)',
      setup: withPlan('custom:1130kB', false),
      args: ({ out }) => ['build', join(out, 'plan')],
      reading: ofPlan('images'),
    },
    {
      name: 'build --force (images)',
      setup: withPlan('custom:1130kB', true),
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
      name: 'build (packed images)',
      setup: withPlan('custom:1130kB', false, '7z-files'),
      args: ({ out }) => ['build', join(out, 'plan')],
      reading: ofPlan('images'),
      mayWait: PACKED,
    },
    {
      name: 'build --force (packed images)',
      setup: withPlan('custom:1130kB', true, '7z-files'),
      args: ({ out }) => ['build', join(out, 'plan'), '--force'],
      reading: ofPlan('images'),
      mayWait: PACKED,
    },
    {
      name: 'build --stream',
      setup: withPlan('custom:1130kB', false, '7z-files'),
      args: ({ out }) => ['build', join(out, 'plan'), '--stream'],
      reading: ofPlan('images'),
      mayWait: PACKED,
    },
    {
      name: 'build (packed folders)',
      setup: withPlan('folder:400kB', false, 'files-zstd-3'),
      args: ({ out }) => ['build', join(out, 'plan')],
      reading: ofPlan('folders'),
      mayWait: PACKED,
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
      // A test that failed has no row.
      reading: ({ out }) => ({ csv: rowsOf(join(out, 'measure.csv')).replace(/^\d+ rows/, 'rows') }),
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
    ...imageScenarios(random),
    ...restoreScenarios(random),
    ...setScenarios(random),
  ]
}

/** What a sketch and another one hold together; '-' for none. */
async function sketchReading(place: Place, name: string, other: string): Promise<string> {
  const path = join(place.out, name)
  if (sizeOf(path) === '-') return '-'
  const reader = { ...place, home: join(place.folder, 'reader') }
  const { code, stdout, stderr } = await plain(reader, ['survey', 'merge', path, other, '--json'])
  return code === 0 ? jsonTextReading(stdout, OF_ONE_RUN) : `does not merge: ${stderr.trim()}`
}

/** The number of rows of a table and of their columns. */
function rowsOf(path: string): string {
  if (sizeOf(path) === '-') return '-'
  const text = readFileSync(path, 'utf8')
  const rows = text.split('\n')
  const columns = new Set(rows.slice(0, -1).map((row) => row.replace(/"[^"]*"/g, '').split(',').length))
  return `${rows.length} rows of ${[...columns].join(', ')}, the last ${JSON.stringify(rows.at(-1))}`
}
