import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { heldElsewhere, romRows, type SetRow } from '../../../renderer/src/steps/roms/romRows'
import { isDatName } from '../../../renderer/src/steps/roms/romsState'
import {
  initialSurvey,
  isOfOtherSource,
  type SurveyState,
} from '../../../renderer/src/steps/survey/surveyState'
import type { JudgedFile, JudgedSet, RomsDocument } from '../../../src/contract/dto/roms'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { buildSurvey, liveFigures, PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'

const answers = () => new Promise(setImmediate)

const SET: JudgedSet = {
  dat: 0,
  name: 'alpha',
  cloneOf: null,
  state: 'partial',
  files: 4,
  present: 2,
  right: 1,
  undumped: 0,
  missing: [
    { name: 'bad.bin', bytes: 5, mia: false },
    { name: 'gone.bin', bytes: 6, mia: true },
  ],
}

const FILE: JudgedFile = {
  path: '/roms/alpha.zip',
  member: 'a.bin',
  bytes: 3,
  state: 'right',
  dat: 0,
  set: 'alpha',
  name: 'a.bin',
  by: null,
  known: 'header',
}

const rowsOf = (sets: JudgedSet[], files: JudgedFile[]) => romRows({ sets, files } as unknown as RomsDocument)

describe('the files of a ROM set', () => {
  it('are missing ones first, and a bad dump stands for the file that it is not', () => {
    const bad: JudgedFile = { ...FILE, name: 'bad.bin', state: 'bad-dump', by: 'name' }
    const rows = rowsOf([SET, { ...SET, dat: 1 }], [bad, FILE, { ...FILE, dat: 1, name: 'other.bin' }])
    const held = rows.heldIn(rows.sets[0] as SetRow)
    expect(held.map(({ name, state, by }) => [name, state, by])).toEqual([
      ['gone.bin', 'mia', null],
      ['bad.bin', 'bad-dump', 'name'],
      ['a.bin', 'right', null],
    ])
    expect(heldElsewhere(rows.sets[0] as SetRow, held)).toBe(1)
    expect(rows.missing.map(({ set, file }) => [set.dat, file.name])).toEqual([
      [0, 'bad.bin'],
      [0, 'gone.bin'],
      [1, 'bad.bin'],
      [1, 'gone.bin'],
    ])
  })
})

it.each([
  ['Nintendo - NES (20261101).dat', true],
  ['mame.xml', true],
  ['No-Intro Love Pack (PC XML) (2026-11-01).zip', true],
  ['Sony - PlayStation - Datfile (10853).zip', true],
  ['Alpha (World).zip', false],
  ['Data East Classics.zip', false],
  ['alpha.nes', false],
])('%s counts as a DAT when it is dropped: %s', (name, isDat) => {
  expect(isDatName(name)).toBe(isDat)
})

async function sessionOf(scenario: Scenario = {}) {
  const engine = new FakeEngine(scenario)
  const session = new Session(engine.api)
  session.start()
  await answers()
  return { engine, session }
}

describe('DATs of the source in hand', () => {
  it('are those of a survey, and another one is out of date once they change', async () => {
    const { engine, session } = await sessionOf({
      sources: [{ path: '/media/roms', kind: 'folder', name: 'roms' }],
    })
    await session.sources.chooseDats()
    const { dats } = session.sources.store.get()
    expect(dats).toHaveLength(2)
    await session.survey.start()
    expect(engine.callsOf('survey.start').at(-1)).toMatchObject({ dats })
    engine.finish()
    await answers()
    expect(session.hand.isPlanOf({ surveyId: 's1' })).toBe(true)
    session.sources.removeDat(dats[0] ?? '')
    expect(session.hand.isPlanOf({ surveyId: 's1' })).toBe(false)
    session.undo()
    expect(session.hand.isPlanOf({ surveyId: 's1' })).toBe(true)
  })

  it('make no survey out of date that has not grouped its files yet', async () => {
    const { session } = await sessionOf({
      sources: [{ path: '/media/roms', kind: 'folder', name: 'roms' }],
    })
    await session.sources.chooseDats()
    const read = buildSurvey({ ...PHOTOGRAPHS, roots: ['/media/roms'] })
    const of = (change: Partial<SurveyState>): boolean =>
      isOfOtherSource({ ...initialSurvey, document: read, ...change }, session.sources.store.get())
    expect(of({})).toBe(true)
    const layout = (asked?: 'merged'): SurveyState['document'] =>
      buildSurvey({
        ...PHOTOGRAPHS,
        roots: ['/media/roms'],
        dats: session.sources.store.get().dats,
        layout: asked,
      })
    expect([of({ document: layout() }), of({ document: layout('merged') })]).toEqual([false, true])
    session.sources.layOut('merged')
    expect([of({ document: layout() }), of({ document: layout('merged') })]).toEqual([true, false])
    session.sources.layOut(null)
    expect(of({ live: { jobId: 'j1', surveyId: read.id, ...liveFigures(PHOTOGRAPHS, 1) } })).toBe(false)
    expect(of({ document: { ...read, partial: true } })).toBe(false)
    expect(of({ document: { ...read, partial: true, roots: ['/media'] } })).toBe(true)
  })

  it('are those of a project that is opened, and are saved with it', async () => {
    const project = { dats: ['/home/anna/NES.dat'], form: { layout: 'merged' } } as const
    const { engine, session } = await sessionOf({ project })
    await session.project.do('open')
    await answers()
    expect(session.sources.store.get()).toMatchObject({ dats: ['/home/anna/NES.dat'], layout: 'merged' })
    expect(engine.callsOf('project.change')).toEqual([])
    session.sources.layOut('split')
    await answers()
    expect(engine.callsOf('project.change').at(-1)).toMatchObject({ form: { layout: 'split' } })
    await session.sources.chooseDats()
    await answers()
    expect(engine.callsOf('project.change').at(-1)).toMatchObject({
      dats: ['/home/anna/NES.dat', expect.anything(), expect.anything()],
    })
    expect(session.project.store.get().open?.isUnsaved).toBe(true)
  })

  it('are those of a survey of the catalog that is opened without a project', async () => {
    const { engine, session } = await sessionOf({ survey: { dats: ['/home/anna/NES.dat'] } })
    session.sources.store.dispatch({
      type: 'added',
      sources: [{ path: '/media/roms', kind: 'folder', name: 'roms' }],
    })
    session.sources.store.dispatch({ type: 'dats', dats: ['/home/anna/NES.dat'], layout: 'non-merged' })
    await session.survey.start()
    engine.finish()
    await answers()
    await session.catalog.openSurvey('s1')
    expect(session.sources.store.get()).toEqual({
      list: [],
      dats: ['/home/anna/NES.dat'],
      layout: 'non-merged',
    })
    await session.hand.begin()
    expect(session.sources.store.get()).toEqual({ list: [], dats: [], layout: null })
  })
})
