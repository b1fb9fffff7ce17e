import type { Medium } from '../../../domain/media/medium'
import { usableSectors } from '../../../domain/sets/placement'
import {
  PARITY_KINDS,
  type ParityDisc,
  parityLabels,
  requireRebuildable,
  type SetProtection,
} from '../../../domain/sets/protection/setParity'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { blankRows, type ParityPlan, parityLayout } from '../parity/parityImage'
import type { Layout } from './layoutVolumes'

/** Images are whole multiples of it. */
const IMAGE_SECTORS = 32
/** As long as a label can be. */
const LONGEST_LABEL = 'L'.repeat(32)

interface ParityRequest {
  readonly plan: ParityPlan & Parameters<typeof usable>[1]
  readonly medium: Medium
  readonly protectSet: SetProtection
  readonly labelPrefix: string
  /** Its number in an archive that grows; 1 for the first plan. */
  readonly generation: number
  /** Packs volumes for a medium of which parity discs leave less. */
  readonly layOut: (medium: Medium) => Promise<Layout>
}

/** Volumes with their parity discs. */
interface LayoutWithParity {
  readonly layout: Layout
  readonly parity: ParityDisc[]
  /** The medium as its data may fill it. */
  readonly medium: Medium
}

function usable(medium: Medium, plan: { readonly placement?: Parameters<typeof usableSectors>[1] }): number {
  return usableSectors(medium, plan.placement)
}

/**
 * Packs volumes of which the largest image, with the lists of a parity disc around it, still fits
 * on the medium.
 * @throws AppError as `layOut`; `cannot-fit` where lists alone fill the medium
 */
export async function layoutWithParity(request: ParityRequest): Promise<LayoutWithParity> {
  const { plan, medium, protectSet, labelPrefix, generation, layOut } = request
  const kinds = PARITY_KINDS.slice(0, protectSet)
  const room = usable(medium, plan)
  for (let volumes = 1; ; ) {
    const most = await largestImage(plan, { room, volumes, discs: protectSet })
    const taken = room - most
    const smaller: Medium = {
      ...medium,
      capacitySectors: medium.capacitySectors - taken,
      capacityBytes: medium.capacityBytes - taken * medium.sectorBytes,
    }
    const layout = await layOut(smaller)
    requireRebuildable(protectSet, layout.volumes.length)
    const labels = layout.volumes.map(({ label }) => label)
    const named = parityLabels(labelPrefix, generation, kinds, labels).map((label, at) => ({
      index: layout.volumes.length + at + 1,
      kind: kinds[at] as ParityDisc['kind'],
      label,
    }))
    const rows = blankRows(layout.volumes, named)
    const parity: ParityDisc[] = []
    for (const disc of named)
      parity.push({ ...disc, sectors: (await parityLayout(plan, disc, rows)).layout.sectors() })
    if (parity.every(({ sectors }) => sectors <= room)) return { layout, parity, medium: smaller }
    // Each volume has a line in the lists of parity discs.
    volumes = Math.max(volumes + 1, layout.volumes.length)
  }
}

/** The sectors that an image may have at most so that parity of its length fits on the medium. */
async function largestImage(
  plan: ParityPlan,
  { room, volumes, discs }: { readonly room: number; readonly volumes: number; readonly discs: number },
): Promise<number> {
  const named = PARITY_KINDS.slice(0, discs).map((kind, at) => {
    return { index: volumes + at + 1, kind, label: LONGEST_LABEL }
  })
  const sizeWith = async (sectors: number): Promise<number> => {
    const images = Array.from({ length: volumes }, (_, at) => ({
      index: at + 1,
      label: LONGEST_LABEL,
      sectors,
    }))
    const rows = blankRows(images, named)
    const sizes: number[] = []
    for (const disc of named) sizes.push((await parityLayout(plan, disc, rows)).layout.sectors())
    return Math.max(...sizes)
  }
  let sectors = Math.floor(room / IMAGE_SECTORS) * IMAGE_SECTORS
  while (sectors > 0) {
    const over = (await sizeWith(sectors)) - room
    if (over <= 0) return sectors
    sectors -= Math.ceil(over / IMAGE_SECTORS) * IMAGE_SECTORS
  }
  throw new AppError(
    'cannot-fit',
    said`a volume of ${room} sectors is too small for the lists of a parity disc`,
  )
}
