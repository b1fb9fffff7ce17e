import type { TimedSize } from '../../../../src/domain/statistics/theilSen'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

/** A device that exists only by its law: its clock is the sum of what it says each transfer takes. */
export interface SyntheticDevice {
  readonly latencyNs: number
  readonly bytesPerSecond: number
  /** The scale of its heavy-tailed noise: 0.1 is 10 %. */
  readonly noise: number
}

/** Noise as of Student's t with three degrees of freedom: finite variance, no fourth moment, one in 70 beyond ±4. */
export function heavyTailed(random: SeededRandom): number {
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
  const chiSquare = normal() ** 2 + normal() ** 2 + normal() ** 2
  return normal() / Math.sqrt(chiSquare / 3)
}

/** What the device takes for a transfer. The median of the noise's factor is 1, its tail is longer on the slow side. */
export function timeOn(device: SyntheticDevice, bytes: number, random: SeededRandom): number {
  const truth = device.latencyNs + (bytes / device.bytesPerSecond) * 1e9
  return truth * Math.exp(device.noise * heavyTailed(random))
}

/** The protocol's sizes, drawn anew: 160 files from 2 MB to 2 GB, log-uniform, and 200 of 10 KB. */
export function timedSeries(device: SyntheticDevice, seed: number): TimedSize[] {
  const random = seededRandom(seed)
  const sizes = [
    ...Array.from({ length: 160 }, () => Math.round(2e6 * 1000 ** random.unit())),
    ...Array.from({ length: 200 }, () => 10_000),
  ]
  return sizes.map((bytes) => ({ bytes, ns: timeOn(device, bytes, random) }))
}
