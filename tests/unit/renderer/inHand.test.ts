import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { initialBuild } from '../../../renderer/src/steps/building/buildState'
import { initialOptions } from '../../../renderer/src/steps/choose/optionsState'
import { initialPlan } from '../../../renderer/src/steps/plan/planState'
import { initialSurvey } from '../../../renderer/src/steps/survey/surveyState'
import type { JobKind } from '../../../src/contract/dto/job'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { buildPlan, MEDIA } from '../../fixtures/fakeEngine/plans'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { buildSurvey, type SurveyShape } from '../../fixtures/fakeEngine/surveys'

const SHAPE: SurveyShape = { id: 's1', roots: ['/a'], files: 5000, bytes: 60_000_000_000 }
const survey = buildSurvey(SHAPE)
const plan = buildPlan({ id: 'p1', survey: SHAPE, medium: MEDIA[0] as (typeof MEDIA)[number] })
const folder = (path: string) =>
  ({ path, kind: 'folder', name: path.slice(path.lastIndexOf('/') + 1) }) as const
const B = folder('/media/photos/b')
const answers = () => new Promise(setImmediate)

/** A window in which `/a` was surveyed, planned, exported and opened to be built, with answers of its own. */
async function usedSession(scenario: Scenario = {}) {
  const engine = new FakeEngine(scenario)
  const session = new Session(engine.api)
  const end = session.start()
  await answers()
  session.sources.store.dispatch({ type: 'added', sources: [folder('/a')] })
  session.kept.set({ patterns: ['*.tmp'] })
  session.survey.store.dispatch({ type: 'loaded', document: survey })
  session.options.set({ encryption: 'aes-256', goal: 'smallest', mediumIds: ['bd-r-25'] })
  await answers()
  session.plan.store.dispatch({ type: 'prefix', prefix: 'LAB' })
  session.plan.store.dispatch({ type: 'loaded', document: plan, exportedTo: '/plans/one' })
  session.runs.store.dispatch({ type: 'opened', directory: '/plans/one', plan })
  session.goTo('home')
  const asked = () => engine.calls.map(({ channel }) => channel)
  return { engine, session, asked, end }
}

/** All that the steps hold of an archive. */
function heldBy(session: Session) {
  const { form, document } = session.options.store.get()
  const { media: _, mediumId: __, ...planned } = session.plan.store.get()
  return {
    sources: session.sources.store.get().list,
    patterns: session.kept.store.get().rules.patterns,
    survey: session.survey.store.get(),
    options: { form, document },
    plan: planned,
    build: session.runs.store.get(),
    project: session.project.store.get().open,
  }
}

const { media: _, mediumId: __, ...planned } = initialPlan
const EMPTY = {
  sources: [],
  patterns: [],
  survey: initialSurvey,
  options: { form: initialOptions.form, document: null },
  plan: planned,
  build: initialBuild,
  project: null,
}

