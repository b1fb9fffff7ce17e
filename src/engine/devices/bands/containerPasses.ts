import type { SweepPoint } from '../../../domain/devices/bands/sweepPlan'
import { dropCachedPages, type LongWork, type OpenContainer } from '../../native/containers'
import { timedContainer } from '../timedContainer'

/** The pages of the files that were dropped before reading. */
interface DroppedPages {
  readonly checkedBytes: number
  readonly residentBytes: number | null
}

/** How long parts of a pass took, in nanoseconds; what is made and opened before is in no time. */
export interface ContainerPasses {
  /** Makes an empty container and writes all of it; the flush at the end is in the time. */
  write(work: LongWork): Promise<number>
  drop(work: LongWork): Promise<DroppedPages>
  /** Reads it from one end to the other. */
  read(work: LongWork): Promise<number>
  /** Reads it while another one of its kind is written and flushed, until both are done. */
  stream(work: LongWork): Promise<number>
}

/** The conditions that all passes of a sweep share. */
export interface PassConditions {
  /** The run's own folder. */
  readonly folder: string
  readonly passBytes: number
  readonly requestBytes: number
}

/**
 * Passes over containers of one point, made by our own native core. Their names are ones that a
 * run's folder removes.
 * @param seed of what is written, different for every pass: a storage might keep two alike only
 *   once
 */
export function nativePasses(point: SweepPoint, seed: number, conditions: PassConditions): ContainerPasses {
  const { folder, passBytes, requestBytes } = conditions
  const facts = { kind: point.kind, encryption: point.encryption, bandBytes: point.bandBytes }
  const [one, other] = [timedContainer(folder, 'one', facts), timedContainer(folder, 'other', facts)]
  const over = async (disk: OpenContainer, writes: boolean, data: number, work: LongWork): Promise<number> =>
    (await disk.timePass({ writes, requestBytes, seed: data }, work)).nanoseconds
  return {
    async write(work) {
      await one.create(passBytes, work)
      const disk = await one.open(true)
      return closing(disk, over(disk, true, 2 * seed, work))
    },
    drop: (work) => dropCachedPages(one.path, work),
    async read(work) {
      const disk = await one.open(false)
      return closing(disk, over(disk, false, 0, work))
    },
    async stream(work) {
      await other.create(passBytes, work)
      const [from, to] = [await one.open(false), await other.open(true)]
      const both = await Promise.allSettled([
        closing(from, over(from, false, 0, work)),
        closing(to, over(to, true, 2 * seed + 1, work)),
      ])
      const times = both.map((each) => {
        if (each.status === 'rejected') throw each.reason
        return each.value
      })
      return Math.max(...times)
    },
  }
}

/** The same result, once the container is closed too. */
async function closing<T>(disk: OpenContainer, work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await disk.close()
  }
}
