import { describe, expect, it, vi } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { whatNow } from '../../../renderer/src/components/Notices'
import type { JobEnd } from '../../../src/contract/dto/job'
import { APP_ERROR_CODES } from '../../../src/primitives/appError'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'
import { buildSurvey } from '../../fixtures/fakeEngine/surveys'

/** A session whose engine reports the end of jobs when the returned function is called. */
function sessionWithEnds(): { session: Session; ends: (end: JobEnd) => void } {
  const { api } = new FakeEngine({})
  let ends: (end: JobEnd) => void = () => undefined
  const job = {
    ...api.call.job,
    ended(listener: (end: JobEnd) => void) {
      ends = listener
      return () => undefined
    },
  }
  const session = new Session({ ...api, call: { ...api.call, job } })
  session.start()
  return { session, ends: (end) => ends(end) }
}

it('options are asked for again after work that ended, which may have changed what they stand on', async () => {
  const { session, ends } = sessionWithEnds()
  const look = vi.spyOn(session.options, 'look')
  const survey = buildSurvey({ id: 's1', roots: ['/a'], files: 5000, bytes: 60e9 })
  session.survey.store.dispatch({ type: 'loaded', document: survey })
  await session.options.open()
  await session.options.open()
  expect(look).toHaveBeenCalledTimes(1)
  ends({ jobId: 'j', kind: 'build', outcome: 'done', resultId: null, error: null, elapsedMs: 1 })
  await session.options.open()
  expect(look).toHaveBeenCalledTimes(2)
})

describe('a failed restore', () => {
  it.each(APP_ERROR_CODES.filter((code) => code !== 'cancelled'))(
    'is never answered with advice to survey or build again: %s',
    (code) => expect(whatNow(['restore', 'restore'], code)).not.toMatch(/survey|build|larger medium/i),
  )

  it('is gone from the window once a restore is started again', async () => {
    const { session, ends } = sessionWithEnds()
    const frame = session.frame
    const restore = session.restore.store
    const error = { code: 'verification-failed', message: 'cannot use /d: it is damaged' } as const
    ends({ jobId: 'j', kind: 'restore', outcome: 'failed', resultId: null, error, elapsedMs: 1 })
    await new Promise(setImmediate)
    expect(frame.get().notices).toMatchObject([{ error, step: 'restore', job: 'restore' }])
    session.restore.open(['/d'])
    await vi.waitFor(() => expect(restore.get().status).toBe('open'))
    session.restore.toggle('')
    await vi.waitFor(() => expect(restore.get().needs?.files).toBeGreaterThan(0))
    restore.dispatch({ type: 'set', form: { to: '/to' } })
    await session.restore.restore()
    expect(frame.get().notices).toEqual([])
  })
})
