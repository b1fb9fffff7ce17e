import { expect, test } from 'vitest'
import type { JobContext } from '../../../../src/engine/jobs/jobContext'
import type { EntryBatch, NativeSurvey } from '../../../../src/engine/native/addon'
import { followPass } from '../../../../src/engine/survey/followPass'

test('a pass that is far ahead of the catalog waits, also when it finds no files', async () => {
  const reported: string[] = []
  let taken = 0
  let end = (): void => {}
  const finished = new Promise<object>((resolve) => {
    end = () => resolve({})
  })
  const pass = {
    finished,
    takeEntries() {
      if (taken === 20_000) end()
      return taken === 20_000 ? null : ({ count: 1000 } as EntryBatch)
    },
    progress: () => ({ filesDone: 0, entries: 20_000 }),
    pause: () => reported.push(`pause at ${taken}`),
    resume: () => reported.push(`resume at ${taken}`),
    cancel: () => reported.push('cancel'),
  } as unknown as NativeSurvey
  const context = {
    clock: { monotonicMs: () => 0 },
    signal: new AbortController().signal,
    pausable: () => {},
  } as unknown as JobContext
  await followPass(pass, context, {
    take(_batch, from, to) {
      taken += to - from
    },
    live() {},
    between() {},
    progress() {},
  })
  expect(reported).toEqual(['pause at 1000', 'resume at 19000'])
})
