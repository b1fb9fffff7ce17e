import { expect, it } from 'vitest'
import { progressFigures } from '../../../src/contract/progressFigures'
import { buildUnderWay } from '../../support/buildUnderWay'

const progress = buildUnderWay

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
