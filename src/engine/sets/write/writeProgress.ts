import type { JobContext } from '../../jobs/jobContext'
import { type BuildStep, FLUSH_WEIGHT } from '../runs/buildWork'
import { doneInTurn, shareOf } from '../runs/volumeProgress'
import type { WritePool } from './writePool'

/** A volume of a run with what is still to be done with it. */
interface VolumeWork {
  readonly index: number
  readonly label: string
  readonly files: number
  readonly bytes: number
  /** The work of building it first; none where it is built. */
  readonly build: readonly BuildStep[]
  readonly writes: boolean
  readonly verifies: boolean
}

type Step = 'building' | 'writing' | 'verifying'

/** The work of a kind on a volume, with the step that it is a part of. */
interface StepWork extends BuildStep {
  readonly step: Step
}

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
  const stepsOf = ({ build, writes, verifies }: VolumeWork): Step[] => [
    ...(build.length > 0 ? ['building' as const] : []),
    ...(writes ? ['writing' as const] : []),
    ...(verifies ? ['verifying' as const] : []),
  ]
  const workOn = (volume: VolumeWork): StepWork[] =>
    stepsOf(volume).flatMap((step): StepWork[] =>
      step === 'building'
        ? volume.build.map((each) => ({ ...each, step, kind: `build ${each.kind}` }))
        : [{ step, kind: step, bytes: volume.bytes, files: volume.files }],
    )
  const kinds = new Map(volumes.flatMap(workOn).map((each) => [each.kind, each]))
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
    return (step, done, filesWithOwn = filesBy(volume, done)) => {
      // Stowage's own files are on the volume too.
      const filesOfStep = Math.min(filesWithOwn, volume.files)
      const earlier = Math.max(0, steps.indexOf(step)) * volume.bytes
      const part = Math.min(1, done / Math.max(1, volume.bytes))
      const current = doneOf(workOn(volume), step, part)
      const work = Array.from(kinds.values(), ({ kind, step: ofStep, weight = 1, isCalculated = false }) => {
        const of = (each: VolumeWork): StepWork | undefined => workOn(each).find((one) => one.kind === kind)
        const bytesIn = (each: VolumeWork): number => of(each)?.bytes ?? 0
        const filesIn = (each: VolumeWork): number => of(each)?.files ?? 0
        const isFinished = steps.indexOf(ofStep) < steps.indexOf(step)
        const ownFiles = isFinished ? filesIn(volume) : ofStep === step ? filesOfStep : 0
        const files = { done: sum(before, filesIn) + ownFiles, total: sum(begun, filesIn) + rest(filesIn) }
        return {
          kind,
          unit: 'bytes' as const,
          done: sum(before, bytesIn) + (current.get(kind) ?? 0),
          total: sum(begun, bytesIn) + rest(bytesIn),
          weight,
          isCalculated,
          files: byFiles && ofStep !== 'building' ? files : undefined,
        }
      })
      const flushed = ({ writes, bytes }: VolumeWork): number => (flushes && writes ? bytes : 0)
      const flushing = {
        kind: 'flushing',
        unit: 'bytes' as const,
        done: sum(before, flushed) + (step === 'verifying' ? flushed(volume) : 0),
        total: sum(begun, flushed) + rest(flushed),
        weight: FLUSH_WEIGHT,
      }
      const isLast = step === steps.at(-1)
      context.progress({
        phase: { index: 1, count: 1, name: step === 'writing' && flushes ? 'copying' : step },
        filesDone: sum([...kept, ...before], filesOf) + (isLast ? filesOfStep : 0),
        filesTotal: sum([...kept, ...begun], filesOf) + rest(filesOf),
        bytesDone: sum(before, sizeOf) + earlier + Math.min(done, volume.bytes),
        bytesTotal: sum(begun, sizeOf) + rest(sizeOf),
        current: volume.label,
        volume: {
          index: at + 1,
          count: volumes.length,
          share: shareOf(workOn(volume), current),
        },
        work: [...work, flushing],
      })
    }
  }
}

/** Files of an image that is copied as a whole, counted by its bytes. */
function filesBy({ files, bytes }: VolumeWork, done: number): number {
  return bytes === 0 ? files : Math.floor((files * Math.min(done, bytes)) / bytes)
}

/** The bytes done by kind, where so much of a step is done and all before it. */
function doneOf(work: readonly StepWork[], step: Step, part: number): Map<string, number> {
  const at = work.findIndex((each) => each.step === step)
  const sizeOf = (some: readonly StepWork[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0)
  const ofStep = work.filter((each) => each.step === step)
  return doneInTurn(work, sizeOf(work.slice(0, Math.max(0, at))) + part * sizeOf(ofStep))
}
