import type { JobContext } from '../../jobs/jobContext'
import type { WritePool } from './writePool'

/** A volume of a run with what is still to be done with it. */
interface VolumeWork {
  readonly index: number
  readonly label: string
  readonly files: number
  readonly bytes: number
  readonly builds: boolean
  readonly writes: boolean
  readonly verifies: boolean
}

const STEPS = ['building', 'writing', 'verifying'] as const
type Step = (typeof STEPS)[number]

interface WriteSetting {
  readonly pool: Pick<WritePool, 'shareOf'>
  readonly atMost: number | null
  /** Each file costs time besides its bytes, as in folders. */
  readonly byFiles?: boolean
  /** A copy is flushed to the device before it is read back. */
  readonly flushes?: boolean
}

/**
 * Progress of a run over all of its volumes and steps, in bytes that are moved: each step of a
 * volume counts its bytes once. Of volumes that several runs share, those that none has begun count
 * in equal parts.
 * @returns for the volume at a place, a function that takes the bytes done of a step
 */
export function writeProgress(
  context: Pick<JobContext, 'progress'>,
  volumes: readonly VolumeWork[],
  { pool, atMost, byFiles = false, flushes = false }: WriteSetting,
): (at: number) => (step: Step, done: number, filesDone?: number) => void {
  const stepsOf = ({ builds, writes, verifies }: VolumeWork): Step[] => [
    ...(builds ? ['building' as const] : []),
    ...(writes ? ['writing' as const] : []),
    ...(verifies ? ['verifying' as const] : []),
  ]
  const sizeOf = (volume: VolumeWork): number => volume.bytes * stepsOf(volume).length
  const sum = (part: readonly VolumeWork[], of: (volume: VolumeWork) => number): number =>
    part.reduce((total, volume) => total + of(volume), 0)
  const filesOf = ({ files }: VolumeWork): number => files
  const isKept = (volume: VolumeWork): boolean => stepsOf(volume).length === 0
  const kept = volumes.filter(isKept)
  const begun: VolumeWork[] = []
  /**
   * The sum over the volumes that are still to be begun, as far as they are likely to be this
   * run's.
   */
  const rest = (of: (volume: VolumeWork) => number): number => {
    const waiting = volumes.filter((volume) => !(isKept(volume) || begun.includes(volume)))
    const free = waiting.filter(({ writes }) => writes)
    const written = begun.filter(({ writes }) => writes).length
    const most = atMost === null ? free.length : Math.max(0, atMost - written)
    const shared = free.slice(0, most).map((volume) => ({ index: volume.index, amount: of(volume) }))
    const onlyRead = waiting.filter(({ writes }) => !writes)
    return pool.shareOf(shared) + sum(onlyRead, of)
  }
  return (at) => {
    const volume = volumes[at] as VolumeWork
    const before = [...begun]
    begun.push(volume)
    const steps = stepsOf(volume)
    return (step, done, filesWithOwn = 0) => {
      // Stowage's own files are on the volume too.
      const filesOfStep = Math.min(filesWithOwn, volume.files)
      const earlier = Math.max(0, steps.indexOf(step)) * volume.bytes
      const work = STEPS.map((kind) => {
        const of = (each: VolumeWork): number => (stepsOf(each).includes(kind) ? each.bytes : 0)
        const own = kind === step ? Math.min(done, volume.bytes) : 0
        const isFinished = steps.indexOf(kind) < steps.indexOf(step)
        const finished = isFinished ? of(volume) : 0
        const filesIn = (each: VolumeWork): number => (stepsOf(each).includes(kind) ? each.files : 0)
        const current = isFinished ? filesIn(volume) : kind === step ? filesOfStep : 0
        const files = { done: sum(before, filesIn) + current, total: sum(begun, filesIn) + rest(filesIn) }
        return {
          kind,
          unit: 'bytes' as const,
          done: sum(before, of) + finished + own,
          total: sum(begun, of) + rest(of),
          files: byFiles ? files : undefined,
        }
      })
      const flushed = ({ writes, bytes }: VolumeWork): number => (flushes && writes ? bytes : 0)
      const flushing = {
        kind: 'flushing',
        unit: 'bytes' as const,
        done: sum(before, flushed) + (step === 'verifying' ? flushed(volume) : 0),
        total: sum(begun, flushed) + rest(flushed),
      }
      const isLast = step === steps.at(-1)
      context.progress({
        phase: { index: 1, count: 1, name: step === 'writing' && flushes ? 'copying' : step },
        filesDone: sum([...kept, ...before], filesOf) + (isLast ? filesOfStep : 0),
        filesTotal: sum([...kept, ...begun], filesOf) + rest(filesOf),
        bytesDone: sum(before, sizeOf) + earlier + Math.min(done, volume.bytes),
        bytesTotal: sum(begun, sizeOf) + rest(sizeOf),
        current: volume.label,
        work: [...work, flushing],
      })
    }
  }
}
