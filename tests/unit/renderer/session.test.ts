import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { buildRows, isVerifiedRow } from '../../../renderer/src/steps/building/buildState'
import type { Option } from '../../../src/contract/dto/options'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { buildPlan, buildRun, MEDIA } from '../../fixtures/fakeEngine/plans'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { buildSurvey, type SurveyShape } from '../../fixtures/fakeEngine/surveys'

const SHAPE: SurveyShape = { id: 's1', roots: ['/a'], files: 5000, bytes: 60_000_000_000 }
const survey = buildSurvey(SHAPE)
const plan = buildPlan({ id: 'p1', survey: SHAPE, medium: MEDIA[0] as (typeof MEDIA)[number] })

/** A session with a survey, and the engine that it asks. */
function sessionOf(scenario: Scenario = {}) {
  const engine = new FakeEngine(scenario)
  const session = new Session(engine.api)
  session.survey.store.dispatch({ type: 'loaded', document: survey })
  const asked = () => engine.calls.map(({ channel }) => channel)
  return { engine, session, asked }
}

const answers = () => new Promise(setImmediate)

describe('a session', () => {
  it('starts each job once when its button is pressed twice before the engine answers', async () => {
    const { session, asked } = sessionOf()
    const sources = session.sources.store
    const plans = session.plan.store
    const build = session.runs.store
    sources.dispatch({ type: 'added', sources: [{ path: '/a', kind: 'folder', name: 'a' }] })
    plans.dispatch({ type: 'medium', mediumId: 'bd-r-25' })
    build.dispatch({ type: 'opened', directory: '/plans/one', plan })
    build.dispatch({ type: 'to', to: { kind: 'file', path: '/one.iso' } })
    build.dispatch({ type: 'also', path: '/two.iso', on: true })
    for (const press of [
      () => session.survey.start(),
      () => session.plan.start(),
      () => session.runs.write(false),
    ]) {
      void press()
      void press()
    }
    await answers()
    expect(asked().filter((channel) => channel !== 'run.write')).toEqual(['survey.start', 'plan.start'])
    // One for each of the two places.
    expect(asked().filter((channel) => channel === 'run.write')).toHaveLength(2)
  })

  it('reports more sources than a survey takes, dropped or added one by one, and hands none over', async () => {
    const { engine, session, asked } = sessionOf()
    const frame = session.frame
    const sources = session.sources.store
    await session.sources.giveDropped(Array.from({ length: 1001 }, (_, at) => ({ name: `${at}.jpg` })))
    expect(engine.dropped).toEqual([])
    const message = '1,001 files and folders are too many: a survey takes at most 1,000'
    expect(frame.get().notices.map(({ error }) => error.message)).toEqual([message])
    const many = Array.from(
      { length: 1001 },
      (_, at) => ({ path: `/${at}`, kind: 'file', name: `${at}` }) as const,
    )
    sources.dispatch({ type: 'added', sources: many })
    await session.survey.start()
    expect(asked()).toEqual([])
    expect(frame.get().notices.map(({ error }) => error.message)).toEqual([message])
  })

  it('knows what a plan reads for SHA-256, and that it reads nothing once the plan is made', async () => {
    const { engine, session } = sessionOf({ survey: { missingSha256: { files: 12, bytes: 3_000_000 } } })
    session.sources.store.dispatch({ type: 'added', sources: [{ path: '/a', kind: 'folder', name: 'a' }] })
    session.plan.store.dispatch({ type: 'medium', mediumId: 'bd-r-25' })
    const end = session.start()
    await session.survey.start()
    engine.finish()
    await answers()
    const { id } = session.survey.store.get().document ?? { id: '' }
    await session.survey.loadMissingSha256(id)
    expect(session.survey.store.get().missingSha256).toEqual({ surveyId: id, files: 12, bytes: 3_000_000 })
    await session.plan.start()
    engine.finish()
    await answers()
    await session.survey.loadMissingSha256(id)
    expect(session.survey.store.get().missingSha256).toEqual({ surveyId: id, files: 0, bytes: 0 })
    end()
  })

  it('makes a packed plan that is asked for during a survey once that has its forecasts', async () => {
    const { engine, session, asked } = sessionOf()
    session.sources.store.dispatch({ type: 'added', sources: [{ path: '/a', kind: 'folder', name: 'a' }] })
    const end = session.start()
    await answers()
    session.plan.store.dispatch({ type: 'medium', mediumId: 'bd-r-25' })
    await session.survey.start()
    session.plan.store.dispatch({
      type: 'packing',
      packing: { recipe: '7z-files', encryption: 'none', joined: false } as never,
    })
    session.survey.store.dispatch({ type: 'loaded', document: survey })
    expect(await session.plan.start()).toBe(true)
    expect(session.plan.store.get().isWaiting).toBe(true)
    expect(asked()).not.toContain('plan.start')
    engine.finish()
    await expect.poll(asked).toContain('plan.start')
    expect(session.plan.store.get().isWaiting).toBe(false)
    end()
  })

  it('keeps the set that is shown while it is built, and says why another one is not opened', async () => {
    const { session, asked } = sessionOf()
    const build = session.runs.store
    const frame = session.frame
    const jobs = session.jobs
    build.dispatch({ type: 'opened', directory: '/plans/one', plan })
    jobs.dispatch({ type: 'started', jobId: 'j1', kind: 'build' })
    await session.runs.open('/plans/one')
    expect(frame.get()).toMatchObject({ step: 'build', notices: [] })
    await session.runs.open('/plans/two')
    expect(frame.get().notices.map(({ error }) => error.message)).toEqual([
      'Another set is being built, verified or written',
    ])
    expect([build.get().directory, asked()]).toEqual(['/plans/one', []])
  })

  it('opens a plan folder as built and verified where its runs say so', async () => {
    const { engine } = sessionOf()
    const runs = (['build', 'verify'] as const).map((kind) => buildRun(kind, kind, plan, '/plans/one', []))
    const ofPlan = {
      ...engine.api.call.plan,
      open: () => Promise.resolve({ ok: true as const, value: plan }),
      runs: () => Promise.resolve({ ok: true as const, value: runs }),
    }
    const session = new Session({ ...engine.api, call: { ...engine.api.call, plan: ofPlan } })
    await session.runs.open('/plans/one')
    const rows = buildRows(session.runs.store.get())
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ build, verify }) => [build?.state, verify?.state])).toEqual(
      rows.map(() => ['done', 'done']),
    )
  })

  it('shows a disc that was checked alone as built and verified, and a damaged one as failed', () => {
    const { session } = sessionOf()
    session.runs.store.dispatch({ type: 'opened', directory: '/plans/one', plan })
    const checks = [
      volumeDue('PHOTOS_01', 1, 9e11, { checkedDays: 1, dueDays: 364 }),
      volumeDue('PHOTOS_02', 2, 9e11, { checkedDays: 1, dueDays: 0, damaged: 3 }),
    ]
    const [first, second, third] = buildRows(session.runs.store.get(), checks)
    expect([first, second, third].map((row) => row && isVerifiedRow(row))).toEqual([true, false, false])
    expect([second?.check?.result, third?.check]).toEqual(['damaged', null])
  })

  it('opens a set of the catalog in every step, whichever survey is shown', async () => {
    const sets = [
      { id: 'p1', directory: '/plans/one', firstLabel: 'A_01', runs: ['build', 'verify'] as const },
    ]
    const { session } = sessionOf({ history: true, sets })
    const end = session.start()
    await answers()
    session.survey.store.dispatch({
      type: 'loaded',
      document: buildSurvey({ ...SHAPE, id: 's9', roots: ['/b'] }),
    })
    await session.catalog.openPlan('p1')
    expect(session.plan.store.get()).toMatchObject({ document: { id: 'p1' }, exportedTo: '/plans/one' })
    expect(session.survey.store.get().document?.id).toBe('s1')
    const { build, verify, directory } = session.runs.store.get()
    expect([directory, build?.outcome, verify?.outcome]).toEqual(['/plans/one', 'done', 'done'])
    expect(session.frame.get()).toMatchObject({ step: 'plan', notices: [] })
    end()
  })

  it('shows the plan of a folder that is opened in Build in Plan too', async () => {
    const { session } = sessionOf({ history: true, sets: [{ id: 'p1', directory: '/plans/one' }] })
    const end = session.start()
    await answers()
    await session.runs.open('/plans/one')
    expect(session.plan.store.get()).toMatchObject({ document: { id: 'p1' }, exportedTo: '/plans/one' })
    expect(session.frame.get()).toMatchObject({ step: 'build', notices: [] })
    end()
  })

  it('opens a set whose survey was removed without another survey, and without a failure', async () => {
    const { session } = sessionOf({ sets: [{ id: 'p1', directory: '/plans/one' }] })
    const end = session.start()
    await answers()
    session.survey.store.dispatch({
      type: 'loaded',
      document: buildSurvey({ ...SHAPE, id: 's9', roots: ['/b'] }),
    })
    await session.catalog.openPlan('p1')
    expect(session.survey.store.get().document).toBeNull()
    expect(session.plan.store.get()).toMatchObject({ document: { id: 'p1' }, exportedTo: '/plans/one' })
    expect(session.frame.get().notices).toEqual([])
    end()
  })

  it('shows what was built of a set whose folder is gone, with nothing to be done there', async () => {
    const sets = [
      {
        id: 'p1',
        directory: '/plans/one',
        directoryExists: false,
        runs: ['build', 'verify', 'write'] as const,
      },
    ]
    const { session } = sessionOf({ history: true, sets })
    const end = session.start()
    await answers()
    await session.catalog.openPlan('p1')
    expect(session.plan.store.get().exportedTo).toBeNull()
    const { directory, build, verify, write } = session.runs.store.get()
    expect([directory, build?.outcome, verify?.outcome, write?.outcome]).toEqual([
      null,
      'done',
      'done',
      'done',
    ])
    expect(session.frame.get().notices).toEqual([])
    end()
  })

  it('opens the last set of a project with it, and keeps the project as it was saved', async () => {
    const project = { id: 'pr-0123456789ab', name: 'photos' }
    const { session, asked } = sessionOf({
      history: true,
      project: { form: { medium: 'dvd-r' }, atStart: true },
      sets: [
        { id: 'p1', directory: '/plans/one', project, createdWallMs: 1, runs: ['build'] },
        { id: 'p2', directory: '/plans/two', project, createdWallMs: 2, runs: ['build', 'verify'] },
        { id: 'p3', directory: '/plans/three', createdWallMs: 3 },
      ],
    })
    const end = session.start()
    await answers()
    await answers()
    expect(session.plan.store.get()).toMatchObject({
      document: { id: 'p2' },
      exportedTo: '/plans/two',
      mediumId: 'dvd-r',
    })
    expect(session.runs.store.get()).toMatchObject({ directory: '/plans/two', verify: { outcome: 'done' } })
    expect(session.project.store.get().open?.isUnsaved).toBe(false)
    expect(session.frame.get().step).toBe('source')
    expect(asked()).not.toContain('project.save')
    end()
  })

  it('takes options for outdated from a change of the settings until their own answer', async () => {
    const { session } = sessionOf()
    const options = session.options.store
    session.options.set({ mediumIds: ['bd-r-25'], encryption: 'aes-256' })
    expect(options.get().isOutdated).toBe(true)
    await answers()
    expect(options.get()).toMatchObject({
      isOutdated: false,
      document: { request: { encryption: 'aes-256' } },
    })
    session.options.set({ bytes: 'no size' })
    await answers()
    expect(options.get().isOutdated).toBe(true)
  })

  it('asks for options again where another survey, other settings or other programs may change them', async () => {
    const { session, asked } = sessionOf()
    const lists = () => asked().filter((name) => name === 'options.list').length
    await session.options.open()
    const first = lists()
    expect(first).toBeGreaterThan(0)
    await session.options.open()
    await session.options.show('options')
    await session.options.show('candidates')
    expect(lists()).toBe(first)
    session.options.forget()
    await session.options.open()
    expect(lists()).toBe(first + 1)
    session.survey.store.dispatch({
      type: 'loaded',
      document: buildSurvey({ ...SHAPE, id: 's2', roots: ['/b'] }),
    })
    await session.options.open()
    expect(lists()).toBe(first + 2)
    session.options.set({ encryption: 'aes-256' })
    await answers()
    expect(lists()).toBe(first + 3)
    await session.options.open()
    expect(lists()).toBe(first + 3)
  })

  it('begins no build of an option with files other than those it was prepared for', async () => {
    const { session, asked } = sessionOf()
    const options = session.options.store
    const surveys = session.survey.store
    session.options.set({ mediumIds: ['bd-r-25'] })
    await answers()
    const option = options.get().document?.options.find(({ build }) => build.possible) as Option
    await session.options.choosePlace(option)
    expect(options.get().inHand).toMatchObject({ optionId: option.id, surveyId: 's1' })
    surveys.dispatch({ type: 'loaded', document: buildSurvey({ ...SHAPE, id: 's2', roots: ['/b'] }) })
    await session.options.look()
    expect(options.get()).toMatchObject({ document: { surveyId: 's2' }, inHand: null })
    await session.options.build(null)
    expect(asked()).not.toContain('options.build')
  })

  it('drops the answer to a search that was cleared', async () => {
    const { session } = sessionOf({ history: true })
    session.catalog.typePattern('*.cr2')
    void session.catalog.find()
    session.catalog.typePattern('')
    await answers()
    expect(session.catalog.store.get()).toMatchObject({ found: null, searching: false })
  })

  it('asks whether to replace what is in a folder only about the plan that was to go there', async () => {
    const { engine, session } = sessionOf({ history: true })
    const end = session.start()
    await answers()
    await session.catalog.openPlan('pa')
    await session.plan.export()
    await session.catalog.openPlan('pb')
    engine.failNext({ code: 'exists', message: 'not empty' })
    engine.finish()
    await answers()
    const frame = session.frame
    const plans = session.plan.store
    expect(plans.get()).toMatchObject({ document: { id: 'pb' }, refusedDirectory: null })
    expect(frame.get().notices.map(({ error }) => error.code)).toEqual(['exists'])
    end()
  })

  it('asks again what it asked of an engine that died, once another one is there', async () => {
    const fails: NonNullable<Scenario['fails']> = {}
    const { engine, session } = sessionOf({ fails })
    const options = session.options.store
    const end = session.start()
    session.options.set({ mediumIds: ['bd-r-25'] })
    await answers()
    Object.assign(fails, { 'options.list': { code: 'engine-lost', message: 'gone' } })
    session.options.set({ encryption: 'aes-256' })
    await answers()
    expect(options.get().document?.request.encryption).toBe('none')
    Object.assign(fails, { 'options.list': undefined })
    engine.emit('app.engineState', { state: 'ready', reason: null, restarting: false })
    await answers()
    expect(options.get()).toMatchObject({
      isOutdated: false,
      document: { request: { encryption: 'aes-256' } },
    })
    end()
  })
})
