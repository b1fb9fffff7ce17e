import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import {
  FILL_BY,
  type FillBy,
  LABEL_BY,
  type LabelBy,
  type Placement,
  type PlanDocument,
  VOLUME_LABEL,
} from '../../contract/dto/plan'
import { fsPath, lstatAt, realPathAt } from '../../engine/files/fileSystem'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { isBelow } from '../../primitives/isBelow'
import { comparablePath, pathForDisplay, pathFromBytes } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'

interface PlacementValues {
  readonly pin?: string[] | undefined
  readonly keep?: string[] | undefined
  readonly order?: string | undefined
  readonly 'volume-label'?: string[] | undefined
  readonly 'label-by'?: string | undefined
  readonly reserve?: string | undefined
}

/**
 * The placement that options ask for, with paths as they are typed; null for none.
 * @throws AppError `usage`
 */
export function placementAsked(values: PlacementValues): Placement | null {
  const { pin = [], keep = [], order, 'volume-label': label = [], 'label-by': labelBy, reserve } = values
  if (keep.includes('')) throw new AppError('usage', '--keep is empty')
  const asked: Placement = {
    ...(pin.length > 0 && { pins: pin.map(pinOf) }),
    ...(keep.length > 0 && { keep }),
    ...(order !== undefined && { order: orderOf(order) }),
    ...(label.length > 0 && { labels: label.map(labelOf) }),
    ...(labelBy !== undefined && { labelBy: labelByOf(labelBy) }),
    ...(reserve !== undefined && { reserveBytes: parseSize(reserve) }),
  }
  return Object.keys(asked).length === 0 ? null : asked
}

/** The last `=` divides, for names may have others. */
function pinOf(text: string): NonNullable<Placement['pins']>[number] {
  const at = text.lastIndexOf('=')
  const volume = volumeOf(text.slice(at + 1))
  if (at <= 0 || volume === null)
    throw new AppError('usage', `--pin takes PATH=N with the number of a volume, not "${text}"`)
  return { path: text.slice(0, at), volume }
}

function labelOf(text: string): NonNullable<Placement['labels']>[number] {
  const at = text.indexOf('=')
  const volume = volumeOf(text.slice(0, Math.max(0, at)))
  const label = text.slice(at + 1)
  if (volume === null || !VOLUME_LABEL.test(label))
    throw new AppError(
      'usage',
      `--volume-label takes N=TEXT with 1 to 32 of A-Z, 0-9 and _ as the text, not "${text}"`,
    )
  return { volume, label }
}

function volumeOf(text: string): number | null {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null
}

function orderOf(text: string): FillBy {
  const order = FILL_BY.find((one) => one === text)
  if (order) return order
  throw new AppError('usage', `--order takes ${FILL_BY.join(', ')}, not "${text}"`)
}

function labelByOf(text: string): LabelBy {
  const by = LABEL_BY.find((one) => one === text)
  if (by) return by
  throw new AppError('usage', `--label-by takes ${LABEL_BY.join(' or ')}, not "${text}"`)
}

/**
 * A placement with the paths of the survey for those that are below the current folder or absolute;
 * others are left as they are on the volumes.
 * @param roots of the survey
 */
export function placementIn(roots: readonly string[], placement: Placement): Placement {
  return withPaths(placement, (path) => {
    const given = absolutePath(path)
    const parent = realPathAt(dirname(given))
    const ways = [given, realPathAt(given), parent === null ? null : join(parent, basename(given))]
    const inside = ways.find(
      (way) => way !== null && roots.some((root) => way === root || isBelow(way, root)),
    )
    return inside ?? path
  })
}

/**
 * Refuses paths that are nowhere in the source, before it is read.
 * @throws AppError `not-found`
 */
