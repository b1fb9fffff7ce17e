import type { PlanEntry, PlanVolume } from '../../../../contract/dto/plan'
import type { VolumeProtection } from '../../../../domain/sets/protection/volumeProtection'
import { joinPath } from '../../../files/fileSystem'
import { SUMS_NAME } from './ownNames'

/**
 * One volume of a plan with everything that sizing, exporting, building and verifying need of it.
 */
export interface PlannedVolume {
  readonly index: number
  readonly label: string
  /** Folders before what they hold. */
  readonly entries: readonly PlanEntry[]
  readonly places: VolumePlaces
  /** Stowage's own folder at the top of the volume; nothing of the source has this name there. */
  readonly payloadName: string
  /** Its recovery data, for which sizes and places may not be known yet; absent without any. */
  readonly protection?: VolumeProtection | undefined
}

export type PartEntry = Extract<PlanEntry, { kind: 'part' }>

/** A planned volume whose size is known. */
export type SizedVolume = PlanVolume & PlannedVolume

/** Where the things of a volume are, below the folder of an exported plan. */
export type VolumePlaces = ReturnType<typeof volumePlaces>

/**
 * @param volumes all volumes of a plan
 * @param lists where their lists are
 */
export function plannedVolumes<V extends Pick<PlannedVolume, 'index' | 'label'>>(
  volumes: readonly V[],
  payloadName: string,
  entriesOf: (index: number) => readonly PlanEntry[],
  lists: ListsPlace = 'volumes',
): (V & PlannedVolume)[] {
  return volumes.map((volume) => ({
    ...volume,
    entries: entriesOf(volume.index),
    places: volumePlaces(volume.index, volumes.length, lists),
    payloadName,
  }))
}

/**
 * The number of a volume in file names: two digits, more when the plan has a hundred volumes or
 * more.
 */
export function volumeNumber(index: number, volumes: number): string {
  return String(index).padStart(Math.max(2, String(volumes).length), '0')
}

/**
 * Where the lists of volumes are below the folder of a plan: those of packed files apart from those
 * of the source.
 */
export type ListsPlace = 'volumes' | 'packed/volumes'

/** @param volumes how many the plan has */
export function volumePlaces(index: number, volumes: number, lists: ListsPlace = 'volumes') {
  const number = volumeNumber(index, volumes)
  const directory = `${lists}/${number}`
  return {
    number,
    directory,
    entries: `${directory}/entries.jsonl`,
    sums: `${directory}/${SUMS_NAME}`,
    payload: `${directory}/payload`,
    image: `images/${number}.iso`,
    folder: `folders/${number}`,
  } as const
}

/** Where a volume is put in a folder that it is written to: under its label. */
export function placeIn(folder: string, label: string, kind: 'image' | 'folder'): string {
  return joinPath(folder, kind === 'image' ? `${label}.iso` : label)
}
