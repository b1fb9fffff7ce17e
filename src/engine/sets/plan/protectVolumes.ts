import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setCount } from '../../../domain/sets/protection/recoverySets'
import type { VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { ProtectionRoom } from '../mastering/plannedProtection'
import { blankProtection } from '../mastering/recoveryFiles'
import { imageProtection, imageSectors } from '../mastering/writeImage'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import type { PlannedVolume } from '../volume/planned/plannedVolume'

/** More than the lists that Stowage adds to a volume. */
const MOST_LISTS = 16
/** Lists name the places of recovery files, which follow from the lengths of lists. */
const MOST_ROUNDS = 6

/** The size of a volume with its recovery data. */
interface ProtectedSize {
  /** Absent where there is no room for any. */
  readonly protection?: VolumeProtection
  readonly sectors: number
  /** Bytes of each list that Stowage adds. */
  readonly files: readonly number[]
}

interface ProtectRequest {
  readonly plan: PlanBeforeSizing
  /** By the place of the volume in the list. */
  readonly roomAt: (at: number) => ProtectionRoom
  /** A temporary folder. */
  readonly directory: string
  readonly signal: AbortSignal
  /** Writes the lists of volumes, and gives the bytes of each. */
  readonly write: (
    directory: string,
    volumes: readonly PlannedVolume[],
  ) => Promise<readonly (readonly number[])[]>
}

/**
 * Sizes volumes with their recovery data. Its places and lengths are in the lists of a volume, and
 * those of files in the index of all: lists are written anew until nothing changes.
 * @param isWanted those that are to have any
 * @throws AppError as `imageSectors`
 */
export async function protectVolumes(
  volumes: readonly PlannedVolume[],
  isWanted: (at: number) => boolean,
  { plan, roomAt, directory, signal, write }: ProtectRequest,
): Promise<ProtectedSize[]> {
  let assumed = volumes.map((volume, at) =>
    isWanted(at) ? blankProtection(setCount(contentsOf(volume) + MOST_LISTS)) : undefined,
  )
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const place = join(directory, `protected-${round}`)
    await mkdir(place)
    const tried = volumes.map((volume, at) => ({ ...volume, protection: assumed[at] }))
    const written = await write(place, tried)
    const sizes: ProtectedSize[] = []
    for (const [at, volume] of tried.entries()) {
      throwIfAborted(signal)
      const files = written[at] ?? []
      const found = volume.protection ? await imageProtection(plan, volume, place, roomAt(at)) : null
      sizes.push(found ? { ...found, files } : { sectors: await imageSectors(plan, volume, place), files })
    }
    if (sizes.every(({ protection }, at) => JSON.stringify(protection) === JSON.stringify(assumed[at])))
      return sizes
    assumed = sizes.map(({ protection }) => protection)
  }
  throw new AppError('internal', 'the places of recovery files change with each list of them')
}

function contentsOf({ entries }: PlannedVolume): number {
  return entries.filter((entry) => (entry.kind === 'file' || entry.kind === 'part') && entry.bytes > 0).length
}
