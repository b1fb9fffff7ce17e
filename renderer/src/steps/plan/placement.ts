import type { FillBy, Placement, PlanDocument } from '../../../../src/contract/dto/plan'

/** A folder or file of a disc, as it is moved and pinned. */
export interface DiscEntry {
  readonly path: string
  /** The disc that it is on. */
  readonly volume: number
}

/** Puts a folder or file on a disc, whatever was wanted of it or of things in it before. */
export function pinned(placement: Placement, { path, volume }: DiscEntry): Placement {
  const pins = (placement.pins ?? []).filter((pin) => !isWithin(pin.path, path))
  return tidy({ ...placement, pins: [...pins, { path, volume }] })
}

/** Keeps a folder on one disc, whichever that is. */
export function keptTogether(placement: Placement, path: string): Placement {
  return tidy({ ...placement, keep: [...(placement.keep ?? []).filter((kept) => kept !== path), path] })
}

/** Leaves it to the plan where a folder or file goes. */
export function released(placement: Placement, path: string): Placement {
  return tidy({
    ...placement,
    pins: (placement.pins ?? []).filter((pin) => pin.path !== path),
    keep: (placement.keep ?? []).filter((kept) => kept !== path),
  })
}

/** Gives a disc a label of its own; null takes it away. */
export function labelled(placement: Placement, volume: number, label: string | null): Placement {
  const others = (placement.labels ?? []).filter((each) => each.volume !== volume)
  return tidy({ ...placement, labels: label === null ? others : [...others, { volume, label }] })
}

/** Fills the discs in an order; null leaves it to the plan. */
export function ordered(placement: Placement, order: FillBy | null): Placement {
  return tidy({ ...placement, order: order ?? undefined })
}

/** Labels the discs by number, or by the years of what is on them. */
export function labelledBy(placement: Placement, labelBy: 'number' | 'date'): Placement {
  return tidy({ ...placement, labelBy })
}

export function reserved(placement: Placement, reserveBytes: number): Placement {
  return tidy({ ...placement, reserveBytes })
}

/** The part that holds for the discs of another medium too. */
export function ofOtherDiscs({ keep, order, labelBy, reserveBytes }: Placement): Placement {
  return tidy({ keep, order, labelBy, reserveBytes })
}

/** The same without parts that ask for nothing. */
function tidy({
  pins,
  keep,
  order,
  labels,
  labelBy,
  reserveBytes,
}: { [Part in keyof Placement]: Placement[Part] | undefined }): Placement {
  return {
    ...(pins?.length ? { pins } : {}),
    ...(keep?.length ? { keep } : {}),
    ...(order === undefined ? {} : { order }),
    ...(labels?.length ? { labels } : {}),
    ...(labelBy === undefined || labelBy === 'number' ? {} : { labelBy }),
    ...(reserveBytes ? { reserveBytes } : {}),
  }
}

/** True when something lies in a folder, or is that folder. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** The placement of a plan, with paths as they are on the discs. */
export function placementOf({ placement = {}, roots }: Pick<PlanDocument, 'placement' | 'roots'>): Placement {
  const { pins = [], keep = [] } = placement
  return tidy({
    ...placement,
    pins: pins.map(({ path, volume }) => ({ path: pathOnDisc(path, roots), volume })),
    keep: keep.map((path) => pathOnDisc(path, roots)),
  })
}

/**
 * The path on the discs of something in the source: below a single root, or with the name of its
 * root before it. As it is where two roots have one name, which only the engine tells apart.
 */
function pathOnDisc(path: string, roots: readonly string[]): string {
  const top = (root: string): string => root.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '')
  const root = roots.find((each) => isWithin(path, each.replace(/\/+$/, '')))
  if (root === undefined) return path
  const below = path.slice(root.replace(/\/+$/, '').length + 1)
  if (roots.length === 1) return below === '' ? top(root) : below
  const namesakes = roots.filter((each) => top(each).toLowerCase() === top(root).toLowerCase())
  if (namesakes.length > 1) return path
  return below === '' ? top(root) : `${top(root)}/${below}`
}

/** True when two ask for the same. */
export function isSamePlacement(one: Placement, other: Placement): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

function inOrder(placement: Placement): unknown {
  const {
    pins = [],
    keep = [],
    order = 'usual',
    labels = [],
    labelBy = 'number',
    reserveBytes = 0,
  } = placement
  return [
    pins.map(({ path, volume }) => `${path}\0${volume}`).sort(),
    [...keep].sort(),
    order,
    labels.map(({ volume, label }) => `${volume} ${label}`).sort(),
    labelBy,
    reserveBytes,
  ]
}
