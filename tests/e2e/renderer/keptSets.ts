import type { RecentProject } from '../../../src/contract/dto/project'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
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
