import { createHash } from 'node:crypto'
import type { PlanVolume } from '../../../contract/dto/plan'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { openImage } from '../volume/image/image'
import type { Expected } from '../volume/lists/expectedTree'
import { readSetSums } from '../volume/lists/setSums'
import { contentAt } from '../volume/lists/volume'
import { openParity } from '../volume/open/openParity'
import { SUMS_NAME } from '../volume/planned/ownNames'
import { builtPath, type PlanFolder } from '../volume/planned/planFolder'
import { type SizedVolume, volumePlaces } from '../volume/planned/plannedVolume'
import { PARITY_FOLDER } from './parityImage'

/** A parity disc as volumes are written and read back, with all that is on its image. */
interface WrittenParity {
  readonly opened: SizedVolume
  readonly expected: ReadonlyMap<string, Expected>
}

/**
 * The content of a parity disc by its built image.
 * @throws AppError `verification-failed` for an image that is none or damaged, `not-found`, `io`
 */
export async function parityTree(folder: PlanFolder, volume: PlanVolume): Promise<WrittenParity> {
  const path = builtPath(folder, volume.index)
  const image = await openImage(path)
  const opened = await openParity(image)
  const place = opened && (await image.placeOf(`${opened.own}/${SUMS_NAME}`))
  const text = place && (await contentAt(place))
  const sums = text && readSetSums(text)
  if (!opened || !place || !text || !sums)
    throw cannot('verification-failed', 'read', path, said`it is not the image of ${volume.label}`)
  const expected = new Map<string, Expected>([[opened.own, { kind: 'folder' }]])
  const add = (name: string, bytes: number, sha256: string): void => {
    expected.set(name, { kind: 'file', bytes, sha256 })
  }
  add(`${opened.own}/${SUMS_NAME}`, place.bytes, createHash('sha256').update(text).digest('hex'))
  for (const [name, sha256] of sums) add(name, (await image.placeOf(name))?.bytes ?? 0, sha256)
  const { index } = volume
  const places = { ...volumePlaces(index, index), image: `images/${opened.kind}.iso` as const }
  return { opened: { ...volume, entries: [], places, payloadName: PARITY_FOLDER }, expected }
}
