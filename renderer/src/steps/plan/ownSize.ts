import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { Medium } from '../../../../src/contract/dto/plan'
import { AppError } from '../../../../src/primitives/appError'
import { parseSize } from '../../../../src/primitives/bytes'
import { typedNumbers } from '../../../../src/primitives/figureLanguage'
import { t } from '../../copy'

/**
 * The unit of a volume, in bytes: sectors of discs for an image, the allocation unit of most file
 * systems for a folder.
 */
const SECTOR_BYTES = { custom: 2048, folder: 4096 } as const
/** A smaller volume could not even hold an image's own tables with a file in it. */
const SMALLEST_BYTES = 1024 * 1024

/** A typed custom size: a medium to plan for, or the fault in it. */
export type OwnSize =
  | { readonly ok: true; readonly bytes: number; readonly sectors: number }
  | { readonly ok: false; readonly problem: string | null }

/** Judges a size as it is typed. Nothing typed yet is no problem, but no size either. */
export function judgeOwnSize(text: string, kind: keyof typeof SECTOR_BYTES = 'custom'): OwnSize {
  if (text.trim() === '') return { ok: false, problem: null }
  try {
    const bytes = parseSize(typedNumbers(text))
    if (bytes < SMALLEST_BYTES) return { ok: false, problem: t('medium.own.small') }
    return { ok: true, bytes, sectors: Math.floor(bytes / SECTOR_BYTES[kind]) }
  } catch (thrown) {
    if (thrown instanceof AppError) return { ok: false, problem: t('medium.own.notSize') }
    throw thrown
  }
}

export interface ChosenMedium extends Pick<Medium, 'id' | 'name' | 'note'> {
  /** Its volumes are disc images. */
  readonly isImage: boolean
  /** The capacity of a volume; null where it takes everything. */
  readonly limit: Pick<Medium, 'capacityBytes' | 'capacitySectors' | 'sectorBytes' | 'source'> | null
}

/**
 * The medium that is chosen: one of the catalogue's, one made of the size that was typed, or a
 * disk, whose size is not limited.
 */
export function chosenMedium(media: readonly Medium[], mediumId: string): ChosenMedium | null {
  if (mediumId === DISK_MEDIUM)
    return { id: mediumId, name: t('medium.disk'), isImage: false, limit: null, note: t('medium.disk.note') }
  const listed = media.find((medium) => medium.id === mediumId)
  if (listed) return { ...listed, isImage: listed.kind === 'image', limit: listed }
  const match = /^(custom|folder):(.+)$/.exec(mediumId)
  if (!match) return null
  const kind = match[1] === 'folder' ? 'folder' : 'custom'
  const size = judgeOwnSize(match[2] as string, kind)
  if (!size.ok) return null
  return {
    id: mediumId,
    name: t(kind === 'folder' ? 'medium.own.folderName' : 'medium.own.name'),
    isImage: kind === 'custom',
    limit: {
      capacityBytes: size.sectors * SECTOR_BYTES[kind],
      capacitySectors: size.sectors,
      sectorBytes: SECTOR_BYTES[kind],
      source: t('medium.own.source'),
    },
    note: t(kind === 'folder' ? 'medium.own.folderNote' : 'medium.own.imageNote'),
  }
}
