import type { PlanRequest } from '../../src/contract/dto/plan'

/** One plan of a chain: each adds to the one before. */
export interface Step {
  readonly request: Omit<PlanRequest, 'surveyId' | 'addTo'>
  readonly isBuilt: boolean
  readonly isStreamed?: boolean
}

export interface GoldenPlan {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Some three of them hold the source. */
const DISCS = { mediumId: 'custom:900KB', labelPrefix: 'GOLD' } as const
/** One of them holds it. */
const DISC = { mediumId: 'custom:4MB', labelPrefix: 'GOLD' } as const
const FOLDERS = { mediumId: 'folder:300KB', labelPrefix: 'GOLD' } as const

interface More extends Partial<Step> {
  readonly generations?: number
}

function plan(name: string, request: Step['request'], { generations = 1, ...more }: More = {}): GoldenPlan {
  return { name, steps: Array.from({ length: generations }, () => ({ request, isBuilt: true, ...more })) }
}

const AES = { encryption: 'aes-256' } as const
/** What cannot be the same twice, or needs a Mac, is planned only. */
const PLANNED = { isBuilt: false } as const
const TWICE = { generations: 2 } as const

/** Kinds, growth, parity, media, order and encryption, in combinations that people make. */
export const GOLDEN_PLANS: readonly GoldenPlan[] = [
  plan('plain', DISCS),
  plan('plain one', DISC),
  plan('plain folders', FOLDERS),
  plan('plain german', { ...DISCS, language: 'de' }),
  plan('plain copies', { ...DISCS, copies: 2 }),
  plan('plain by name', { ...DISCS, placement: { order: 'name' } }),
  plan('plain by date', { ...DISCS, placement: { order: 'date' } }),
  plan('plain by folders', { ...DISCS, placement: { order: 'folders' } }),
  plan('plain placed', {
    ...DISCS,
    placement: {
      pins: [{ path: 'text', volume: 2 }],
      keep: ['a'],
      labels: [{ volume: 1, label: 'FIRST' }],
      labelBy: 'number',
      reserveBytes: 20_000,
    },
  }),
  plan('plain split', { ...DISCS, mediumId: 'custom:730KB' }),
  plan('plain split folders', { ...FOLDERS, mediumId: 'folder:170KB' }),
  plan('plain mixed media', { ...DISCS, firstMedia: [{ mediumId: 'custom:800KB', volumes: 2 }] }),
  plan('plain most volumes', { ...DISCS, mostVolumes: 9 }),
  plan('plain protected', { ...DISC, protection: 20 }),
  plan('plain filled', { ...DISC, protection: 'fill' }),
  plan('plain parity', { ...DISCS, mediumId: 'custom:1.8MB', protectSet: 1 }),
  plan('plain two parities', { ...DISCS, mediumId: 'custom:1.8MB', protectSet: 2 }),
  plan('plain parity protected', { ...DISCS, mediumId: 'custom:2.6MB', protectSet: 1, protection: 10 }),
  plan('plain split parity', { ...DISCS, mediumId: 'custom:1.65MB', protectSet: 2 }),
  plan('once', { ...DISCS, recipe: 'plain-hardlinks' }),
  plan('once folder', { ...FOLDERS, mediumId: 'folder:4MB', recipe: 'plain-hardlinks' }),
  plan('once protected', { ...DISC, recipe: 'plain-hardlinks', protection: 'fill' }),
  plan('grown', DISCS, { generations: 3 }),
  plan('grown one', DISC, TWICE),
  plan('grown folders', FOLDERS, TWICE),
  plan('grown protected', { ...DISC, protection: 'fill' }, TWICE),
  plan('grown parity', { ...DISCS, mediumId: 'custom:1.8MB', protectSet: 1 }, TWICE),
  plan('grown once', { ...DISCS, recipe: 'plain-hardlinks' }, TWICE),
  plan('grown by date', { ...DISCS, placement: { order: 'date' } }, TWICE),
  plan('7z', { ...DISC, recipe: '7z-files' }),
  plan('7z discs', { ...DISCS, recipe: '7z-files' }),
  plan('7z joined', { ...DISCS, recipe: '7z-files', joined: true }),
  plan('7z solid', { ...DISC, recipe: '7z-solid-1m-path' }),
  plan('7z folder', { ...FOLDERS, recipe: '7z-files' }),
  plan('7z streamed', { ...DISCS, mediumId: 'custom:1.5MB', recipe: '7z-files' }, { isStreamed: true }),
  plan('7z protected', { ...DISC, recipe: '7z-files', protection: 'fill' }),
  plan('7z encrypted', { ...DISC, recipe: '7z-files', ...AES }, PLANNED),
  plan('7z encrypted joined', { ...DISCS, recipe: '7z-files', joined: true, ...AES }, PLANNED),
  plan('squashfs', { ...DISC, recipe: 'squashfs-zstd-3-1m' }),
  plan('7z groups', { ...DISC, recipe: '7z-groups' }),
  plan('7z titles', { ...DISC, recipe: '7z-titles' }),
  plan('7z grown', { ...DISC, recipe: '7z-files' }, TWICE),
  plan('tar zst', { ...DISC, recipe: 'tar-zst-19-1m-path' }),
  plan('tar zst joined', { ...DISCS, recipe: 'tar-zst-19-1m-path', joined: true }),
  plan('files zst', { ...DISC, recipe: 'files-zstd-3' }),
  plan(
    'files zst streamed',
    { ...DISCS, mediumId: 'custom:1.5MB', recipe: 'files-zstd-3' },
    { isStreamed: true },
  ),
  plan('udsb', { ...FOLDERS, mediumId: 'folder:40MB', recipe: 'udsb' }, PLANNED),
  plan('udrw', { ...FOLDERS, mediumId: 'folder:40MB', recipe: 'udrw' }, PLANNED),
  plan('udzo', { ...DISC, recipe: 'udzo' }, PLANNED),
  plan('udzo folder', { ...FOLDERS, mediumId: 'folder:4MB', recipe: 'udzo' }, PLANNED),
  plan('udzo encrypted', { ...DISC, recipe: 'udzo', ...AES }, PLANNED),
  plan('udsb encrypted', { ...FOLDERS, mediumId: 'folder:40MB', recipe: 'udsb', ...AES }, PLANNED),
]
