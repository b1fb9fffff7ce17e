import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { CopiesDocument } from '../../../src/contract/dto/copies.ts'
import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { folderOnOtherDisk } from '../../support/otherDisk.ts'
import { type CommandEnd, type Place, plain } from './faultedCommand.ts'
import { noise, overwrite } from './imageBytes.ts'
import { digestOf, fileReading, treeReading } from './readings.ts'
import { restoredReading, targetOf } from './restoreScenarios.ts'
import type { Reading, Scenario, Stowage } from './scenario.ts'
import { imageReadings, imagesOf, planDocument, planOf } from './setImages.ts'

const SECTOR = 2048
const IMAGES = ['--medium', 'custom:2500kB', '--label', 'SET']
const FOLDERS = ['--medium', 'folder:1500kB', '--label', 'SET']
const PROTECTED = [...IMAGES, '--protect', '8%']
const PARITY = [...PROTECTED, '--protect-set', '2']
const PACKED = [...IMAGES, '--option', '7z-files']
/** Of a plan's folder; what is made of it later has readings of its own. */
const PLAN: Parameters<typeof treeReading>[1] = {
  text: /./,
  without: /^(images|folders|runs|packed|work|\.stowage-(packed|probe)-[^/]*)(\/|$)/,
}
/** What was packed waits for the next build. */
const WAITS = /plan\d?\/(packed|work)(\/|$)/

