import type { PlanProblem } from '../../../domain/sets/planDocument'
import type { Protection, VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { formatShare, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { recoveryMemory } from '../ownImage/plannedProtection'

/** A volume as it was laid out. */
interface LaidVolume {
  readonly label: string
  readonly sectors: number
  readonly protection?: VolumeProtection
  /** True where there is no more recovery data since memory ends. */
  readonly isLimited?: boolean
}

/**
 * Notes of volumes that get no recovery data since too little is free, and of those that get less
 * than fits since memory ends.
 * @param sectors that a volume may have
 */
export function protectionProblems(
  volumes: readonly LaidVolume[],
  protection: Protection | undefined,
  sectors: number,
): PlanProblem[] {
  if (protection === undefined) return []
  const problems = volumes
    .filter((volume) => volume.protection === undefined)
    .map((volume): PlanProblem => {
      const free = formatShare((sectors - volume.sectors) / sectors)
      const message = said`${volume.label} is unprotected: ${free} free; plan with --protect 10% to keep room for recovery data`
      return { code: 'unprotected', message, blocking: false }
    })
  const limited = volumes.find(({ isLimited }) => isLimited)
  if (limited?.protection === undefined) return problems
  const memory = formatSize(recoveryMemory(limited.protection))
  const message = said`recovery data is limited to ${memory} a disc by the memory for it; --max-memory allows more`
  return [...problems, { code: 'protection-limited', message, blocking: false }]
}

/**
 * Refuses recovery data that takes more memory than it may.
 * @throws AppError `refused`
 */
export function requireProtectionMemory(volumes: readonly LaidVolume[], memoryBytes: number): void {
  for (const { protection, label } of volumes) {
    const needed = protection ? recoveryMemory(protection) : 0
    if (needed <= memoryBytes) continue
    throw new AppError(
      'refused',
      said`cannot protect ${label}: making its recovery data takes ${formatSize(needed)} of memory, and ${formatSize(memoryBytes)} is allowed; choose a smaller share or a higher --max-memory`,
    )
  }
}