describe('the archive in hand', () => {
  it('is empty in every step once a new one begins', async () => {
    const { session, end } = await usedSession()
    await session.hand.begin()
    expect(heldBy(session)).toEqual(EMPTY)
    expect(session.frame.get().step).toBe('source')
    end()
  })

  it.each(['new', 'add', 'none'] as const)(
    'takes folders that are dropped on another page as the person answers: %s',
    async (answer) => {
      const { engine, session, end } = await usedSession()
      engine.give('b')
      expect(session.hand.store.get().asked?.map(({ path }) => path)).toEqual(['/media/photos/b'])
      expect(session.sources.paths()).toEqual(['/a'])
      await session.hand.answer(answer)
      expect(session.hand.store.get().asked).toBeNull()
      expect(session.sources.paths()).toEqual(
        { new: ['/media/photos/b'], add: ['/a', '/media/photos/b'], none: ['/a'] }[answer],
      )
      const { form } = session.options.store.get()
      expect(form.encryption).toBe(answer === 'new' ? 'none' : 'aes-256')
      expect(session.plan.store.get().document === null).toBe(answer === 'new')
      end()
    },
  )

  it('takes folders that are dropped on its own page without a question', async () => {
    const { engine, session, end } = await usedSession()
    session.goTo('source')
    engine.give('b')
    await answers()
    expect([session.hand.store.get().asked, session.sources.paths()]).toEqual([
      null,
      ['/a', '/media/photos/b'],
    ])
    end()
  })

  it('makes way for folders that are dropped while a set without sources is open', async () => {
    const { engine, session, end } = await usedSession()
    session.sources.store.dispatch({ type: 'replaced', sources: [] })
    engine.give('b')
    await answers()
    expect(heldBy(session)).toEqual({ ...EMPTY, sources: [B] })
    end()
  })

  it('makes way for a survey of the catalog, a set of other files and a project', async () => {
    const sets = [{ id: 'p2', directory: '/plans/two', firstLabel: 'A_01' }]
    for (const open of [
      (session: Session) => session.catalog.openSurvey('s1'),
      (session: Session) => session.catalog.openPlan('p2'),
      (session: Session) => session.project.do('open'),
    ]) {
      const { session, end } = await usedSession({ history: true, sets })
      session.survey.store.dispatch({ type: 'loaded', document: buildSurvey({ ...SHAPE, id: 's9' }) })
      await open(session)
      expect(session.options.store.get().form.encryption).toBe('none')
      expect(session.plan.store.get().labelPrefix).toBeNull()
      expect(session.plan.store.get().document?.id).not.toBe('p1')
      expect(session.kept.store.get().rules.patterns).toEqual([])
      expect(session.sources.paths()).not.toContain('/a')
      end()
    }
  })

  it('closes the open project before another archive begins, and stays where the person keeps it', async () => {
    const { engine, session, asked, end } = await usedSession({ project: {} })
    await session.project.do('open')
    const { open } = session.project.store.get()
    const { project } = engine.api.call
    const keeps = { ...project, close: () => Promise.resolve({ ok: true as const, value: false }) }
    Object.assign(engine.api.call, { project: keeps })
    await session.hand.begin()
    expect(session.project.store.get().open).toEqual(open)
    expect(open).not.toBeNull()
    Object.assign(engine.api.call, { project })
    await session.hand.begin()
    expect(heldBy(session)).toEqual(EMPTY)
    expect(asked()).toContain('project.close')
    end()
  })

  it.each(['survey', 'plan', 'export', 'option'] as const)(
    'stays while a %s runs, whose result would be shown as one of the next',
    async (kind) => {
      const { session, end } = await usedSession()
      session.jobs.dispatch({ type: 'started', jobId: 'j1', kind })
      const before = heldBy(session)
      await session.hand.begin()
      expect(heldBy(session)).toEqual(before)
      expect(session.frame.get().notices.map(({ error }) => error.message)).toEqual([
        'A survey, plan or build of the current archive is running. Cancel it or wait until it ends, then begin another archive',
      ])
      end()
    },
  )

  it.each(['build', 'verify', 'write'] as const)(
    'keeps the set that a %s is at work on while another one begins',
    async (kind: JobKind) => {
      const { session, end } = await usedSession()
      session.jobs.dispatch({ type: 'started', jobId: 'j1', kind })
      await session.hand.begin()
      expect(session.runs.store.get().directory).toBe('/plans/one')
      expect(session.plan.store.get().document).toBeNull()
      end()
    },
  )

  it('offers no undo that brings sources of the one before back', async () => {
    const { session, end } = await usedSession()
    session.sources.remove('/a')
    await session.hand.begin()
    expect(session.undo()).toBe(false)
    expect(session.sources.paths()).toEqual([])
    end()
  })
})

describe('a plan of another source', () => {
  it.each([
    [
      'whose own could not be planned',
      (session: Session) => {
        session.survey.store.dispatch({ type: 'loaded', document: buildSurvey({ ...SHAPE, id: 's2' }) })
        session.plan.notPlanned()
      },
    ],
    [
      'that was not surveyed yet',
      (session: Session) => session.sources.store.dispatch({ type: 'replaced', sources: [B] }),
    ],
    ['with other rules', (session: Session) => session.kept.set({ patterns: ['*.raw'] })],
  ])('is neither exported nor built for one %s', async (_name, change) => {
    const { session, asked, end } = await usedSession()
    session.kept.set({ patterns: survey.rules?.patterns ?? [] })
    expect(await session.plan.exportToBuild()).toBe('/plans/one')
    change(session)
    expect(await session.plan.exportToBuild()).toBeNull()
    await session.plan.export()
    session.plan.store.dispatch({ type: 'refused', directory: '/plans/one' })
    await session.plan.replace()
    expect(asked()).not.toContain('plan.export')
    end()
  })

  it('is not made of a survey of other sources than those in hand', async () => {
    const { session, asked, end } = await usedSession()
    session.sources.store.dispatch({ type: 'replaced', sources: [B] })
    expect(await session.plan.start()).toBe(false)
    expect(asked()).not.toContain('plan.start')
    end()
  })
})
