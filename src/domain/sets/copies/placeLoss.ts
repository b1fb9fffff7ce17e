import { placeKey, type VolumeCopy } from './copy'
import { isLeft, volumeKey } from './copyHealth'

/** A volume of a set with the files of the source on it. */
export interface SetVolume extends Pick<VolumeCopy, 'planId' | 'setId' | 'volume'> {
  /** A part of a split file counts as one; null where the plan is not known. */
  readonly files: number | null
  readonly bytes: number | null
}

/** Volumes together; files and bytes are null where those of one are not known. */
interface VolumeSum {
  readonly volumes: number
  readonly files: number | null
  readonly bytes: number | null
}

/** The volumes of a set that have a copy at one place, by what remains without this place. */
export interface PlaceLoss {
  readonly place: string
  /** Copies there that are neither lost nor damaged. */
  readonly copies: number
  /** Those with another such copy at another place. */
  readonly kept: VolumeSum
  /** Those whose only other copies have no place noted: these may be at this place too. */
  readonly unsure: VolumeSum
  /** Those without any other copy elsewhere. */
  readonly gone: VolumeSum
}

/**
 * For each place with copies of a set: the volumes that remain without it. By the places that
 * people noted: two places on one disk are two here. Parity discs are not counted on. The place
 * that would take most comes first, then by name.
 */
export function placeLosses(volumes: readonly SetVolume[], copies: readonly VolumeCopy[]): PlaceLoss[] {
  const left = copies.filter(isLeft)
  const names = new Map<string, string>()
  for (const { place } of left)
    if (place !== null && !names.has(placeKey(place))) names.set(placeKey(place), place)
  const ofVolume = new Map<string, (string | null)[]>()
  for (const copy of left) {
    const at = copy.place === null ? null : placeKey(copy.place)
    const known = ofVolume.get(volumeKey(copy))
    if (known) known.push(at)
    else ofVolume.set(volumeKey(copy), [at])
  }
  const losses = [...names].map(([key, place]) => lossOf(key, place, volumes, ofVolume))
  losses.sort((one, other) => other.gone.volumes - one.gone.volumes || one.place.localeCompare(other.place))
  return losses
}

function lossOf(
  key: string,
  place: string,
  volumes: readonly SetVolume[],
  placesOf: ReadonlyMap<string, readonly (string | null)[]>,
): PlaceLoss {
  const fates = { kept: [] as SetVolume[], unsure: [] as SetVolume[], gone: [] as SetVolume[] }
  let there = 0
  for (const volume of volumes) {
    const places = placesOf.get(volumeKey(volume)) ?? []
    const here = places.filter((each) => each === key).length
    if (here === 0) continue
    there += here
    const isElsewhere = places.some((each) => each !== null && each !== key)
    fates[isElsewhere ? 'kept' : places.includes(null) ? 'unsure' : 'gone'].push(volume)
  }
  return {
    place,
    copies: there,
    kept: sumOf(fates.kept),
    unsure: sumOf(fates.unsure),
    gone: sumOf(fates.gone),
  }
}

function sumOf(volumes: readonly SetVolume[]): VolumeSum {
  const sum = (of: (volume: SetVolume) => number | null): number | null =>
    volumes.reduce<number | null>((before, volume) => {
      const value = of(volume)
      return before === null || value === null ? null : before + value
    }, 0)
  return { volumes: volumes.length, files: sum(({ files }) => files), bytes: sum(({ bytes }) => bytes) }
}
