import { said } from '../../../primitives/said'
import type { Medium } from '../../media/medium'
import type { DiscKind, Drive, DriveMedium } from './drive'

/** The reason why a disc cannot take a volume; the codes of `job.ts`. */
export interface DiscProblem {
  readonly reason: 'no-disc' | 'wrong-kind' | 'not-blank' | 'too-small'
  /** One line that names the drive. */
  readonly problem: string
}

/** Discs that a drive writes, by the family of the planned medium. */
const KINDS: Readonly<Record<'cd' | 'dvd' | 'bd', readonly DiscKind[]>> = {
  cd: ['cd-r', 'cd-rw'],
  dvd: ['dvd-r', 'dvd-r-dl', 'dvd-rw', 'dvd-ram', 'dvd+r', 'dvd+r-dl', 'dvd+rw', 'dvd+rw-dl'],
  bd: ['bd-r', 'bd-re'],
}

/** Sectors that are written at once: drives fill up the last ECC block. */
const ECC_SECTORS = { cd: 1, dvd: 16, bd: 32 } as const

/**
 * Checks if the disc in a drive can take a volume: of the planned kind, blank and large enough.
 * Null when it can.
 * @param sectors of the volume, of 2,048 bytes
 */
export function discProblem(
  { device, medium, problem }: Drive,
  planned: Pick<Medium, 'family' | 'name'>,
  sectors: number,
): DiscProblem | null {
  if (problem !== null) return { reason: 'no-disc', problem: said`cannot use ${device}: ${problem}` }
  if (medium === null) return { reason: 'no-disc', problem: said`${device} holds no disc` }
  const family = familyOf(medium.kind)
  const isPlanned =
    planned.family === 'custom' || family === (planned.family === 'bdxl' ? 'bd' : planned.family)
  if (medium.kind !== 'file' && (family === null || !isPlanned)) {
    const because = family === null ? said`cannot be written` : said`is not the planned ${planned.name}`
    return { reason: 'wrong-kind', problem: said`the disc in ${device} (${medium.name}) ${because}` }
  }
  if (!medium.blank) return { reason: 'not-blank', problem: notBlank(device, medium) }
  const needed = family === null ? sectors : Math.ceil(sectors / ECC_SECTORS[family]) * ECC_SECTORS[family]
  if (medium.capacitySectors !== null && medium.capacitySectors < needed) {
    return {
      reason: 'too-small',
      problem: said`the disc in ${device} is too small: it takes ${medium.capacitySectors} sectors, and the volume needs ${needed}`,
    }
  }
  return null
}

function notBlank(device: string, { kind, rewritable }: DriveMedium): string {
  if (kind === 'file')
    return said`${device} is not empty; a file used as a blank disc must be empty or absent`
  return rewritable
    ? said`the disc in ${device} is not blank; to erase it: xorriso -outdev ${device} -blank as_needed`
    : said`the disc in ${device} is not blank`
}

/** The family of a disc that can be written; null for all others. */
export function familyOf(kind: DiscKind): keyof typeof KINDS | null {
  for (const family of ['cd', 'dvd', 'bd'] as const) if (KINDS[family].includes(kind)) return family
  return null
}
