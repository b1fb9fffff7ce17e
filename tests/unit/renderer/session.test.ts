import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/state/session'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { buildPlan, MEDIA } from '../../fixtures/fakeEngine/plans'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { buildSurvey, type SurveyShape } from '../../fixtures/fakeEngine/surveys'

const SHAPE: SurveyShape = { id: 's1', roots: ['/a'], files: 5000, bytes: 60_000_000_000 }
const survey = buildSurvey(SHAPE)
const plan = buildPlan({ id: 'p1', survey: SHAPE, medium: MEDIA[0] as (typeof MEDIA)[number] })

/** A session with a survey, and the engine that it asks. */
function sessionOf(scenario: Scenario = {}) {
  const engine = new FakeEngine(scenario)
  const session = new Session(engine.api)
  session.stores.survey.dispatch({ type: 'loaded', document: survey })
  const asked = () => engine.calls.map(({ channel }) => channel)
  return { engine, session, asked }
}

const answers = () => new Promise(setImmediate)

describe('a session', () => {
  it('starts each job once when its button is pressed twice before the engine answers', async () => {
    const { session, asked } = sessionOf()
    const { sources, plan: plans, build } = session.stores
    sources.dispatch({ type: 'added', sources: [{ path: '/a', kind: 'folder', name: 'a' }] })
    plans.dispatch({ type: 'medium', mediumId: 'bd-r-25' })
    build.dispatch({ type: 'opened', directory: '/plans/one', plan })
    build.dispatch({ type: 'to', to: { kind: 'file', path: '/one.iso' } })
    build.dispatch({ type: 'also', path: '/two.iso', on: true })
    for (const press of [
      () => session.startSurvey(),
      () => session.startPlan(),
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
    const { frame, sources } = session.stores
    await session.giveDropped(Array.from({ length: 1001 }, (_, at) => ({ name: `${at}.jpg` })))
    expect(engine.dropped).toEqual([])
    const message = '1,001 files and folders are too many: a survey takes at most 1,000'
    expect(frame.get().notices.map(({ error }) => error.message)).toEqual([message])
    const many = Array.from(
      { length: 1001 },
      (_, at) => ({ path: `/${at}`, kind: 'file', name: `${at}` }) as const,
    )
    sources.dispatch({ type: 'added', sources: many })
    await session.startSurvey()
    expect(asked()).toEqual([])
    expect(frame.get().notices.map(({ error }) => error.message)).toEqual([message])
  })

  it('takes options for outdated from a change of the settings until their own answer', async () => {
    const { session } = sessionOf()
    const { options } = session.stores
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

  it('asks again what it asked of an engine that died, once another one is there', async () => {
    const fails: NonNullable<Scenario['fails']> = {}
    const { engine, session } = sessionOf({ fails })
    const { options } = session.stores
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
