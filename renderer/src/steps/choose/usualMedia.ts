import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { Medium } from '../../../../src/contract/dto/plan'

/** The media that are compared while nobody has answered: a disk, and the disc of the settings. */
export function usualMedia(media: readonly Medium[], usualMediumId: string): string[] {
  const isDisc = media.some(({ id }) => id === usualMediumId)
  return isDisc ? [DISK_MEDIUM, usualMediumId] : [DISK_MEDIUM]
}
