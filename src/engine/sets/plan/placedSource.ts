import { posix } from 'node:path'
import type { Medium } from '../../../domain/media/medium'
import { DISK_MEDIUM } from '../../../domain/options/optionsDocument'
import { printRecipe } from '../../../domain/options/recipes/recipe'
import type { PackingPlacement } from '../../../domain/sets/packing/placedTrees'
import { fixesVolumes, type Placement, usableSectors } from '../../../domain/sets/placement'
import { AppError } from '../../../primitives/appError'
import { comparablePath, pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { modifiedMs, type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import type { PackedPlan } from './packedPlan'

/** The recipe that stores equal files once. */
export const EQUAL_FILES_ONCE = printRecipe({ family: 'plain', hardLinks: true })

/**
 * Refuses what no plan of this kind can carry out, before anything is read.
 * @param recipe by its permanent name
 * @throws AppError `refused`, `cannot-fit` for a reserve that leaves nothing
 */
export function requirePlaceable(
  placement: Placement,
  { medium, packed, recipe }: { medium: Medium; packed: PackedPlan | null; recipe: string },
): void {
  const { pins = [], order = 'size', labels = [], reserveBytes = 0 } = placement
  const refused = (what: string, because: string): AppError =>
    new AppError('refused', said`cannot ${what}: ${because}`)
  if (medium.id === DISK_MEDIUM) {
    const beyond = [...pins, ...labels].find(({ volume }) => volume > 1)
    if (beyond) throw refused(`place anything on volume ${beyond.volume}`, `${medium.name} is one volume`)
    if (reserveBytes > 0) throw refused('leave bytes free', `${medium.name} has no capacity`)
  }
  usableSectors(medium, placement)
  const twice = labels.find(({ volume }, at) => labels.findIndex((one) => one.volume === volume) !== at)
  if (twice) throw refused(`label volume ${twice.volume}`, 'it is given two labels')
  if (packed && placement.labelBy === 'date')
    throw refused('label volumes by date', 'archives may move to other volumes; choose plain files')
  if (!fixesVolumes(placement)) return
  const what = 'place files'
  if (packed?.isJoined) throw refused(what, 'one archive is cut over all volumes; plan without --joined')
  if (packed && packed.form.kind !== 'archive' && packed.recipe.family !== 'compressed-files')
    throw refused(what, `${packed.name} does not divide files by volumes; choose 7z or plain files`)
  if (recipe === EQUAL_FILES_ONCE && order !== 'size')
    throw refused(
      `fill volumes in the order of ${order}`,
      'files with the same content lie where the first of them does; choose plain files',
    )
}

/** A placement whose paths are known. */
interface PlacedSource {
  /** As a plan records it: with absolute paths. */
  readonly placement: Placement
  /** As packing takes it; absent where it decides nothing of where files lie. */
  readonly placing?: PackingPlacement
}

/**
 * Looks up the paths of a placement in a source.
 * @throws AppError `not-found` for one that the source does not have
 */
export function placedSource(placement: Placement, source: SourceEntries): PlacedSource {
  if (!fixesVolumes(placement)) return { placement }
  const { pins = [], keep = [], order = 'size' } = placement
  const found = entriesAt(source, [...pins.map(({ path }) => path), ...keep])
  return {
    placement: {
      ...placement,
      ...(placement.pins && { pins: pins.map(({ path, volume }) => ({ path: found(path).source, volume })) }),
      ...(placement.keep && { keep: keep.map((path) => found(path).source) }),
    },
    placing: {
      pins: pins.map(({ path, volume }) => ({ path: found(path).path, volume })),
      keep: keep.map((path) => found(path).path),
      order,
      modifiedMs: (index) => modifiedMs(source, index),
    },
  }
}

/** The place of an entry on the volumes and in the source. */
interface EntryPlace {
  readonly path: string
  readonly source: string
}

/** The places of paths, which are those on the volumes or absolute ones. */
function entriesAt(source: SourceEntries, wanted: readonly string[]): (path: string) => EntryPlace {
  const names = new Set(wanted.map((path) => comparablePath(plainPath(path))))
  // The same text, byte for byte, goes before one that only looks the same.
  const same = new Map<string, EntryPlace>()
  const alike = new Map<string, EntryPlace>()
  const note = (name: string, place: EntryPlace, isFirst: boolean): void => {
    const comparable = comparablePath(name)
    if (!names.has(comparable)) return
    if (isFirst || !same.has(name)) same.set(name, place)
    if (isFirst || !alike.has(comparable)) alike.set(comparable, place)
  }
  if (names.size > 0) {
    for (const { index, path } of source.items) {
      const entry = source.entries.get(index)
      if (!entry) continue
      const place = { path, source: sourcePath(source, entry) }
      note(place.source, place, false)
      // The path on the volumes goes before one that happens to look the same.
      if (path !== '') note(path, place, true)
    }
  }
  return (path) => {
    const plain = plainPath(path)
    const place = same.get(plain) ?? alike.get(comparablePath(plain))
    if (place) return place
    throw new AppError('not-found', said`cannot place ${pathForDisplay(path)}: it is not in the source`, {
      path,
    })
  }
}

/** Without `./` and a slash at the end, as the survey has paths. */
function plainPath(path: string): string {
  const plain = posix.normalize(path)
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain
}

/** By path the files that may share a volume, for files with the same content. */
export function placedGroups({ pins, keep }: PackingPlacement): (path: string) => string {
  const volumes = new Map(pins.map(({ path, volume }) => [path, volume]))
  const kept = new Set(keep)
  return (path) => {
    let volume: number | undefined
    let folder = ''
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      volume ??= volumes.get(at)
      if (kept.has(at)) folder = at
      if (at === '') return `${volume ?? ''}:${folder}`
    }
  }
}
