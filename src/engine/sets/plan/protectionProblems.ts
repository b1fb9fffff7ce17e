import type { PlanProblem } from '../../../domain/sets/planDocument'
import type { Protection, VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { formatShare, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { recoveryParts } from '../mastering/recoveryParts'

/** A volume as it was laid out. */
interface LaidVolume {
  readonly label: string
  readonly sectors: number
  readonly protection?: VolumeProtection | undefined
  /** The sectors that it may have. */
  readonly room: number
}

/**
 * Notes of volumes that get no recovery data since too little is free, and of the scratch file for
 * more than fits into memory.
 */
export function protectionProblems(
  volumes: readonly LaidVolume[],
  protection: Protection | undefined,
  memoryBytes: number,
): PlanProblem[] {
  if (protection === undefined) return []
  const problems = volumes
    .filter((volume) => volume.protection === undefined)
    .map((volume): PlanProblem => {
      const free = formatShare((volume.room - volume.sectors) / volume.room)
      const message = said`${volume.label} is unprotected: ${free} free; plan with --protect 10% to keep room for recovery data`
      return { code: 'unprotected', message, blocking: false }
    })
  const largest = Math.max(
    ...volumes.map((volume) =>
      volume.protection ? recoveryParts(volume.protection, memoryBytes).scratchBytes : 0,
    ),
  )
  if (largest <= 0) return problems
  const message = said`building a disc takes ${formatSize(memoryBytes)} of memory for its recovery data and a scratch file of up to ${formatSize(largest)} next to the image, and reads large files twice; --max-memory allows more`
  return [...problems, { code: 'recovery-scratch', message, blocking: false }]
}
