import { expect, it } from 'vitest'
import type { JobProgress } from '../../../src/contract/dto/job'
import { progressFigures } from '../../../src/contract/progressFigures'

const progress: JobProgress = {
  jobId: 'j1',
  kind: 'build',
  state: 'running',
  phase: { index: 1, count: 1, name: 'building' },
  filesDone: 41,
  filesTotal: 230,
  bytesDone: 3_100_000_000,
  bytesTotal: 5_000_000_000,
  bytesPerSecond: 81_000_000,
  elapsedMs: 92_000,
  etaMs: 118_000,
  share: 0.29,
  volume: { index: 2, count: 5, share: 0.57 },
  current: 'PHOTOS_02',
}

it('gives shares of the whole and of a volume in whole per cent, and the time left', () => {
  expect(progressFigures(progress)).toEqual({
    share: '29 %',
    left: '2 min',
    still: null,
    volume: { index: 2, count: 5, share: '57 %' },
  })
  expect(progressFigures({ ...progress, share: 0 }).share).toBe('0 %')
  expect(progressFigures({ ...progress, share: 1 }).share).toBe('100 %')
})

it('gives no figure that is not known', () => {
  const none = { share: null, left: null, still: null, volume: null }
  expect(progressFigures({ ...progress, share: null, etaMs: null, volume: null })).toEqual(none)
  expect(progressFigures({ ...progress, state: 'paused' }).left).toBeNull()
  expect(progressFigures({ ...progress, etaMs: null, stillMs: 65_000 })).toMatchObject({
    left: null,
    still: '1 min',
  })
})

it('gives no volume where there is one alone', () => {
  expect(progressFigures({ ...progress, volume: { index: 1, count: 1, share: 0.5 } }).volume).toBeNull()
})
