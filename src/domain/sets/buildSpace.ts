import { MOST_REBUILDS } from './packing/archiveFill'
import { fixesVolumes } from './placement'
import type { PlanDocument } from './planDocument'

/** The most space that building a plan takes in its folder, in bytes. */
export interface BuildSpace {
  /** The bytes of the volumes, which stay. */
  readonly volumes: number
  /** The bytes of archives that are removed once they are on their volumes. */
  readonly work: number
}

/**
 * How much space building a plan takes at most: the archives of all volumes are there at once, or
 * by streaming, as plans with a placement always are, those of one. Folders on file systems that
 * share blocks take less.
 */
export function buildSpace(
  { packing, volumes, medium, placement }: Pick<PlanDocument, 'packing' | 'volumes' | 'medium' | 'placement'>,
  stream: boolean,
): BuildSpace {
  const sizes = volumes.map(({ sectors }) => sectors * medium.sectorBytes)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  if (!packing) return { volumes: all, work: 0 }
  if (stream || fixesVolumes(placement))
    return { volumes: all, work: Math.min(packing.bytes.high, Math.max(0, ...sizes)) }
  // Archives that are tried with more or fewer files are there together until one is chosen.
  const isTried = packing.arrangement === 'independent' && volumes.length > 1
  const tried = isTried ? MOST_REBUILDS * medium.capacitySectors * medium.sectorBytes : 0
  return { volumes: all, work: packing.bytes.high + tried }
}
