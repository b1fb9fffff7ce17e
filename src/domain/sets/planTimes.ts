import type { Estimate } from '../../primitives/estimate'
import { scaled } from '../options/cost/estimateParts'
import type { OptionEstimate } from '../options/optionsDocument'

/** What the steps from a plan to restored files take, in seconds. */
export interface VolumeTimes {
  /** Making archives; null where files are stored as they are. */
  pack: Estimate | null
  /** Making the image or the folder. */
  build: Estimate
  /** Writing it to the medium. */
  write: Estimate
  verify: Estimate
  restore: Estimate
}

/** The times of a plan as a whole, and of its volumes in their order. */
export interface PlanTimes {
  total: VolumeTimes
  volumes: VolumeTimes[]
}

/**
 * The times of a plan from the forecast of its option on its medium; a volume's share goes by its size.
 * @param stored how files, or archives, of all the source's bytes get on volumes as they are
 * @param packed of the plan's recipe, null where files are stored as they are, and which share of the bytes it leaves
 */
export function planTimes(
  sizes: readonly number[],
  stored: OptionEstimate,
  packed: { readonly estimate: OptionEstimate; readonly share: number } | null,
): PlanTimes {
  const { writeSeconds: write, verifySeconds: verify, restoreSeconds: restore } = packed?.estimate ?? stored
  const total: VolumeTimes = {
    pack: packed?.estimate.buildSeconds ?? null,
    build: packed ? scaled(stored.buildSeconds, packed.share) : stored.buildSeconds,
    write,
    verify,
    restore,
  }
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  return {
    total,
    volumes: sizes.map((size) => {
      const share = whole === 0 ? 0 : size / whole
      return {
        pack: total.pack && scaled(total.pack, share),
        build: scaled(total.build, share),
        write: scaled(total.write, share),
        verify: scaled(total.verify, share),
        restore: scaled(total.restore, share),
      }
    }),
  }
}
