import type { PlanRequest } from '../../contract/dto/plan'
import { listMedia } from '../../domain/media/resolveMedium'
import { blankMedium } from '../../domain/sets/drives/blankMedium'
import { freeBytes } from '../../engine/files/freeSpace'
import { mediaCatalogue } from '../../engine/media/mediaCatalogue'
import { findDrives } from '../../engine/sets/write/drives'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'

const DRIVE = /^drive(?::(?<device>\/[^:]+))?(?<bare>:spare-none)?$/
const FOLDER = /^folder:(?<folder>\.{0,2}[/\\].*|[A-Za-z]:[/\\].*|\.{1,2})$/

const MEGABYTE = 1_000_000

const COUNTED = /^(?<medium>.+)=(?<volumes>[1-9]\d{0,3})$/

/** The media of a plan: so many volumes of the first ones, then the last. */
export interface MediaGiven {
  readonly mediumId: string
  readonly firstMedia: NonNullable<PlanRequest['firstMedia']>
  /** Absent where the last one has no number. */
  readonly mostVolumes?: number
}

/**
 * The media as they were given, in the order of filling: `bd-r-50=3`, then `bd-r-25`.
 * @throws AppError `usage` where one before the last has no number; as `mediumGiven`
 */
export async function mediaGiven(texts: readonly string[]): Promise<MediaGiven> {
  const given: { mediumId: string; volumes: number | null }[] = []
  for (const text of texts) {
    const { medium = text, volumes } = COUNTED.exec(text)?.groups ?? {}
    given.push({
      mediumId: await mediumGiven(medium),
      volumes: volumes === undefined ? null : Number(volumes),
    })
  }
  const last = given.pop()
  if (!last) throw new AppError('usage', '--medium is missing')
  const firstMedia = given.map(({ mediumId, volumes }) => {
    if (volumes !== null) return { mediumId, volumes }
    throw new AppError('usage', `--medium ${mediumId} needs the number of its volumes, as in ${mediumId}=3`)
  })
  const most = firstMedia.reduce((sum, { volumes }) => sum + volumes, last.volumes ?? 0)
  return { mediumId: last.mediumId, firstMedia, ...(last.volumes !== null && { mostVolumes: most }) }
}

/**
 * The ID of a medium as it was given, where `drive` (`drive:/dev/sr1`, `drive:spare-none`) is that
 * of the disc in a drive, and `folder:/media/stick` a folder of the room that is free there.
 * @throws AppError `not-found`, `refused`, `tool-missing`
 */
async function mediumGiven(text: string): Promise<string> {
  const folder = FOLDER.exec(text)?.groups?.['folder']
  if (folder !== undefined) {
    const free = await freeBytes(absolutePath(folder))
    if (free === null)
      throw new AppError('refused', `cannot plan for ${folder}: its disk does not report its size`)
    return `folder:${Math.floor(free / MEGABYTE)}MB`
  }
  const asked = DRIVE.exec(text)?.groups
  if (!asked) return text
  const { device, bare } = asked
  const drives = await findDrives()
  const drive = drives.find((one) => (device === undefined ? one.medium !== null : one.device === device))
  if (drive) return blankMedium(listMedia(mediaCatalogue), drive, bare === undefined).id
  throw new AppError(
    'not-found',
    device === undefined
      ? 'no drive of this machine holds a disc'
      : `${device} is no optical drive of this machine`,
  )
}
