import { lstatSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SafeDocument } from '../../../../../src/domain/sets/copies/safeDocument'
import type { NewEvent } from '../../../../../src/domain/sets/volumeEvent'
import type { SourceEntry } from '../../../../../src/engine/catalog/sourceFiles'
import type { FileSystems } from '../../../../../src/engine/files/fileSystems'
import { type SafeRequest, safeSource } from '../../../../../src/engine/sets/copies/safeSource'
import { EMPTY_DOCUMENT } from '../../../../support/catalogSurvey'
import { put, temporaryFolder } from '../../../../support/surveyedFolder'

const NOW_MS = 1_772_500_000_000
const SHA256 = 'AB'.repeat(32)

/** Something that happened to copy 1 of volume 1 of plan `p`. */
const event = (kind: NewEvent['kind'], facts: Partial<NewEvent> = {}): NewEvent => ({
  kind,
  of: null,
  planId: 'p',
  setId: null,
  volume: 1,
  copy: 1,
  label: 'PHOTOS_01',
  wallMs: NOW_MS - 2,
  facts: {},
  ...facts,
})

/** A good copy at a place, which cannot be reached. */
const goodAt = (place: string, of: Partial<NewEvent> = {}): NewEvent[] => [
  event('place', { ...of, facts: { place, medium: 'disk' } }),
  event('good', { ...of, facts: { byEntries: true } }),
]

/** The volumes that each content and target needs, by plan and number. */
interface Held {
  readonly volumes: readonly (readonly [planId: string, volume: number])[]
  readonly files?: readonly { readonly sha256: string; readonly volumes: readonly number[] }[]
  readonly links?: readonly { readonly target: string; readonly volumes: readonly number[] }[]
}

const ON_VOLUME_1: Held = { volumes: [['p', 1]], files: [{ sha256: SHA256, volumes: [0] }] }

function entry(root: string, path: string, facts: Partial<SourceEntry> = {}): SourceEntry {
  const { mtimeNs, size } = lstatSync(join(root, path), { bigint: true })
  const times = { mtimeNs: `${mtimeNs}`, bytes: Number(size) }
  const none = { sha256: null, linkOf: null, linkTarget: null }
  return { id: 1, kind: 'file', rootIndex: 0, path, ...none, ...times, ...facts }
}

/** The verdict on a folder whose survey has these entries. */
async function verdictOn(
  root: string,
  entries: readonly SourceEntry[],
  events: readonly NewEvent[],
  {
    held = ON_VOLUME_1,
    wanted = 2,
    ...request
  }: { held?: Held; wanted?: number } & Partial<SafeRequest> = {},
): Promise<SafeDocument> {
  const plans = [...new Set(held.volumes.map(([planId]) => planId))]
  const catalog = {
    plans: () => plans.map((id) => ({ id, directory: null, volumes: 1, mediumKind: 'image' })),
    plan: () => ({ copies: wanted }),
    runs: () => [],
    events: () => events,
    survey: () => ({ ...EMPTY_DOCUMENT, id: 's', roots: [root] }),
    sourceFiles: () => [entry(root, '', { kind: 'folder', bytes: 0 }), ...entries].values(),
    surveySkips: () => [].values(),
    ownPlaces: () => ({ dataFolder: '/nowhere', plans: [] }),
    heldFiles: () => ({
      volumes: held.volumes.map(([planId, volume]) => ({ planId, volume })),
      files: () => [held.files ?? []].values(),
      links: () => [held.links ?? []].values(),
    }),
  } as unknown as Parameters<typeof safeSource>[0]
  const fileSystems = { mounted: async () => [], of: async () => null } as unknown as FileSystems
  return safeSource(
    catalog,
    { surveyId: 's', copies: null, lookedAt: false, limit: 9, ...request },
    { nowWallMs: NOW_MS, pause: async () => {}, looking: { fileSystems } },
  )
}

/** A folder with one file, and its entry. */
function oneFile(): { root: string; entries: SourceEntry[] } {
  const root = temporaryFolder()
  put(root, 'photo', 'x')
  return { root, entries: [entry(root, 'photo', { sha256: SHA256 })] }
}

const twoCopies = [...goodAt('home'), ...goodAt('bank', { copy: 2, wallMs: NOW_MS - 1 })]

