import { type Recommendation, recommendBands } from '../../../../../src/domain/devices/bands/recommend'
import { SWEEP_OPERATIONS, type SweepSample } from '../../../../../src/domain/devices/bands/sweepDocument'
import { candidatesOf } from '../../../../../src/domain/devices/bands/sweepFigures'
import {
  planSweep,
  type SweepPlan,
  type SweepSettings,
} from '../../../../../src/domain/devices/bands/sweepPlan'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { heavyTailed } from '../syntheticDevice'

export const USUAL_SETTINGS: SweepSettings = {
  bandSizes: null,
  kinds: ['UDSB'],
  encryptions: [null],
  budgetBytes: 43e9,
  repeats: null,
  requestBytes: 2 ** 20,
  seed: 1,
}

/** A device that exists only by its law: bytes a second, what a band costs, and what goes wrong meanwhile. */
export interface BandDevice {
  readonly bytesPerSecond: number
  readonly bandNs: number
  /** Factor on the time of bands above a size, as a cache that no longer holds one. */
  readonly slowAbove?: { readonly bandBytes: number; readonly factor: number }
  /** The scale of the heavy-tailed noise of every pass. */
  readonly noise: number
  /** How much the whole device changes from one round to the next. */
  readonly drift: number
}

/** What a sweep of it would have timed. */
export function syntheticSamples(device: BandDevice, plan: SweepPlan, seed: number): SweepSample[] {
  const random = seededRandom(seed)
  return plan.rounds.flatMap((order, round) => {
    const drift = Math.exp(device.drift * heavyTailed(random))
    return order.flatMap((point) => {
      const bandBytes = plan.points[point]?.bandBytes ?? null
      const bands = bandBytes === null ? 0 : Math.ceil(plan.passBytes / bandBytes)
      const slow =
        device.slowAbove && (bandBytes ?? 0) > device.slowAbove.bandBytes ? device.slowAbove.factor : 1
      const truth = ((plan.passBytes * 1e9) / device.bytesPerSecond + bands * device.bandNs) * slow
      return SWEEP_OPERATIONS.map((op) => ({
        point,
        round,
        op,
        bytes: plan.passBytes,
        ns: truth * drift * Math.exp(device.noise * heavyTailed(random)),
      }))
    })
  })
}

/** Sweeps the device and gives what would be recommended for a bundle of this size on a local disk. */
export function sweptAndRecommended(
  device: BandDevice,
  seed: number,
  fullBytes: number,
  settings: SweepSettings = USUAL_SETTINGS,
): Recommendation {
  const plan = planSweep({ ...settings, seed })
  if (plan === null) throw new Error('the budget is too small')
  const samples = syntheticSamples(device, plan, seed)
  const candidates = candidatesOf(plan.points, samples, null, { fullBytes, passBytes: plan.passBytes })
  return recommendBands(candidates, { isNetwork: false, fileSystem: 'ext4' })
}