/** Recovery data, parity discs, archives that grow, copies, labels and project files. */
export function setScenarios(random: SeededRandom): Scenario[] {
  const scans = Array.from({ length: 5 }, () => noise(random, 700_000))
  const added = noise(random, 300_000)

  const makeWhole = (place: Place): void => {
    cpSync(place.source, wholeOf(place), { recursive: true, preserveTimestamps: true })
    for (const [at, scan] of scans.entries()) writeFileSync(join(wholeOf(place), `scan ${at}.tif`), scan)
  }
  const withPlan =
    (how: readonly string[], isBuilt = true) =>
    async (stowage: Stowage, place: Place): Promise<void> => {
      makeWhole(place)
      await stowage('plan', wholeOf(place), ...how, '--out', planOf(place))
      if (isBuilt) await stowage('build', planOf(place))
    }
  const plan = (name: string, how: readonly string[], more: Partial<Scenario> = {}): Scenario => ({
    name,
    setup: async (stowage, place) => {
      makeWhole(place)
      await stowage('survey', wholeOf(place), '--samples', 'none')
    },
    args: (place) => ['plan', wholeOf(place), ...how, '--out', planOf(place)],
    reading: (place) => ({ plan: treeReading(planOf(place), PLAN) }),
    ...more,
  })
  const build = (name: string, how: readonly string[], more: readonly string[] = []): Scenario => ({
    name,
    setup: withPlan(how, more.length > 0),
    args: (place) => ['build', planOf(place), ...more],
    reading: (place) => imageReadings(planOf(place)),
    share: 0.7,
  })

  const change = (place: Place): void => {
    const whole = wholeOf(place)
    writeFileSync(join(whole, 'added.tif'), added)
    cpSync(join(whole, 'photos/1.jpg'), join(whole, 'moved.jpg'), { preserveTimestamps: true })
    for (const name of ['photos/1.jpg', 'letters/2.txt']) rmSync(join(whole, name))
  }
  /** An archive that grew: new, moved and deleted files since the plan that was built. */
  const grown =
    (how: readonly string[], next: readonly string[] | null = null) =>
    async (stowage: Stowage, place: Place): Promise<void> => {
      await withPlan(how)(stowage, place)
      change(place)
      if (next !== null)
        await stowage('plan', wholeOf(place), ...next, '--add-to', planOf(place), '--out', secondOf(place))
    }
  const addTo = (name: string, how: readonly string[]): Scenario => ({
    name,
    // From a survey that is there: what a second one samples after a kill may forecast other sizes.
    setup: async (stowage, place) => {
      await grown(how)(stowage, place)
      await stowage('survey', wholeOf(place), '--samples', 'fast', '--sha256', '--out', surveyOf(place))
    },
    args: (place) => [
      'plan',
      '--survey',
      surveyOf(place),
      ...how,
      '--add-to',
      planOf(place),
      '--out',
      secondOf(place),
    ],
    reading: (place) => ({ plan: treeReading(secondOf(place), PLAN), first: digestOfImages(place) }),
  })
  const buildAdded = (name: string, how: readonly string[]): Scenario => ({
    name,
    setup: grown(how, how),
    args: (place) => ['build', secondOf(place)],
    reading: (place) => ({ ...imageReadings(secondOf(place)), first: digestOfImages(place) }),
    mayWait: WAITS,
    share: 0.7,
  })

  /** A first image that is scratched no longer than its recovery data repairs. */
  const scratched =
    (how: readonly string[]) =>
    async (stowage: Stowage, place: Place): Promise<void> => {
      await withPlan(how)(stowage, place)
      scratch(place, join(place.out, 'damaged.iso'))
    }
  const scratch = (place: Place, to: string): void => {
    const [first] = imagesOf(planOf(place))
    if (first === undefined || first.promisedBytes < SECTOR) throw new Error('no recovery data is planned')
    copyFileSync(first.path, to)
    const sectors = Math.floor(first.promisedBytes / SECTOR)
    const from = random.below(Math.floor(statSync(to).size / SECTOR) - sectors)
    overwrite(to, from * SECTOR, Buffer.alloc(sectors * SECTOR, 0x5a))
  }
  const made = (
    name: string,
    setup: NonNullable<Scenario['setup']>,
    args: Scenario['args'],
    original = 0,
  ): Scenario => ({
    name,
    setup,
    args,
    reading: ({ out }) => ({ image: fileReading(join(out, 'made.iso')) }),
    falseWords: (place) => {
      const now = fileReading(join(place.out, 'made.iso'))
      const right = fileReading(imagesOf(planOf(place))[original]?.path ?? '')
      const old = fileReading(join(place.out, 'old.iso'))
      return ['-', old, right].includes(now) ? [] : ['the image is not the original']
    },
  })
  const images = (place: Place, ...without: readonly number[]): string[] =>
    imagesOf(planOf(place)).flatMap(({ path, index }) => (without.includes(index) ? [] : [path]))

  /** Copy 1 is on another disk, so that a whole copy 2 makes the source safe. */
  const withCopy =
    (how: readonly string[], more?: NonNullable<Scenario['setup']>) =>
    async (stowage: Stowage, place: Place): Promise<void> => {
      await withPlan(how)(stowage, place)
      const other = folderOnOtherDisk(place.folder)
      otherDisks.push(other)
      cpSync(join(planOf(place), isFolders(place) ? 'folders' : 'images'), plannedOf(place), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      })
      await stowage('write', planOf(place), '--to', other, '--place', 'home')
      mkdirSync(shelfOf(place))
      await more?.(stowage, place)
    }
  const copies = (name: string, how: readonly string[], more: Partial<Scenario> = {}): Scenario => ({
    name,
    setup: withCopy(how),
    args: (place) => ['write', planOf(place), '--to', shelfOf(place), ...SECOND_COPY],
    reading: async (place) => ({ ...copiesReading(place), safe: await verdictOf(place) }),
    falseWords: falseCopies,
    share: 0.7,
    ...more,
  })
  const note = (verb: string, more: readonly string[], before: readonly string[] = []): Scenario => ({
    name: `catalog ${verb}`,
    setup: withCopy(IMAGES, async (stowage, place) => {
      if (before.length > 0) await stowage('catalog', ...before, planDocument(planOf(place)).id)
    }),
    args: (place) => ['catalog', verb, planDocument(planOf(place)).id, ...more],
    reading: async (place) => ({ notes: await notesOf(place) }),
    share: 0.4,
  })

  const restored = (
    name: string,
    setup: NonNullable<Scenario['setup']>,
    from: (place: Place) => string[],
  ): Scenario => ({
    name,
    setup,
    args: (place) => ['restore', ...from(place), '--to', targetOf(place)],
    reading: restoredReading,
    mayWait: /\.joining$/,
  })

  return [
    plan('plan --protect --protect-set', PARITY),
    build('build (recovery data)', PROTECTED),
    build('build (parity)', PARITY),
    build('build --force (parity)', PARITY, ['--force']),
    addTo('plan --add-to', PROTECTED),
    addTo('plan --add-to (packed)', PACKED),
    buildAdded('build (added)', PARITY),
    buildAdded('build (added, packed)', PACKED),
    made('repair', scratched(PROTECTED), ({ out }) => [
      'repair',
      join(out, 'damaged.iso'),
      '--out',
      join(out, 'made.iso'),
    ]),
    made(
      'repair --force --parity',
      async (stowage, place) => {
        await scratched(PARITY)(stowage, place)
        scratch(place, join(place.out, 'old.iso'))
        copyFileSync(join(place.out, 'old.iso'), join(place.out, 'made.iso'))
      },
      (place) => [
        'repair',
        join(place.out, 'damaged.iso'),
        '--out',
        join(place.out, 'made.iso'),
        '--force',
        '--parity',
        images(place).at(-1) ?? '',
      ],
    ),
    made(
      'rebuild',
      withPlan(PARITY),
      (place) => ['rebuild', ...images(place, 2), '--volume', '2', '--out', join(place.out, 'made.iso')],
      1,
    ),
    made(
      'rebuild --force (two lost)',
      async (stowage, place) => {
        await scratched(PARITY)(stowage, place)
        scratch(place, join(place.out, 'old.iso'))
        copyFileSync(join(place.out, 'old.iso'), join(place.out, 'made.iso'))
      },
      (place) => [
        'rebuild',
        ...images(place, 1, 2),
        '--volume',
        '1',
        '--force',
        '--out',
        join(place.out, 'made.iso'),
      ],
    ),
    restored('restore (by recovery data)', scratched(PROTECTED), (place) => [
      join(place.out, 'damaged.iso'),
      ...images(place, 1),
    ]),
    restored(
      'restore (grown)',
      async (stowage, place) => {
        await grown(PROTECTED, PROTECTED)(stowage, place)
        await stowage('build', secondOf(place))
      },
      (place) => [planOf(place), secondOf(place)],
    ),
    copies('write --copy (images)', PARITY),
    copies('write --copy (folders)', FOLDERS),
    copies('write --copy (not built)', PROTECTED, {
      setup: withCopy(PROTECTED, (_stowage, place) =>
        rmSync(join(planOf(place), 'images'), { recursive: true }),
      ),
      reading: async (place) => ({
        ...copiesReading(place),
        ...imageReadings(planOf(place)),
        safe: await verdictOf(place),
      }),
    }),
    copies('write --again', IMAGES, {
      setup: withCopy(IMAGES, async (stowage, place) => {
        await stowage('write', planOf(place), '--to', shelfOf(place), ...SECOND_COPY)
        const copy = join(shelfOf(place), `${imagesOf(planOf(place))[0]?.label}.iso`)
        overwrite(copy, 300 * SECTOR, Buffer.alloc(200 * SECTOR, 0x33))
        const { code, stderr } = await plain(place, ['verify', copy])
        if (code !== 6) throw new Error(`a damaged copy is not called so: ${stderr}`)
      }),
      args: (place) => [
        'write',
        planOf(place),
        '--to',
        shelfOf(place),
        ...SECOND_COPY,
        '--volume',
        '1',
        '--again',
      ],
    }),
    copies('write --again (folders)', FOLDERS, {
      setup: withCopy(FOLDERS, async (stowage, place) => {
        await stowage('write', planOf(place), '--to', shelfOf(place), ...SECOND_COPY)
        const [copy = ''] = readdirSync(shelfOf(place)).map((name) => join(shelfOf(place), name))
        writeFileSync(join(copy, 'STOWAGE/INDEX.tsv'), 'not a list')
        await plain(place, ['verify', copy])
      }),
      args: (place) => ['write', planOf(place), '--to', shelfOf(place), ...SECOND_COPY, '--again'],
    }),
    note('lost', ['--copy', '1']),
    note('found', ['--copy', '1'], ['lost']),
    note('place', ['--copy', '3', '--place', 'cabin', '--medium', 'disk']),
    {
      name: 'safe',
      setup: withCopy(IMAGES, async (stowage, place) => {
        await stowage('write', planOf(place), '--to', shelfOf(place), ...SECOND_COPY)
      }),
      args: (place) => ['safe', wholeOf(place)],
      reading: async (place) => ({ notes: await notesOf(place) }),
      share: 0.3,
    },
    {
      name: 'verify (parity)',
      setup: withPlan(PARITY),
      args: (place) => ['verify', planOf(place)],
      reading: (place) => imageReadings(planOf(place)),
      share: 0.4,
    },
    {
      name: 'labels',
      setup: withPlan(PARITY),
      args: (place) => ['labels', planOf(place), '--out', join(place.out, 'labels')],
      reading: (place) => labelReadings(place),
    },
    {
      name: 'labels --force',
      setup: async (stowage, place) => {
        await withPlan(PARITY)(stowage, place)
        await stowage('labels', planOf(place), '--out', join(place.out, 'labels'), '--copy', '2')
      },
      args: (place) => ['labels', planOf(place), '--out', join(place.out, 'labels'), '--force'],
      reading: (place) => labelReadings(place),
      foreign: ['labels/mine.svg'],
    },
    {
      name: 'project init',
      args: (place) => ['project', 'init', projectOf(place), place.source, '--medium', 'custom:2500kB'],
      reading: (place) => ({ project: fileReading(projectOf(place), true) }),
      share: 0.4,
    },
    {
      name: 'project set',
      setup: async (stowage, place) => {
        await stowage('project', 'init', projectOf(place), place.source, '--medium', 'custom:2500kB')
      },
      args: (place) => ['project', 'set', projectOf(place), 'copies', '3'],
      reading: (place) => ({ project: fileReading(projectOf(place)) }),
      share: 0.4,
    },
    {
      name: 'plan --project (adding)',
      setup: async (stowage, place) => {
        makeWhole(place)
        await stowage('project', 'init', projectOf(place), wholeOf(place), ...IMAGES)
        await stowage('plan', '--project', projectOf(place), '--out', planOf(place))
        await stowage('build', planOf(place))
        change(place)
      },
      args: (place) => ['plan', '--project', projectOf(place), '--out', secondOf(place)],
      reading: (place) => ({ plan: treeReading(secondOf(place), PLAN), first: digestOfImages(place) }),
    },
  ]
}

