import { AppError } from '../../primitives/appError'
import { type Bytes, bytes, parseSize } from '../../primitives/bytes'
import { nearestName } from '../../primitives/nearestName'
import { said } from '../../primitives/said'
import type { MediaCatalogue, Medium, MediumDescription, SourcedCapacity } from './medium'

/** Optical sectors; image volumes of any size are counted in them too. */
const IMAGE_SECTOR_BYTES = 2048

/**
 * The unit in which folder volumes are counted: the allocation unit that ext4, APFS, NTFS and (up
 * to 32 GB) exFAT use by default on disks of usual sizes. A file system with larger units holds
 * less than the plan assumes.
 */
const FOLDER_UNIT_BYTES = 4096

/** One folder that takes everything: what a disk has room for is seen when the plan is built. */
const UNDIVIDED: Medium = {
  id: 'disk',
  name: 'one folder on a disk',
  family: 'folder',
  kind: 'folder',
  sectorBytes: bytes(FOLDER_UNIT_BYTES),
  capacitySectors: 2 ** 40,
  capacityBytes: bytes(2 ** 40 * FOLDER_UNIT_BYTES),
  source: 'no limit',
  note: 'Counted in allocation units of 4,096 bytes, the usual default of file systems.',
}

/**
 * Every medium of the catalogue followed by its variants, in the catalogue's order. Sized media are
 * not among them.
 */
export function listMedia(catalogue: MediaCatalogue): Medium[] {
  return catalogue.flatMap((description) => [
    mediumOf(description, description.id, description.name, description.default),
    ...description.variants.map((variant) =>
      mediumOf(description, `${description.id}:${variant.id}`, variant.name, variant),
    ),
  ])
}

/**
 * The medium with this id: one of the catalogue, a variant of one (`bd-r-25:spare-none`), image
 * volumes of any size (`custom:700MB`), folders of any size (`folder:4GB`) or one folder without a
 * limit (`disk`). A size is rounded down to whole sectors; spaces in it are left out of the ID.
 * @throws AppError `usage` listing what exists when the id names nothing, or saying what is wrong
 *   with its size.
 */
export function resolveMedium(catalogue: MediaCatalogue, id: string): Medium {
  if (id === UNDIVIDED.id) return UNDIVIDED
  const colon = id.indexOf(':')
  const base = colon < 0 ? id : id.slice(0, colon)
  const variantId = colon < 0 ? null : id.slice(colon + 1)
  if (base === 'custom' || base === 'folder') return sizedMedium(id, base, variantId)
  const description = catalogue.find((one) => one.id === base)
  if (!description) throw unknownMedium(catalogue, id)
  if (variantId === null) return mediumOf(description, id, description.name, description.default)
  const variant = description.variants.find((one) => one.id === variantId)
  if (variant) return mediumOf(description, id, variant.name, variant)
  const known = description.variants.map((one) => `${base}:${one.id}`)
  throw new AppError(
    'usage',
    said`no variant "${variantId}" of medium ${base}: ${
      known.length === 0 ? said`it has none` : said`there are ${known.join(', ')}`
    }`,
  )
}

function isSize(text: string): boolean {
  try {
    return parseSize(text) > 0
  } catch {
    return false
  }
}

function unknownMedium(catalogue: MediaCatalogue, id: string): AppError {
  const known = catalogue.map((medium) => medium.id).join(', ')
  const near = nearestName(
    id,
    catalogue.map((medium) => medium.id),
  )
  if (near !== null) return new AppError('usage', said`no medium "${id}": did you mean "${near}"?`)
  const sized = isSize(id)
    ? said`images of that size are custom:${id}`
    : said`custom:700MB is an image of that size`
  return new AppError('usage', said`no medium "${id}": there are ${known}, folder:SIZE and disk; ${sized}`)
}

function mediumOf(
  description: MediumDescription,
  id: string,
  name: string,
  capacity: SourcedCapacity,
): Medium {
  return {
    id,
    name,
    family: description.family,
    kind: description.kind,
    sectorBytes: bytes(description.sectorBytes),
    capacitySectors: capacity.capacitySectors,
    capacityBytes: bytes(capacity.capacitySectors * description.sectorBytes),
    source: capacity.source,
    note: capacity.note,
  }
}

function sizedMedium(given: string, family: 'custom' | 'folder', sizeText: string | null): Medium {
  if (sizeText === null || sizeText.trim() === '') {
    throw new AppError(
      'usage',
      said`medium "${given}" needs a size, for example ${family}:700MB or ${family}:4GiB`,
    )
  }
  const size = sizeOf(given, sizeText)
  const sectorBytes = bytes(family === 'custom' ? IMAGE_SECTOR_BYTES : FOLDER_UNIT_BYTES)
  const capacitySectors = Math.floor(size / sectorBytes)
  if (capacitySectors === 0) {
    throw new AppError(
      'usage',
      said`medium "${given}" is too small: a volume has at least ${sectorBytes} bytes; sizes take a unit, as in ${family}:700MB`,
    )
  }
  const compact = sizeText.replaceAll(/\s/g, '')
  return {
    id: `${family}:${compact}`,
    name: `${family === 'custom' ? 'Image' : 'Folder'} of ${compact.replace(/(\d)(?=\p{L})/u, '$1 ')}`,
    family,
    kind: family === 'custom' ? 'image' : 'folder',
    sectorBytes,
    capacitySectors,
    capacityBytes: bytes(capacitySectors * sectorBytes),
    source: 'the size given',
    note:
      family === 'custom'
        ? 'Rounded down to whole sectors of 2,048 bytes.'
        : 'Counted in allocation units of 4,096 bytes, the usual default of file systems, and rounded down to whole ones.',
  }
}

function sizeOf(id: string, sizeText: string): Bytes {
  try {
    return parseSize(sizeText)
  } catch (thrown) {
    throw new AppError('usage', said`medium "${id}": ${AppError.from(thrown).message}`, { cause: thrown })
  }
}
