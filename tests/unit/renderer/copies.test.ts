import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { alikeRows, copyRows, furtherRows } from '../../../renderer/src/state/catalog/copiesState'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

const NOW = 1_772_500_000_000
const HOME = volumeCopy(1, 'home')
const ELSEWHERE = volumeCopy(2, 'parents’ house')

const answers = () => new Promise(setImmediate)

async function sessionOf(scenario: Scenario = {}) {
  const engine = new FakeEngine({ history: true, copies: [HOME, ELSEWHERE], ...scenario })
  const session = new Session(engine.api)
  session.start()
  await answers()
  await session.copies.refresh()
  const stateOf = (copy: number) =>
    session.copies.store.get().copies.find((known) => known.copy === copy)?.state
  return { engine, session, copies: session.copies, stateOf }
}

describe('copies of a volume', () => {
  it('are rows of their own, with what is known of each', () => {
    const first = volumeDue('PHOTOS_01', 1, NOW, { checkedDays: 20, dueDays: 345 })
    const rows = copyRows([first, { ...first, copy: 2 }], [HOME, ELSEWHERE])
    expect(rows.map(({ known }) => known?.place)).toEqual(['home', 'parents’ house'])
    expect(furtherRows(rows, [HOME, ELSEWHERE])).toEqual([])
  })

  it('are listed where there is nothing to verify: lost ones, and those that were only noted', () => {
    const lost = volumeCopy(2, 'attic', { state: 'lost', lostWallMs: NOW })
    const built = volumeCopy(0, null)
    expect(furtherRows([], [lost, built, HOME]).map(({ known }) => known?.place)).toEqual(['attic', 'home'])
  })

  it('are one row where those of several volumes look alike, in the order of the first', () => {
    const rows = ['A_01', 'A_02', 'A_03'].flatMap((label, at) => {
      const due = volumeDue(label, at + 1, NOW, { checkedDays: 20, dueDays: 345 })
      return copyRows([due, { ...due, copy: 2 }], [])
    })
    const short = alikeRows(rows, ({ copy, label }) => `${copy} ${label === 'A_02' ? 'lost' : ''}`)
    expect(short.map(({ label, copy, labels }) => [label, copy, labels])).toEqual([
      ['A_01', 1, ['A_01', 'A_03']],
      ['A_01', 2, ['A_01', 'A_03']],
      ['A_02', 1, undefined],
      ['A_02', 2, undefined],
    ])
  })

  it('are noted as lost and found again, which can be undone', async () => {
    const { engine, session, copies, stateOf } = await sessionOf()
    await copies.noteIs('lost', ELSEWHERE)
    expect(stateOf(2)).toBe('lost')
    expect(session.undo()).toBe(true)
    await answers()
    expect(stateOf(2)).toBe('good')
    expect(engine.callsOf('copies.note')).toMatchObject([
      { of: 'p1:PHOTOS_01', copy: 2, kind: 'lost' },
      { of: 'p1:PHOTOS_01', copy: 2, kind: 'found' },
    ])
  })

  it('get another place, without blanks around it and without an empty medium', async () => {
    const { engine, copies } = await sessionOf()
    copies.askPlace(HOME)
    copies.typePlace({ place: ' safe ', medium: ' ' })
    await copies.notePlace()
    expect(engine.callsOf('copies.note')).toMatchObject([
      { of: 'p1:PHOTOS_01', copy: 1, kind: 'place', place: 'safe', medium: null },
    ])
    expect(copies.store.get().placing).toBeNull()
    copies.askPlace(HOME)
    copies.typePlace(null)
    expect(copies.store.get().placing).toBeNull()
  })

  it('of all volumes of a set get a place at once', async () => {
    const { engine, copies } = await sessionOf()
    copies.askPlace(ELSEWHERE)
    copies.typePlace({ isOfAll: true })
    await copies.notePlace()
    expect(engine.callsOf('copies.note')).toMatchObject([{ of: 'p1', copy: 2, kind: 'place' }])
  })
})

describe('the question whether a source is safe to delete', () => {
  it.each([true, false])('is answered by the engine (%s)', async (isSafe) => {
    const { copies } = await sessionOf({ isSafe })
    await copies.judge('s1')
    expect(copies.store.get()).toMatchObject({ judging: null, verdict: { surveyId: 's1', safe: isSafe } })
    await copies.close()
    expect(copies.store.get().verdict).toBeNull()
  })

  it('that is closed early is ended in the engine, and its answer is dropped', async () => {
    const { engine, copies } = await sessionOf()
    const judged = copies.judge('s1')
    await copies.close()
    await judged
    expect(copies.store.get()).toMatchObject({ judging: null, verdict: null })
    expect(engine.callsOf('copies.stopSafe')).toEqual([{ surveyId: 's1' }])
  })
})
