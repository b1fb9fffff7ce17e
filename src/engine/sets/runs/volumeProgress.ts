import type { JobContext } from '../../jobs/jobContext'

/**
 * The kinds of work on a volume in turn, in bytes; the weight is the time of a byte relative to the
 * other kinds.
 */
export interface VolumeWork {
  readonly kind: string
  readonly bytes: number
  readonly weight?: number
  /** Files cost time besides their bytes. */
  readonly files?: number
  /** The processor limits it: see `Work`. */
  readonly isCalculated?: boolean
  /** Bytes that are not counted again for the person, such as those that are flushed. */
  readonly isUnseen?: boolean
  /** The name of the phase while it is done, where that is another than the job's. */
  readonly phase?: string
}

type WeightedWork = Pick<VolumeWork, 'kind' | 'bytes' | 'weight'>

const sizeOf = (work: readonly VolumeWork[]): number => work.reduce((sum, { bytes }) => sum + bytes, 0)
const seenOf = (work: readonly VolumeWork[]): VolumeWork[] => work.filter(({ isUnseen }) => !isUnseen)

/** Takes the bytes done of all work on a volume, and how many of its files. */
export type OnVolumeWork = (bytesDone: number, filesDone?: number) => void

/**
 * Progress over volumes that are worked on in turn: for each, a function that takes the bytes done
 * of all its work. Volumes that are kept as they are count as done in files and bytes, but no time
 * is expected of them.
 * @param phase its place among the phases of the job
 */
export function volumeProgress<V extends { label: string; files: number }>(
  context: JobContext,
  name: string,
  volumes: readonly V[],
  workOf: (volume: V, at: number) => readonly VolumeWork[],
  phase: { readonly index: number; readonly count: number } = { index: 1, count: 1 },
): (at: number) => OnVolumeWork {
  const works = volumes.map(workOf)
  const bytesTotal = sizeOf(seenOf(works.flat()))
  const filesTotal = volumes.reduce((sum, { files }) => sum + files, 0)
  const kinds = new Map(works.flat().map((each) => [each.kind, each]))
  const begun = new Set<number>()
  return (at) => {
    const own = works[at] ?? []
    const bytesBefore = sizeOf(seenOf(works.slice(0, at).flat()))
    const filesBefore = volumes.slice(0, at).reduce((sum, { files }) => sum + files, 0)
    const past = works.filter((_, earlier) => earlier < at && begun.has(earlier)).flat()
    const future = works.slice(at).flat()
    const rows = [...kinds.values()].map(({ kind, weight = 1, files, isCalculated = false }) => {
      const of = (work: readonly VolumeWork[]): VolumeWork[] => work.filter((each) => each.kind === kind)
      const filesOf = (work: readonly VolumeWork[]): number =>
        of(work).reduce((sum, each) => sum + (each.files ?? 0), 0)
      const [done, left] = [sizeOf(of(past)), sizeOf(of(future))]
      const counted = files !== undefined && { done: filesOf(past), total: filesOf([...past, ...future]) }
      return { kind, weight, isCalculated, done, total: done + left, files: counted || null }
    })
    let filesDone = 0
    const tell = (bytesDone: number, filesWithOwn = 0): void => {
      // Stowage's own files are on the volume too.
      const ownFiles = volumes[at]?.files ?? 0
      const isWhole = bytesDone >= sizeOf(own) && bytesDone > 0
      filesDone = Math.max(filesDone, isWhole ? ownFiles : Math.min(filesWithOwn, ownFiles))
      if (bytesDone > 0) begun.add(at)
      const current = doneInTurn(own, bytesDone)
      const seen = seenOf(own).reduce((sum, { kind }) => sum + (current.get(kind) ?? 0), 0)
      context.progress({
        phase: { ...phase, name: underWay(own, current)?.phase ?? name },
        volume: { index: at + 1, count: volumes.length, share: shareOf(own, current) },
        filesDone: filesBefore + filesDone,
        filesTotal,
        bytesDone: Math.min(Math.round(bytesBefore + seen), bytesTotal),
        bytesTotal,
        current: volumes[at]?.label ?? null,
        work: rows.map(({ kind, done, total, weight, isCalculated, files }) => ({
          kind,
          unit: 'bytes' as const,
          done: done + (current.get(kind) ?? 0),
          total,
          weight,
          isCalculated,
          files: files ? { done: files.done + filesDone, total: files.total } : undefined,
        })),
      })
    }
    tell(0)
    return tell
  }
}

/** The work on a volume that is done at present. */
function underWay(work: readonly VolumeWork[], done: ReadonlyMap<string, number>): VolumeWork | undefined {
  return work.find(({ kind, bytes }) => (done.get(kind) ?? 0) < bytes)
}

/** The share of the work on a volume that is done, weighted. */
export function shareOf(work: readonly WeightedWork[], done: ReadonlyMap<string, number>): number {
  const sum = (of: (each: WeightedWork) => number): number =>
    work.reduce((total, each) => total + of(each) * (each.weight ?? 1), 0)
  return (
    sum(({ kind }) => done.get(kind) ?? 0) /
    Math.max(
      1,
      sum(({ bytes }) => bytes),
    )
  )
}

/** Bytes of the work done in turn, by kind. */
export function doneInTurn(
  work: readonly Pick<VolumeWork, 'kind' | 'bytes'>[],
  bytesDone: number,
): Map<string, number> {
  let left = bytesDone
  return new Map(
    work.map(({ kind, bytes }) => {
      const done = Math.max(0, Math.min(bytes, left))
      left -= done
      return [kind, done]
    }),
  )
}