const otherDisks: string[] = []
process.once('exit', () => {
  for (const folder of otherDisks) rmSync(folder, { recursive: true, force: true })
})

const SECOND_COPY = ['--copy', '2', '--place', 'cabin']
const wholeOf = ({ folder }: Place): string => join(folder, 'whole')
const surveyOf = ({ folder }: Place): string => join(folder, 'survey.json')
const secondOf = ({ out }: Place): string => join(out, 'plan2')
const shelfOf = ({ out }: Place): string => join(out, 'shelf')
const plannedOf = ({ folder }: Place): string => join(folder, 'planned')
const projectOf = ({ out }: Place): string => join(out, 'a.stowage.yaml')

const isFolders = (place: Place): boolean => planDocument(planOf(place)).medium.kind === 'folder'

const digestOfImages = (place: Place): string => digestOf(JSON.stringify(imageReadings(planOf(place))))

/** A volume by its content, an image or a folder. */
const volumeReading = (path: string): string =>
  existsSync(path) && statSync(path).isDirectory() ? treeReading(path) : fileReading(path)

/** What is on the shelf, by label. */
function copiesReading(place: Place): Record<string, string> {
  const ending = isFolders(place) ? '' : '.iso'
  return Object.fromEntries(
    imagesOf(planOf(place)).map(({ label }) => [
      label,
      volumeReading(join(shelfOf(place), `${label}${ending}`)),
    ]),
  )
}

