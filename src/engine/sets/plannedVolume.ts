import type { PlanEntry, PlanVolume } from '../../contract/dto/plan'

/** One volume of a plan with everything that sizing, exporting, building and verifying need of it. */
export interface PlannedVolume {
  readonly index: number
  readonly label: string
  /** Folders before what they hold. */
  readonly entries: readonly PlanEntry[]
  readonly places: VolumePlaces
  /** Stowage's own folder at the top of the volume; nothing of the source has this name there. */
  readonly payloadName: string
}

export type PartEntry = Extract<PlanEntry, { kind: 'part' }>

/** A planned volume whose size is known. */
export type SizedVolume = PlanVolume & PlannedVolume

/** Where the things of a volume are, below the folder of an exported plan. */
export type VolumePlaces = ReturnType<typeof volumePlaces>

/** @param volumes all volumes of a plan */
export function plannedVolumes<V extends Pick<PlannedVolume, 'index' | 'label'>>(
  volumes: readonly V[],
  payloadName: string,
  entriesOf: (index: number) => readonly PlanEntry[],
): (V & PlannedVolume)[] {
  return volumes.map((volume) => ({
    ...volume,
    entries: entriesOf(volume.index),
    places: volumePlaces(volume.index, volumes.length),
    payloadName,
  }))
}

/** The number of a volume in file names: two digits, more when the plan has a hundred volumes or more. */
export function volumeNumber(index: number, volumes: number): string {
  return String(index).padStart(Math.max(2, String(volumes).length), '0')
}

/** @param volumes how many the plan has */
export function volumePlaces(index: number, volumes: number) {
  const number = volumeNumber(index, volumes)
  return {
    number,
    directory: `volumes/${number}`,
    entries: `volumes/${number}/entries.jsonl`,
    list: `volumes/${number}/files.xorriso`,
    sums: `volumes/${number}/SHA256SUMS`,
    payload: `volumes/${number}/payload`,
    image: `images/${number}.iso`,
    folder: `folders/${number}`,
  } as const
}
