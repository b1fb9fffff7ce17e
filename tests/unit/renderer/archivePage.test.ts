import { describe, expect, it } from 'vitest'
import { isTroubled, sayHealth } from '../../../renderer/src/format/healthWords'
import { keptArchive, onlyCopies, volumesOf } from '../../../renderer/src/state/catalog/keptArchive'
import type { ArchiveDocument, ArchiveSet } from '../../../src/contract/dto/archive'
import type { CopyHealth, VolumeCopy } from '../../../src/contract/dto/copies'
import type { PlanVolume } from '../../../src/contract/dto/plan'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'

const GOOD: CopyHealth = {
  kind: 'good',
  labels: [],
  count: 0,
  copy: null,
  place: null,
  volumes: 3,
  unmade: 0,
  copies: 2,
  places: 2,
  verifiedWallMs: new Date(2026, 4, 20).getTime(),
}

describe('the health of an archive in words', () => {
  it.each<readonly [Partial<CopyHealth>, string, string]>([
    [{}, 'Good.', '2 copies of each volume at 2 places, verified in May 2026 or later.'],
    [
      { kind: 'onePlace', copies: 1, places: 1 },
      'One place.',
      '1 copy of each volume at 1 noted place, verified in May 2026 or later. The loss of one place may take volumes with it.',
    ],
    [
      { kind: 'onePlace', places: 0 },
      'One place.',
      '2 copies of each volume, not all with a place noted, verified in May 2026 or later. Note where the copies are kept.',
    ],
    [
      { kind: 'lost', labels: ['A_01'], count: 1, copy: 2, place: 'the studio', copies: 1, places: 1 },
      'Copy lost.',
      'A_01, copy 2, the studio: write it again. At least 1 copy of each volume is left, at 1 noted place.',
    ],
    [
      { kind: 'damaged', labels: ['A_01', 'A_02'], count: 2, copy: 0 },
      'Damaged.',
      'A_01 and A_02, in the plan folder: write them again. At least 2 copies of each volume are left, at 2 places.',
    ],
    [
      { kind: 'gone', labels: ['A_01'], count: 2, copies: 0, places: 0 },
      'No copy left.',
      'Every copy of A_01 is lost or damaged: write it again.',
    ],
    [{ kind: 'unmade', unmade: 3, copies: 0 }, 'Incomplete.', 'Nothing of it was built or written yet.'],
    [{ kind: 'unmade', unmade: 1, copies: 0 }, 'Incomplete.', '1 of 3 volumes has no copy yet.'],
    [
      { kind: 'unverified', count: 2, verifiedWallMs: null },
      'Not verified.',
      '2 copies were not verified since they were written. 2 copies of each volume at 2 places.',
    ],
    [
      { kind: 'overdue', count: 1 },
      'Check due.',
      '1 copy is due for a check. 2 copies of each volume at 2 places, verified in May 2026 or later.',
    ],
  ])('of %o is one word and why', (change, status, says) => {
    expect(sayHealth({ ...GOOD, ...change })).toEqual({ status, says })
  })

  it('is a warning unless every volume has a verified copy', () => {
    expect(
      (['good', 'onePlace', 'overdue', 'gone'] as const).map((kind) => isTroubled({ ...GOOD, kind })),
    ).toEqual([false, false, true, true])
  })
})

const plan = (id: string, volumes: number) =>
  ({
    id,
    volumes,
    directory: '/plan',
    built: 0,
    onMedia: 0,
    firstLabel: `${id}_01`,
    lastLabel: `${id}_0${volumes}`,
  }) as ArchiveSet['plans'][number]
const setOf = (...plans: ArchiveSet['plans']): ArchiveSet => ({ id: plans[0]?.id, plans }) as ArchiveSet
const copyOf = (planId: string, volume: number, facts: Partial<VolumeCopy> = {}) =>
  volumeCopy(1, 'home', { planId, volume, label: `${planId}_0${volume}`, ...facts })

const ARCHIVE = {
  id: 'pr-1',
  name: 'Photos',
  sets: [setOf(plan('A', 2), plan('B', 1)), setOf(plan('C', 1))],
} as unknown as ArchiveDocument
const KNOWN = { archives: [ARCHIVE], sets: [setOf(plan('D', 1))] }
const COPIES = [copyOf('A', 1), copyOf('B', 1), copyOf('C', 1), copyOf('D', 1), copyOf('E', 1)]

describe('the copies of an archive', () => {
  it('are those of its plans, by complete sets', () => {
    const archive = keptArchive('pr-1', KNOWN, COPIES)
    expect(archive?.name).toBe('Photos')
    expect([...(archive?.ids ?? [])]).toEqual(['A', 'B', 'C'])
    expect(archive?.sets.map(({ label, health: { kind, unmade } }) => [label, kind, unmade])).toEqual([
      ['A_01 to B_01', 'unmade', 1],
      ['C_01', 'onePlace', 0],
    ])
  })

  it('are those of a set of no archive, and of discs without a plan', () => {
    expect(keptArchive('D', KNOWN, COPIES)?.sets.map(({ copies }) => copies.length)).toEqual([1])
    expect(keptArchive('E', KNOWN, COPIES)).toMatchObject({ name: 'E_01', sets: [{ plans: [] }] })
  })

  it('are none where the catalog has neither plan nor copy', () => {
    expect(keptArchive('F', KNOWN, COPIES)).toBeNull()
  })

  it('do not count plans that were neither exported nor made', () => {
    const draft = { ...plan('B', 1), directory: null }
    const known = { archives: [], sets: [setOf(plan('A', 1), draft)] }
    expect(keptArchive('A', known, [copyOf('A', 1)])?.sets[0]?.health.volumes).toBe(1)
  })

  it('have the files of their plan, and none where it is not known', () => {
    const [first] = keptArchive('pr-1', KNOWN, COPIES)?.sets ?? []
    const volumes = [{ index: 1, files: 10, bytes: 100 } as PlanVolume]
    expect(first && volumesOf(first, new Map([['A', volumes]]))).toEqual([
      { planId: 'A', setId: null, volume: 1, files: 10, bytes: 100 },
      { planId: 'B', setId: COPIES[1]?.setId, volume: 1, files: null, bytes: null },
    ])
  })

  it('are the only ones of some volumes, lost ones among them', () => {
    const copies = [copyOf('D', 1), copyOf('D', 2, { state: 'lost' }), { ...copyOf('D', 1), copy: 2 }]
    const [set] = keptArchive('D', KNOWN, copies)?.sets ?? []
    expect(set && onlyCopies(set).map(({ label }) => label)).toEqual(['D_02'])
  })
})
