import { describe, it } from 'vitest'
import type { PlannedStep } from '../../../../src/domain/devices/runPlan'
import { MeasureWork } from '../../../../src/engine/devices/measureWork'
import { expectRight, followed } from '../../../support/followedJob'

const LONG = 64e6
const SHORT = 8192

/** Long files in sequence, short ones by the thousand, and accesses anywhere, as a disk with heads takes them. */
const STEPS: readonly (readonly [step: PlannedStep, bytes: number, ms: number])[] = [
  ...[0, 1, 2, 3].flatMap((file): [PlannedStep, number, number][] => [
    [{ kind: 'create', file }, 0, 5],
    [{ kind: 'write', file }, LONG, 500],
  ]),
  ...Array.from({ length: 1000 }, (_, at): [PlannedStep, number, number] => [
    { kind: 'write', file: 10 + at },
    SHORT,
    12,
  ]),
  [{ kind: 'rest', ms: 3000 }, 0, 3000],
  ...[0, 1, 2, 3].map((file): [PlannedStep, number, number] => [{ kind: 'read', file }, LONG, 450]),
  ...Array.from({ length: 20 }, (_, at): [PlannedStep, number, number] => [
    { kind: 'randomRead', file: at % 4, accesses: 50, accessSize: 4096, seed: at },
    50 * 4096,
    500,
  ]),
]

describe('the progress of a measurement', () => {
  it('is right within a factor of two where short files and accesses anywhere take longer for each byte', async () => {
    const told = await followed((context, pass) => {
      const work = new MeasureWork()
      for (const [step, bytes] of STEPS) work.plan(step, bytes)
      for (const [step, bytes, ms] of STEPS) {
        for (const share of [0, 0.25, 0.5, 0.75]) {
          context.progress({
            phase: { index: 1, count: 1, name: 'measuring' },
            filesDone: 0,
            filesTotal: null,
            bytesDone: 0,
            bytesTotal: null,
            current: null,
            work: work.rows({ step, bytes, share }),
          })
          pass(ms / 4)
        }
        work.end(step, bytes)
      }
    })
    expectRight(told)
  })
})
