import { randomBytes } from 'node:crypto'
import type { SweepPoint } from '../../../domain/devices/bands/sweepPlan'
import {
  type ContainerWish,
  createContainer,
  dropCachedPages,
  type LongWork,
  type OpenContainer,
  openContainer,
} from '../../native/containers'

/** The password only keeps the shape of things: nobody opens these containers but the sweep that made them. */
const PASSWORD_BYTES = 32
/** Rounds of PBKDF2: a key is derived whenever a container is opened, which no time here holds. */
const ROUNDS = 1000

/** What of the files' pages was forgotten before reading. */
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

/** What all passes of a sweep share. */
export interface PassConditions {
  /** The run's own folder. */
  readonly folder: string
  readonly passBytes: number
  readonly requestBytes: number
}

/**
 * Passes over containers of one point, made by our own native core. Their names are ones that a run's folder removes.
 * @param seed of what is written, different for every pass: a storage might keep two alike only once
 */
export function nativePasses(point: SweepPoint, seed: number, conditions: PassConditions): ContainerPasses {
  const { folder, passBytes, requestBytes } = conditions
  const ending = point.kind === 'UDSB' ? 'sparsebundle' : 'timed'
  const [one, other] = [`${folder}/one.${ending}`, `${folder}/other.${ending}`]
  const password = randomBytes(PASSWORD_BYTES)
  const wish: ContainerWish = {
    kind: point.kind,
    bytes: passBytes,
    ...(point.bandBytes === null ? {} : { bandBytes: point.bandBytes }),
    ...(point.encryption === null
      ? {}
      : { encryption: { keyBits: point.encryption, password, rounds: ROUNDS } }),
  }
  const opened = (path: string, writable: boolean): Promise<OpenContainer> =>
    openContainer(path, point.encryption === null ? { writable } : { writable, password })
  const over = async (disk: OpenContainer, writes: boolean, data: number, work: LongWork): Promise<number> =>
    (await disk.timePass({ writes, requestBytes, seed: data }, work)).nanoseconds
  return {
    async write(work) {
      await createContainer(one, wish, work)
      const disk = await opened(one, true)
      return closing(disk, over(disk, true, 2 * seed, work))
    },
    drop: (work) => dropCachedPages(one, work),
    async read(work) {
      const disk = await opened(one, false)
      return closing(disk, over(disk, false, 0, work))
    },
    async stream(work) {
      await createContainer(other, wish, work)
      const [from, to] = [await opened(one, false), await opened(other, true)]
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
