import type { ParityDisc } from '../../../contract/dto/plan'
import type { PlannedVolume } from '../volume/planned/plannedVolume'

/** An image that burn scripts burn, by its number or its name. */
export interface BurnedImage {
  readonly index: number
  readonly places: Pick<PlannedVolume['places'], 'number' | 'image'>
}

/** The images of volumes and, named `P` and `Q` too, those of parity discs. */
export function burnedImages(
  volumes: readonly BurnedImage[],
  parity: readonly ParityDisc[] = [],
): BurnedImage[] {
  return [
    ...volumes,
    ...parity.map(({ index, kind }) => ({
      index,
      places: { number: kind, image: `images/${kind}.iso` as const },
    })),
  ]
}
