import type { BandSweepPoint, SweepPointFacts } from '../../../contract/dto/bands'
import type { SweepOperation, SweepSample } from '../../../domain/devices/bands/sweepDocument'
import { ratioToReference, SWEEP_OPERATIONS, sweepRate } from '../../../domain/devices/bands/sweepFigures'
import { bandsOf, type SweepPlan, type SweepPoint } from '../../../domain/devices/bands/sweepPlan'

export function pointFacts({ kind, encryption, bandBytes }: SweepPoint, fullBytes: number): SweepPointFacts {
  return {
    kind,
    encryption,
    bandSize: bandBytes,
    bands: bandBytes === null ? null : bandsOf(fullBytes, bandBytes),
  }
}

/** The figures of every point so far, the reference first. */
export function pointFigures(
  plan: SweepPlan,
  samples: readonly SweepSample[],
  fullBytes: number,
): BandSweepPoint[] {
  const of = (point: number, op: SweepOperation): SweepSample[] =>
    samples.filter((sample) => sample.point === point && sample.op === op)
  return plan.points.map((point, index) => {
    const rate = (op: SweepOperation) => sweepRate(of(index, op))
    const ratio = (op: SweepOperation) => ratioToReference(of(index, op), of(0, op))
    return {
      ...pointFacts(point, fullBytes),
      bandsInPass: point.bandBytes === null ? null : plan.passBytes / point.bandBytes,
      write: rate('write'),
      read: rate('read'),
      stream: rate('stream'),
      ofReference: { write: ratio('write'), read: ratio('read'), stream: ratio('stream') },
    }
  })
}

/** Rounds that every point went through. */
export function wholeRounds(plan: SweepPlan, samples: readonly SweepSample[]): number {
  const perRound = new Map<number, number>()
  for (const { round } of samples) perRound.set(round, (perRound.get(round) ?? 0) + 1)
  return [...perRound.values()].filter((count) => count === SWEEP_OPERATIONS.length * plan.points.length)
    .length
}