describe('a source', () => {
  test('is safe with good copies at two places, although they cannot be reached', async () => {
    const { root, entries } = oneFile()
    expect(await verdictOn(root, entries, twoCopies)).toMatchObject({
      safe: true,
      reasons: [],
      looked: { copies: 2, there: 0, wrong: 0, verifiedWallMs: NOW_MS - 2 },
      places: [
        { place: 'home', copies: 1, media: ['disk'], states: { good: 1 } },
        { place: 'bank', copies: 1, media: ['disk'], states: { good: 1 } },
      ],
    })
  })

  test('is not safe by copies that nobody looked at, where that is asked for', async () => {
    const { root, entries } = oneFile()
    expect(await verdictOn(root, entries, twoCopies, { lookedAt: true })).toMatchObject({
      safe: false,
      reasons: [{ code: 'few', files: 1 }],
    })
  })

  test('is safe by a copy in another folder, but not by one that lies in it', async () => {
    const { root, entries } = oneFile()
    const verdictWith = (path: string) =>
      verdictOn(root, entries, [
        ...goodAt('home'),
        event('written', { copy: 2, facts: { target: { kind: 'folder', path }, place: 'bank' } }),
        event('good', { copy: 2, facts: { byEntries: true } }),
      ])
    expect(await verdictWith(join(temporaryFolder(), 'not-mounted'))).toMatchObject({
      safe: true,
      looked: { copies: 2 },
    })
    expect(await verdictWith(root)).toMatchObject({
      safe: false,
      reasons: [{ code: 'few' }],
      looked: { copies: 1, verifiedWallMs: NOW_MS - 2 },
    })
  })

  test('is not safe by a copy that is not verified, nor by copies of other volumes and plans', async () => {
    const { root, entries } = oneFile()
    const place = event('place', { copy: 2, facts: { place: 'bank' } })
    const others = [{ volume: 2 }, { planId: 'q' }].flatMap((of) => goodAt('bank', { ...of, copy: 2 }))
    for (const second of [[place], others]) {
      const verdict = await verdictOn(root, entries, [...goodAt('home'), ...second])
      expect(verdict).toMatchObject({ safe: false, reasons: [{ code: 'few', files: 1 }] })
    }
  })

  test('asks for as many copies as the plans want that hold its files, or as a person asks for', async () => {
    const { root, entries } = oneFile()
    expect(await verdictOn(root, entries, twoCopies, { wanted: 3 })).toMatchObject({ safe: false, wanted: 3 })
    const asked = await verdictOn(root, entries, twoCopies, { wanted: 3, copies: 2 })
    expect(asked).toMatchObject({ safe: true, wanted: 2 })
  })

  test('is safe only if a link to the same target is on copies too', async () => {
    const { root, entries } = oneFile()
    symlinkSync('photo', join(root, 'link'))
    const both = [...entries, entry(root, 'link', { kind: 'symlink', bytes: 0, linkTarget: 'photo' })]
    for (const [target, safe] of [
      ['photo', true],
      ['elsewhere', false],
    ] as const) {
      const held = { ...ON_VOLUME_1, links: [{ target, volumes: [0] }] }
      expect((await verdictOn(root, both, twoCopies, { held })).safe, target).toBe(safe)
    }
  })

  test('is not safe with a file without SHA-256, nor with one that no plan holds', async () => {
    const { root } = oneFile()
    const verdictOf = (sha256: string | null) =>
      verdictOn(root, [entry(root, 'photo', { sha256 })], twoCopies)
    expect(await verdictOf(null)).toMatchObject({ safe: false, reasons: [{ code: 'noDigest' }] })
    expect(await verdictOf('CD'.repeat(32))).toMatchObject({
      safe: false,
      reasons: [{ code: 'few', paths: [join(root, 'photo')] }],
    })
  })

  test('is not safe once it differs from its survey', async () => {
    const { root } = oneFile()
    const changed = [entry(root, 'photo', { sha256: SHA256, bytes: 2 })]
    expect(await verdictOn(root, changed, twoCopies)).toMatchObject({
      safe: false,
      reasons: [{ code: 'changed', paths: [join(root, 'photo')] }],
    })
  })
})