export function requirePlacedThere(sources: readonly string[], placement: Placement): void {
  withPaths(placement, (path) => {
    const places = isAbsolute(path)
      ? [path]
      : ['.', ...sources, ...sources.map((source) => dirname(absolutePath(source)))].map((at) =>
          join(at, path),
        )
    if (places.some((place) => alikeAt(absolutePath(place)) !== null)) return path
    throw new AppError('not-found', `cannot place ${pathForDisplay(path)}: it is not in the source`, { path })
  })
}

/**
 * The path as the disk has it, however letters with accents in it are composed; null where nothing
 * is there.
 */
function alikeAt(path: string): string | null {
  if (existsSync(fsPath(path))) return path
  const folder = path === dirname(path) ? null : alikeAt(dirname(path))
  if (folder === null) return null
  const names = lstatAt(folder)?.isDirectory() ? readdirSync(fsPath(folder), { encoding: 'buffer' }) : []
  const wanted = comparablePath(basename(path))
  const found = names.map(pathFromBytes).find((name) => comparablePath(name) === wanted)
  return found === undefined ? null : join(folder, found)
}

function withPaths(placement: Placement, placeOf: (path: string) => string): Placement {
  const { pins, keep } = placement
  return {
    ...placement,
    ...(pins && { pins: pins.map(({ path, volume }) => ({ path: placeOf(path), volume })) }),
    ...(keep && { keep: keep.map(placeOf) }),
  }
}

/** The order of filling in a line; null where the person chose it, or nothing was to be ordered. */
export function filledText({ filledBy, medium }: PlanDocument): string | null {
  const units = medium.kind === 'folder' ? 'folders' : 'discs'
  switch (filledBy) {
    case undefined:
      return null
    case 'size':
      return `Filled for the fewest ${units}, in no order (--order name or date may take more).`
    default:
      return `Filled by ${filledBy}, which takes no more ${units}.`
  }
}

/** The ROM sets that share a disc in a line; null without DATs, and for a single volume. */
export function romSetsText({ romSets, medium, totals }: PlanDocument): string | null {
  if (!romSets || totals.volumes === 1) return null
  const { parents, divided, larger } = romSets
  const unit = medium.kind === 'folder' ? 'folder' : 'disc'
  const on = medium.kind === 'folder' ? 'in' : 'on'
  const one = `By DATs: ${formatCounted(parents, 'parent')} with clones, each ${on} one ${unit}`
  if (divided === 0) return `${one} ■.`
  const why = larger === divided ? `larger than a ${unit}` : `which would take a further ${unit} otherwise`
  const both = larger > 0 && larger < divided ? `, ${formatCount(larger)} of them larger than a ${unit}` : ''
  return `${one} but ${formatCount(divided)}, ${why}${both} ■.`
}

/** The placement of a plan in a line, with what it costs; null without one. */
export function placementText({ placement, totals, medium }: PlanDocument): string | null {
  if (!placement) return null
  const { pins = [], keep = [], order, labels = [], labelBy, reserveBytes = 0 } = placement
  const unit = medium.kind === 'folder' ? 'folder' : 'disc'
  const parts = [
    ...(pins.length > 0 ? [formatCounted(pins.length, 'pin')] : []),
    ...(keep.length > 0 ? [`${formatCounted(keep.length, 'folder')} kept together`] : []),
    ...(order === undefined ? [] : [order === 'size' ? 'filled in no order' : `filled by ${order}`]),
    ...(labels.length > 0 ? [`${formatCounted(labels.length, 'label')} of your own`] : []),
    ...(labelBy === 'date' ? ['labelled by date'] : []),
    ...(reserveBytes > 0 ? [`${formatSize(reserveBytes)} more left free on each ${unit}`] : []),
  ]
  if (parts.length === 0) return null
  const more = totals.volumes - (totals.fewestVolumes ?? totals.volumes)
  const cost =
    more === 0 ? '' : ` (${formatCount(more)} more ${unit}${more === 1 ? '' : 's'} than the fewest)`
  return `Placement: ${parts.join(', ')}${cost}.`
}
