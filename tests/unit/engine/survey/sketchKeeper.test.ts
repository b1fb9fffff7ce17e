import { expect, test, vi } from 'vitest'
import type { SurveyParts } from '../../../../src/domain/survey/surveyParts'
import { EarlierUnusable } from '../../../../src/engine/survey/earlierSurvey'
import { sketchKeeper } from '../../../../src/engine/survey/sketchKeeper'

const PARTS = {
  about: { roots: ['/s'] },
  entries: { totals: { bytes: 0 } },
  cuts: { fixedBlocks: [], chunked: [] },
  counts: { readFiles: 0, trustedFiles: 0 },
  forecasts: {},
  earlier: null,
  folders: { leftOut: [], otherSets: [] },
} as unknown as SurveyParts

type Setting = Parameters<typeof sketchKeeper>[1]

test('a pass that rests is not saved again and again', async () => {
  let nowMs = 0
  const saveSketch = vi.fn(async () => {})
  const checkpoint = vi.fn()
  const keeper = sketchKeeper({ saveSketch } as unknown as Parameters<typeof sketchKeeper>[0], {
    surveyId: 's-1',
    earlierPlace: null,
    sketches: { placeOf: (id: string) => `/sketches/${id}` } as Setting['sketches'],
    writer: { checkpoint } as unknown as Setting['writer'],
    clock: { monotonicMs: () => nowMs } as Setting['clock'],
    ledger: {} as Setting['ledger'],
    checkpointMs: 10,
  })
  const between = async (entries: number): Promise<void> => {
    nowMs += 1000
    keeper.between(entries, () => PARTS)
    await new Promise((done) => void setImmediate(done))
  }
  for (const entries of [0, 5, 5, 5, 8, 8]) await between(entries)
  expect(saveSketch).toHaveBeenCalledTimes(2)
  expect(checkpoint.mock.calls.map(([, entries]) => entries)).toEqual([5, 8])
  saveSketch.mockRejectedValueOnce(new Error('no space'))
  await between(9)
  await between(9)
  expect(checkpoint.mock.calls.map(([, entries]) => entries)).toEqual([5, 8, 9])
})

test('a pass ends early when a checkpoint finds that an earlier sketch, once it is needed, is damaged', async () => {
  let nowMs = 0
  let trustedFiles = 0
  const clock = { monotonicMs: () => nowMs } as Setting['clock']
  const keeper = sketchKeeper(
    { saveSketch: async () => {} } as unknown as Parameters<typeof sketchKeeper>[0],
    {
      surveyId: 's-2',
      earlierPlace: '/sketches/none',
      sketches: { placeOf: (id: string) => `/sketches/${id}` } as Setting['sketches'],
      writer: { checkpoint: () => {} } as unknown as Setting['writer'],
      clock,
      ledger: {
        counts: () => ({ trustedFiles }),
        inputs: (path: string) => [{ path, fileMap: null }],
      } as unknown as Setting['ledger'],
      checkpointMs: 10,
    },
  )
  // What was read without it has its exact figures from the pass.
  expect(await keeper.save(5, PARTS)).toBeNull()
  trustedFiles = 1
  nowMs = 1000
  keeper.between(5, () => PARTS)
  await expect(keeper.save(5, PARTS)).rejects.toThrow(EarlierUnusable)
  expect(() => keeper.between(5, () => PARTS)).toThrow(EarlierUnusable)
})
