import type { VolumeCopy } from '../../../src/contract/dto/copies'
import type { RecentProject } from '../../../src/contract/dto/project'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import type { KeptSet, Scenario } from '../../fixtures/fakeEngine/scenario'

const NOW = Date.now()
const DAY = 86_400_000

const RECENTS: readonly RecentProject[] = [
  { recent: '/home/anna/archive/photos.stowage.yaml', name: 'photos', problem: null },
  { recent: '/media/stick/films.stowage.yaml', name: 'films', problem: 'no such file or folder' },
]

const VERIFIED = { volumes: 9, built: 9, verified: 9, good: 9, verifiedWallMs: NOW - 40 * DAY }

/** One set of each kind that Home tells apart. */
const SETS: readonly KeptSet[] = [
  {
    id: 'p-verified',
    ...VERIFIED,
    firstLabel: 'LETTERS_01',
    lastLabel: 'LETTERS_09',
    directory: '/media/backup/Letters plan',
    checkByWallMs: NOW + 325 * DAY,
    runs: ['build', 'verify'],
    createdWallMs: NOW - 90 * DAY,
    project: { id: 'pr-0123456789ab', name: 'Letters of the family' },
  },
  {
    id: 'p-damaged',
    ...VERIFIED,
    good: 8,
    failed: 1,
    firstLabel: 'PHOTOS_01',
    lastLabel: 'PHOTOS_09',
    directory: '/media/backup/Photos plan',
    createdWallMs: NOW - 400 * DAY,
    runs: ['build'],
  },
  {
    id: 'p-stopped',
    volumes: 9,
    built: 4,
    firstLabel: 'VIDEOS_01',
    lastLabel: 'VIDEOS_09',
    directory: '/media/backup/Videos plan',
    lastRun: {
      kind: 'build',
      outcome: 'interrupted',
      startedWallMs: NOW - DAY,
      volumes: 9,
      done: 4,
      failed: 0,
    },
  },
  {
    id: 'p-gone',
    volumes: 9,
    built: 9,
    firstLabel: 'SCANS_01',
    lastLabel: 'SCANS_09',
    directory: '/media/stick/Scans plan',
    directoryExists: false,
    runs: ['build', 'verify'],
  },
  {
    id: 'p-exported',
    firstLabel: 'MUSIC_01',
    lastLabel: 'MUSIC_09',
    directory: '/media/backup/Music plan',
    createdWallMs: NOW - 2 * DAY,
  },
]

/** Sets, discs to check, projects and surveys. */
export const HOME: Scenario = {
  history: true,
  sets: SETS,
  drills: [{ of: 'atBank', planId: 'p-verified' }],
  project: { recents: RECENTS },
  checksDue: [
    { ...volumeDue('PHOTOS_02', 2, NOW, { checkedDays: 20, dueDays: -20, damaged: 3 }), planId: 'p-damaged' },
    volumeDue('FAMILY_01', 1, NOW, { checkedDays: 366, dueDays: -1 }),
    volumeDue('FAMILY_02', 2, NOW, { checkedDays: 366, dueDays: -1 }),
    volumeDue('FAMILY_03', 3, NOW, { checkedDays: 20, dueDays: 345 }),
  ],
}

/** Many sets, one of which needs attention. */
export const MANY: Scenario = {
  sets: Array.from({ length: 300 }, (_, at) => ({
    id: `p-${at}`,
    ...VERIFIED,
    firstLabel: `SET${at}_01`,
    lastLabel: `SET${at}_09`,
    directory: `/media/backup/${'Archives of the family '.repeat(4)}/Set ${at}`,
    createdWallMs: NOW - at * DAY,
    checkByWallMs: NOW + 300 * DAY,
    ...(at === 299 && { failed: 1 }),
  })),
}

const SUBJECTS = [
  'Photos',
  'Letters of the family',
  'Home videos',
  'Scans of slides and negatives from Karelia, Lapland and the archipelago',
  'Music',
  'Contracts',
  'Genealogy',
  'Konzertmitschnitte der Landesjugendorchesterakademie',
  'Recipes',
  'Thesis',
]
const MEDIA = ['BD-R 25 GB', 'M-DISC BD-R 100 GB', 'DVD+R DL']

/** Archives in the states that a person's have, from a seed. */
export function archivesFrom(seed: number, count: number): Scenario {
  const random = seededRandom(seed)
  const made = Array.from({ length: count }, (_, at) => keptArchive(at, random.below))
  return {
    history: false,
    sets: made.flatMap(({ sets }) => sets),
    copies: made.flatMap(({ copies }) => copies),
    checksDue: made.flatMap(({ checksDue }) => checksDue),
  }
}

/** One archive: its set, in every sixth a plan of what is new, and the copies of its discs. */
function keptArchive(at: number, below: (limit: number) => number) {
  const subject = SUBJECTS[below(SUBJECTS.length)] ?? ''
  const project = { id: `pr-${at.toString(16).padStart(12, '0')}`, name: `${subject} ${1900 + at}` }
  const [id, label] = [`p-${at}`, `A${at}`]
  const [volumes, age, bytes] = [1 + below(3), 1 + below(500), 1e9 + below(9e11)]
  const names = Array.from({ length: volumes }, (_, disc) => `${label}_0${disc + 1}`)
  const kind = below(8)
  const common = {
    volumes,
    bytes,
    mediumName: MEDIA[below(MEDIA.length)] ?? '',
    firstLabel: names[0] ?? '',
    lastLabel: names.at(-1) ?? '',
    directory: `/media/backup/${subject}/${at}`,
    createdWallMs: NOW - (at + 10) * DAY,
    project,
  }
  const isBuilt = kind > 0
  const first: KeptSet = {
    id,
    ...common,
    wanted: 2,
    ...(isBuilt && {
      built: volumes,
      onMedia: volumes,
      good: volumes,
      verified: volumes,
      verifiedWallMs: NOW - age * DAY,
      checkByWallMs: NOW + (365 - age) * DAY,
    }),
  }
  const addition: KeptSet = {
    id: `${id}-2`,
    ...common,
    addsTo: id,
    files: 1 + below(2000),
    bytes: 1e6 + below(9e9),
    volumes: 1,
    firstLabel: `${label}_0${volumes + 1}`,
    lastLabel: `${label}_0${volumes + 1}`,
    directory: null,
    createdWallMs: NOW - DAY,
  }
  const places = kind === 1 ? ['home'] : ['home', 'parents’ house']
  const copies = names.flatMap((name, disc) =>
    places.map((place, copy): VolumeCopy => {
      const of = { planId: id, volume: disc + 1, label: name }
      const isLost = kind === 2 && copy === 1 && disc === 0
      return volumeCopy(copy + 1, place, { ...of, ...(isLost && { state: 'lost', lostWallMs: NOW - DAY }) })
    }),
  )
  return {
    sets: isBuilt && at % 6 === 5 ? [first, addition] : [first],
    copies: isBuilt ? copies : [],
    checksDue: isBuilt
      ? names.map((name, disc) =>
          Object.assign(volumeDue(name, disc + 1, NOW, { checkedDays: age, dueDays: 365 - age }), {
            planId: id,
          }),
        )
      : [],
  }
}
