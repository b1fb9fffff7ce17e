import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot } from '../../files/fileSystem'
import { openDamagedImage } from '../volume/image/damagedImage'
import type { ParityRow } from '../volume/lists/parityTsv'
import { openParity } from '../volume/open/openParity'
import { builtPath, openPlanFolder } from '../volume/planned/planFolder'

interface ImageOfSet {
  readonly planId: string | null
  readonly number: number
  readonly label: string
}

/**
 * An image as it was when parity was made of it, by the list on a parity disc.
 * @param given a parity disc; without one those in the folder of the plan are looked at, where the
 *   catalog knows it
 * @returns null where no list is at hand
 * @throws AppError `refused` for a disc that has no parity of the image, `io`
 */
export async function digestByParity(
  catalog: Pick<Catalog, 'plans'>,
  image: ImageOfSet,
  given: string | undefined,
): Promise<ParityRow | null> {
  if (given === undefined) return inPlanFolder(catalog, image)
  const row = await rowOn(given, image)
  if (row === null)
    throw cannot('refused', 'use', given, said`it is no parity disc of the set that ${image.label} is in`)
  return row
}

async function inPlanFolder(catalog: Pick<Catalog, 'plans'>, image: ImageOfSet): Promise<ParityRow | null> {
  const known = catalog.plans().find(({ id }) => id === image.planId)
  const folder = known?.directory ? await openPlanFolder(known.directory).catch(() => null) : null
  if (!folder || folder.plan.id !== image.planId) return null
  for (const disc of folder.plan.parity ?? []) {
    const row = await rowOn(builtPath(folder, disc.index), image).catch(() => null)
    if (row) return row
  }
  return null
}

async function rowOn(path: string, { number, label }: ImageOfSet): Promise<ParityRow | null> {
  const parity = await openParity(await openDamagedImage(path))
  const row = parity?.rows.find((each) => each.kind === 'image' && each.number === number)
  return row?.label === label ? row : null
}
