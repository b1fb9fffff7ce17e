import type { DrillRequest } from '../../../contract/dto/drill'
import { drillSample } from '../../../domain/sets/drill/drillSample'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { numbersAtHand, type Places, placesOf, restorePlan } from '../restore/restorePlan'
import { wantedOf } from '../restore/wantedFiles'
import type { OpenSet } from '../volume/open/openSet'
import { type Candidate, candidatesOf } from './drilledVolumes'

/** The files that a drill restores. */
export interface DrawnSample {
  readonly sample: readonly Candidate[]
  /** Where the contents of the set are. */
  readonly places: Places
  /** The bytes of the sample. */
  readonly bytes: number
  /** Archives that are unpacked whole for files of the sample, and the bytes of all in them. */
  readonly unpacked: { readonly archives: number; readonly bytes: number }
  /** Written by restoring the sample: its files, and all that is unpacked with them. */
  readonly spaceBytes: number
}

/**
 * Draws the sample of a drill from what the volumes at hand give without any other.
 * @throws AppError `refused` where that is nothing
 */
export async function drawnSample(
  { volumes, index }: OpenSet,
  limits: Pick<DrillRequest, 'files' | 'bytes'> & { readonly seed: number },
): Promise<DrawnSample> {
  const wanted = wantedOf(index, { files: [] })
  const places = await placesOf(volumes, index.rows, wanted)
  const atHand = new Set((await numbersAtHand(volumes)).values())
  const candidates = candidatesOf(restorePlan(index.rows, wanted, places), places, atHand)
  if (candidates.length === 0)
    throw new AppError('refused', said`no file can be restored from the given volumes alone`)
  const sample = drillSample(candidates, limits)
  const archives = new Map(
    sample.flatMap(({ container }) => (container ? [[container.path, container.bytes]] : [])),
  )
  const bytes = sample.reduce((sum, file) => sum + file.bytes, 0)
  const unpackedBytes = [...archives.values()].reduce((sum, of) => sum + of, 0)
  return {
    sample,
    places,
    bytes,
    unpacked: { archives: archives.size, bytes: unpackedBytes },
    spaceBytes: bytes + unpackedBytes,
  }
}