function labelReadings(place: Place): Reading {
  const drawings = imagesOf(planOf(place)).flatMap(({ label }) =>
    ['disc', 'case', 'tray'].map((part) => `${label}-${part}.svg`),
  )
  return Object.fromEntries(
    ['labels.pdf', ...drawings].map((name) => [name, fileReading(join(place.out, 'labels', name))]),
  )
}

/** Asks a copy of the catalog, so that nothing is mended by asking. */
async function asked(place: Place, ...args: string[]): Promise<CommandEnd> {
  const home = join(place.folder, 'reader')
  rmSync(home, { recursive: true, force: true })
  cpSync(place.home, home, { recursive: true })
  return plain({ ...place, home }, args)
}

async function copiesOf(place: Place): Promise<CopiesDocument['copies']> {
  const { code, stdout, stderr } = await asked(place, 'catalog', 'status', '--all', '--json')
  if (code !== 0) throw new Error(`catalog status ended with ${code}: ${stderr}`)
  return (JSON.parse(stdout) as CopiesDocument).copies
}

/** The state and place of every copy. */
async function notesOf(place: Place): Promise<string> {
  const copies = await copiesOf(place)
  return copies.map(({ label, copy, state, place: at }) => `${label} ${copy} ${state} ${at}`).join('\n')
}

async function verdictOf(place: Place): Promise<string> {
  const { code } = await asked(place, 'safe', wholeOf(place))
  return `exit ${code}`
}

/** Copies that the catalog calls good and whose bytes are not those of the plan, and a verdict that counts on them. */
async function falseCopies(place: Place): Promise<string[]> {
  const planned = new Map(imagesOf(planOf(place)).map((image) => [image.index, image]))
  const rightOf = (volume: number): string => {
    const name = basename(planned.get(volume)?.path ?? '')
    return volumeReading(join(plannedOf(place), isFolders(place) ? name.replace('.iso', '') : name))
  }
  const wrong = (await copiesOf(place)).filter(
    ({ state, path, volume }) => state === 'good' && path !== null && volumeReading(path) !== rightOf(volume),
  )
  const found = wrong.map(({ label, copy }) => `${label}, copy ${copy}, is called good and is not`)
  const isWhole = [...planned.values()].every(
    ({ label, index, isParity }) => isParity || copiesReading(place)[label] === rightOf(index),
  )
  if (!isWhole && (await verdictOf(place)) === 'exit 0') found.push('it is called safe without a second copy')
  return found
}
