import { describe, expect, it } from 'vitest'
import { RestoreProgress } from '../../../../../src/engine/sets/restore/restoreProgress'
import { expectRight, followed } from '../../../../support/followedJob'

const MB = 1e6
/** Of each container. */
const FILES = Array.from({ length: 20 }, () => ({ bytes: 5 * MB }))

describe('the progress of a restore', () => {
  it.for<[string, { fetchMs: number; unpackMs: number; proveMs: number }]>([
    ['where unpacking takes longest', { fetchMs: 0, unpackMs: 9000, proveMs: 2000 }],
    ['where joining takes longest', { fetchMs: 6000, unpackMs: 2000, proveMs: 2000 }],
  ])('is right within a factor of two: %s', async ([, { fetchMs, unpackMs, proveMs }]) => {
    const reported = await followed((context, pass) => {
      const progress = new RestoreProgress(context)
      const wanted = { files: 20 + 5 * FILES.length, bytes: 200 * MB + 5 * 100 * MB }
      for (let at = 0; at < 5; at++) progress.expectPacked(FILES)
      progress.tell(null, wanted)
      for (let file = 0; file < 20; file++) {
        pass(250)
        progress.bytesDone += 10 * MB
        progress.filesDone += 1
        progress.tell('plain', wanted)
      }
      // The files of a batch are flushed together.
      pass(4000)
      progress.committedBytes = 200 * MB
      progress.tell(null, wanted)
      for (let at = 0; at < 5; at++) {
        progress.begin(FILES)
        const before = progress.bytesDone
        const step = (ms: number, from: number, to: number): void => {
          for (let part = 1; part <= 10; part++) {
            pass(ms / 10)
            progress.bytesDone = before + 100 * MB * (from + ((to - from) * part) / 10)
            progress.tell('packed', wanted)
          }
        }
        step(fetchMs, 0, 0.2)
        step(unpackMs, 0.2, 0.6)
        step(proveMs, 0.6, 1)
        progress.filesDone += FILES.length
        progress.end(true)
      }
    })
    expectRight(reported)
    expect(reported.at(-1)?.share).toBeCloseTo(1, 1)
  })

  it('never shows fewer bytes after files turned out to be others than those wanted', async () => {
    const reported = await followed((context, pass) => {
      const progress = new RestoreProgress(context)
      for (const bytes of [0, 50, 90, 0, 40, 100]) {
        progress.bytesDone = bytes
        progress.tell(null, { files: 1, bytes: 100 })
        pass(1000)
      }
    })
    expect(reported.map(({ bytesDone }) => bytesDone)).toEqual([0, 50, 90, 90, 90, 100, 100])
  })
})
