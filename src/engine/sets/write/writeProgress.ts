import type { JobContext } from '../../jobs/jobContext'

/** A volume of a run with what is still to be done with it. */
interface VolumeWork {
  readonly label: string
  readonly files: number
  readonly bytes: number
  readonly builds: boolean
  readonly writes: boolean
  readonly verifies: boolean
}

type Step = 'building' | 'writing' | 'verifying'

/**
 * Progress of a run over all of its volumes and steps, in bytes that are moved: each step of a volume counts its bytes once.
 * @returns for the volume at a place, a function that takes the bytes done of a step
 */
export function writeProgress(
  context: Pick<JobContext, 'progress'>,
  volumes: readonly VolumeWork[],
): (at: number) => (step: Step, done: number) => void {
  const stepsOf = ({ builds, writes, verifies }: VolumeWork): Step[] => [
    ...(builds ? ['building' as const] : []),
    ...(writes ? ['writing' as const] : []),
    ...(verifies ? ['verifying' as const] : []),
  ]
  const sizeOf = (volume: VolumeWork): number => volume.bytes * stepsOf(volume).length
  const sum = (part: readonly VolumeWork[], of: (volume: VolumeWork) => number): number =>
    part.reduce((total, volume) => total + of(volume), 0)
  const bytesTotal = sum(volumes, sizeOf)
  const filesTotal = sum(volumes, ({ files }) => files)
  return (at) => {
    const volume = volumes[at] as VolumeWork
    const before = volumes.slice(0, at)
    const steps = stepsOf(volume)
    return (step, done) => {
      const earlier = Math.max(0, steps.indexOf(step)) * volume.bytes
      context.progress({
        phase: { index: 1, count: 1, name: step },
        filesDone: sum(before, ({ files }) => files),
        filesTotal,
        bytesDone: Math.min(bytesTotal, sum(before, sizeOf) + earlier + Math.min(done, volume.bytes)),
        bytesTotal,
        current: volume.label,
      })
    }
  }
}
