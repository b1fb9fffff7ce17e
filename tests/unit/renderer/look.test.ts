import { expect, it, vi } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { initialJobs, reduceJobs, shownJobs } from '../../../renderer/src/state/jobs'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'

const A = { path: '/a', kind: 'folder', name: 'a' } as const
const B = { path: '/b', kind: 'folder', name: 'b' } as const

/** A window whose sources were listed and looked at. */
async function looked(engine = new FakeEngine()): Promise<Session> {
  const session = new Session(engine.api)
  session.start()
  session.sources.store.dispatch({ type: 'added', sources: [A] })
  await vi.waitFor(() => expect(session.look.store.get().walkId).not.toBeNull())
  return session
}

it('sources are looked at once they are listed, and again when they change', async () => {
  const session = await looked()
  await vi.waitFor(() => expect(session.look.store.get().document?.roots).toEqual(['/a']))
  session.sources.store.dispatch({ type: 'added', sources: [B] })
  await vi.waitFor(() => expect(session.look.store.get().document?.roots).toEqual(['/a', '/b']))
})

it('sources are not looked at where the setting says so', async () => {
  const engine = new FakeEngine({ settings: { look: false } })
  const session = await looked(engine)
  await vi.waitFor(() => expect(session.kept.store.get().status).toBe('idle'))
  expect(session.look.store.get().document).toBeNull()
  expect(engine.calls.some(({ channel }) => channel === 'survey.look')).toBe(false)
})

it('a look is in the strip only where nothing else runs', () => {
  const kinds = ['look', 'survey'] as const
  const started = kinds.reduce(
    (jobs, kind) => reduceJobs(jobs, { type: 'started', jobId: kind, kind }),
    initialJobs,
  )
  expect(shownJobs(started).map(({ kind }) => kind)).toEqual(['survey'])
})
