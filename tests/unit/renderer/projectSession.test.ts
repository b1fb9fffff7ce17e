import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { PHOTOS, type ProjectShape } from '../../fixtures/fakeEngine/fakeProjects'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

const answers = () => new Promise(setImmediate)

async function sessionOf(scenario: Scenario) {
  const engine = new FakeEngine(scenario)
  const session = new Session(engine.api)
  session.start()
  await answers()
  return { engine, session, project: session.project }
}

/** A window in which a project was opened. */
async function opened(project: ProjectShape = PHOTOS) {
  const used = await sessionOf({ project })
  await used.project.do('open')
  await answers()
  return used
}

describe('an open project', () => {
  it('fills every step and reports no change by that', async () => {
    const { engine, session, project } = await opened()
    expect(session.kept.store.get().rules.patterns).toEqual(['*.tmp'])
    expect(session.options.store.get().form).toMatchObject({
      mediumIds: ['dvd-r'],
      encryption: 'aes-256',
      goal: 'anywhere',
    })
    expect(session.plan.store.get()).toMatchObject({ mediumId: 'dvd-r', labelPrefix: 'PHOTOS' })
    expect(project.name()).toEqual({ id: 'pr-0123456789ab', name: 'photos' })
    expect(engine.callsOf('project.change')).toEqual([])
  })

  it('saves another number of copies, and none where the number is taken back', async () => {
    const { engine, session, project } = await opened({ ...PHOTOS, form: { ...PHOTOS.form, copies: 3 } })
    expect(session.plan.store.get().copies).toBe(3)
    for (const copies of [2, null]) {
      session.plan.store.dispatch({ type: 'copies', copies })
      await answers()
      expect(engine.callsOf('project.change').at(-1)).toMatchObject({ form: { copies } })
    }
    expect(project.store.get().open?.isUnsaved).toBe(true)
  })

  it('keeps a source that is missing until it is found or removed', async () => {
    const missing = ['notes', 'films'].map((name) => ({ name, path: `/media/stick/${name}` }))
    const { engine, session, project } = await opened({ ...PHOTOS, missing })
    await project.locate('notes')
    await answers()
    expect(session.sources.paths()).toContain('/mnt/notes')
    expect(project.store.get().open?.missing.map(({ name }) => name)).toEqual(['films'])
    await project.removeMissing('films')
    expect(project.store.get().open?.missing).toEqual([])
    expect(engine.callsOf('project.change').at(-1)).toMatchObject({ missing: [] })
  })

  it('takes what another program has written where the person prefers that', async () => {
    const { session, project } = await opened({
      ...PHOTOS,
      reloads: { medium: 'disk', encryption: 'none' },
    })
    session.options.set({ encryption: 'aes-128' })
    await project.do('save')
    expect(session.options.store.get().form).toMatchObject({ mediumIds: ['disk'], encryption: 'none' })
    expect(project.store.get().open?.isUnsaved).toBe(false)
  })

  it('makes way for an empty one', async () => {
    const { session, project } = await opened()
    await project.do('new')
    expect(project.store.get().open).toMatchObject({ name: 'Untitled project', file: null })
    expect([session.sources.paths(), session.kept.store.get().rules.patterns]).toEqual([[], []])
    expect(project.name()).toBeUndefined()
  })
})

describe('a window without a project', () => {
  it('reports no change of the steps', async () => {
    const { engine, session } = await sessionOf({})
    session.options.set({ encryption: 'aes-256' })
    session.plan.store.dispatch({ type: 'prefix', prefix: 'LAB' })
    await answers()
    expect(engine.callsOf('project.change')).toEqual([])
  })

  it('keeps what it has where a file cannot be opened, and reports the fault', async () => {
    const message = '/home/anna/photos.stowage.yaml:5:1: medum is unknown: did you mean "medium"?'
    const { session, project } = await sessionOf({
      fails: { 'project.open': { code: 'bad-input', message } },
    })
    session.kept.set({ patterns: ['*.raw'] })
    await project.do('open')
    expect(project.store.get().open).toBeNull()
    expect(session.kept.store.get().rules.patterns).toEqual(['*.raw'])
    expect(session.frame.get().notices.map(({ error }) => error.message)).toEqual([message])
  })

  it('lists recent projects, forgets one and opens another', async () => {
    const recents = ['photos', 'films'].map((name) => ({
      recent: `/home/anna/${name}.stowage.yaml`,
      name,
      problem: null,
    }))
    const { engine, project } = await sessionOf({ project: { ...PHOTOS, recents } })
    expect(project.store.get().recents).toEqual(recents)
    await project.forget('/home/anna/films.stowage.yaml')
    expect(project.store.get().recents).toEqual(recents.slice(0, 1))
    await project.openRecent('/home/anna/photos.stowage.yaml')
    expect(engine.callsOf('project.openRecent')).toEqual([{ recent: '/home/anna/photos.stowage.yaml' }])
    expect(project.store.get().open?.name).toBe('photos')
  })

  it('shows the project that main has open when the window starts', async () => {
    const { session, project } = await sessionOf({ project: { ...PHOTOS, atStart: true } })
    expect(project.store.get().open).toMatchObject({ name: 'photos', isUnsaved: false })
    expect(session.options.store.get().form.encryption).toBe('aes-256')
  })
})
