import { describe, expect, it } from 'vitest'
import { planProgress } from '../../../../src/engine/sets/plan/planProgress'
import { volumeProgress } from '../../../../src/engine/sets/volumeProgress'
import { expectRight, followed } from '../../../support/followedJob'

const volume = (label: string) => ({ label, files: 10, bytes: 1000 })

describe('the progress of volumes', () => {
  it('follows the clock where writing an image takes several times as long as reading it back', async () => {
    const told = await followed((context, pass) => {
      const volumes = [volume('A'), volume('B')]
      const progress = volumeProgress(context, 'building', volumes, () => [
        { kind: 'writing', bytes: 500, weight: 4 },
        { kind: 'readingBack', bytes: 500 },
      ])
      for (const at of volumes.keys()) {
        const tell = progress(at)
        for (let done = 50; done <= 1000; done += 50) {
          pass(done <= 500 ? 3500 : 500)
          tell(done)
        }
      }
    })
    expectRight(told)
    expect(told.at(-1)).toMatchObject({ bytesDone: 2000, bytesTotal: 2000 })
  })

  it('expects no time of volumes that are kept', async () => {
    const told = await followed((context, pass) => {
      const volumes = ['A', 'B', 'C', 'D', 'E'].map(volume)
      const progress = volumeProgress(context, 'building', volumes, () => [{ kind: 'copying', bytes: 1000 }])
      for (const at of volumes.keys()) {
        const tell = progress(at)
        if (at < 3) continue
        for (let done = 50; done <= 1000; done += 50) {
          pass(1000)
          tell(done)
        }
      }
    })
    expectRight(told)
  })
})

describe('the progress of a plan', () => {
  it('never falls from phase to phase', async () => {
    const told = await followed((context, pass) => {
      const progress = planProgress(context, { hashing: 1e9, entries: 100_000, parts: 2e8 })
      for (let step = 1; step <= 40; step++) {
        pass(500)
        progress.hashing([step, 40], (1e9 * step) / 40, '/a')
      }
      for (let round = 1; round <= 4; round++) {
        progress.layout(round, 0, 0)
        for (let sized = 1; sized <= 10; sized++) {
          pass(300)
          progress.layout(round, sized, 10)
        }
      }
      progress.parts(0, 3, 2e8)
      for (let step = 1; step <= 10; step++) {
        pass(400)
        progress.parts((2e8 * step) / 10, 3, 2e8)
      }
    })
    expectRight(told)
    expect(told.at(-1)?.share).toBeCloseTo(1, 1)
  })
})
