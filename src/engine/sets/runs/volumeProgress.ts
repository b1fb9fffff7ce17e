import type { JobContext } from '../../jobs/jobContext'

/**
 * The kinds of work on a volume in turn, in bytes; the weight is the time of a byte relative to the
 * other kinds.
 */
export interface VolumeWork {
  readonly kind: string
  readonly bytes: number
  readonly weight?: number
}

const sizeOf = (work: readonly VolumeWork[]): number => work.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Progress over volumes that are worked on in turn: for each, a function that takes the bytes done
 * of all its work. Volumes that are kept as they are count as done in files and bytes, but no time
 * is expected of them.
 */
export function volumeProgress<V extends { label: string; files: number }>(
  context: JobContext,
  name: string,
  volumes: readonly V[],
  workOf: (volume: V, at: number) => readonly VolumeWork[],
): (at: number) => (bytesDone: number) => void {
  const works = volumes.map(workOf)
  const bytesTotal = sizeOf(works.flat())
  const filesTotal = volumes.reduce((sum, { files }) => sum + files, 0)
  const kinds = new Map(works.flat().map(({ kind, weight }) => [kind, weight ?? 1]))
  const begun = new Set<number>()
  return (at) => {
    const own = works[at] ?? []
    const bytesBefore = sizeOf(works.slice(0, at).flat())
    const filesDone = volumes.slice(0, at).reduce((sum, { files }) => sum + files, 0)
    const past = works.filter((_, earlier) => earlier < at && begun.has(earlier)).flat()
    const future = works.slice(at).flat()
    const rows = [...kinds].map(([kind, weight]) => {
      const of = (work: readonly VolumeWork[]): number => sizeOf(work.filter((each) => each.kind === kind))
      const done = of(past)
      return { kind, unit: 'bytes' as const, done, total: done + of(future), weight }
    })
    const tell = (bytesDone: number): void => {
      if (bytesDone > 0) begun.add(at)
      const current = doneOf(own, bytesDone)
      context.progress({
        phase: { index: 1, count: 1, name },
        filesDone,
        filesTotal,
        bytesDone: Math.min(Math.round(bytesBefore + bytesDone), bytesTotal),
        bytesTotal,
        current: volumes[at]?.label ?? null,
        work: rows.map(({ kind, unit, done, total, weight }) => ({
          kind,
          unit,
          done: done + (current.get(kind) ?? 0),
          total,
          weight,
        })),
      })
    }
    tell(0)
    return tell
  }
}

/** Bytes of the work done in turn, by kind. */
function doneOf(work: readonly VolumeWork[], bytesDone: number): Map<string, number> {
  let left = bytesDone
  return new Map(
    work.map(({ kind, bytes }) => {
      const done = Math.max(0, Math.min(bytes, left))
      left -= done
      return [kind, done]
    }),
  )
}
