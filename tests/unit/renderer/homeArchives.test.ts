import { describe, expect, it } from 'vitest'
import { areAlike, homeArchives } from '../../../renderer/src/steps/home/homeArchives'
import type { HomeSet } from '../../../renderer/src/steps/home/homeSets'
import type { ArchiveDocument, ArchiveSet } from '../../../src/contract/dto/archive'

function set(key: string, more: Partial<HomeSet> = {}): HomeSet {
  return {
    key,
    plan: null,
    firstLabel: key,
    lastLabel: key,
    volumes: 1,
    state: { kind: 'verified', count: 1, wallMs: 5 },
    checkByWallMs: null,
    everyMonths: null,
    problem: null,
    lastWallMs: 1,
    ...more,
  }
}

const chain = (...ids: string[]): ArchiveSet =>
  ({ id: ids[0], plans: ids.map((id) => ({ id })) }) as unknown as ArchiveSet
const archive = (id: string, ...sets: ArchiveSet[]): ArchiveDocument =>
  ({ id, sets }) as unknown as ArchiveDocument

describe('archives on Home', () => {
  it('have one row each, and so have sets of none and volumes that only checks know', () => {
    const known = { archives: [archive('pr-1', chain('a', 'b'), chain('c'))], sets: [chain('d', 'e')] }
    const rows = homeArchives(
      known,
      ['e', 'c', 'x', 'a', 'd', 'b'].map((key) => set(key)),
    )
    expect(rows.map(({ key, sets }) => [key, sets.map((one) => one.key)])).toEqual([
      ['d', ['e', 'd']],
      ['pr-1', ['c', 'a', 'b']],
      ['x', ['x']],
    ])
    expect(rows.map((row) => row.archive?.id)).toEqual([undefined, 'pr-1', undefined])
  })

  it('show the state of what needs attention, else of what is the least far, else of the oldest check', () => {
    const known = { archives: [archive('pr-1', chain('a', 'b', 'c'))], sets: [] }
    const worstOf = (...sets: HomeSet[]): string | undefined => homeArchives(known, sets)[0]?.worst.key
    const built = { state: { kind: 'built', count: 1 } } as const
    const damaged = { problem: { kind: 'damaged', count: 1, labels: [] } } as const
    expect(worstOf(set('b', damaged), set('a', built), set('c'))).toBe('b')
    expect(worstOf(set('a'), set('b', built), set('c'))).toBe('b')
    expect(worstOf(set('a'), set('b', { state: { kind: 'verified', count: 1, wallMs: 2 } }), set('c'))).toBe(
      'b',
    )
  })

  it('are restored from the set that was added to last, the newest plan first, whatever the clock said', () => {
    const known = { archives: [archive('pr-1', chain('a', 'b'), chain('c'))], sets: [] }
    const [row] = homeArchives(known, [set('c', { lastWallMs: 99 }), set('a', { lastWallMs: 50 }), set('b')])
    expect(row?.chain.map(({ key }) => key)).toEqual(['b', 'a'])
  })

  it('name the plan of their state only where others have got further', () => {
    const known = { archives: [archive('pr-1', chain('a', 'b'))], sets: [] }
    const alike = (...sets: HomeSet[]): boolean[] => homeArchives(known, sets).map(areAlike)
    expect(alike(set('a'), set('b'))).toEqual([true])
    expect(alike(set('a'), set('b', { state: { kind: 'built', count: 1 } }))).toEqual([false])
    expect(alike(set('a'), set('b', { volumes: 2 }))).toEqual([false])
  })
})
