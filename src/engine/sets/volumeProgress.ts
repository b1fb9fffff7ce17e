import type { JobContext } from '../jobs/jobContext'

/** Progress over volumes that are worked on in turn: for each, a function that takes the bytes done of that volume. */
export function volumeProgress<V extends { label: string; files: number }>(
  context: JobContext,
  name: string,
  volumes: readonly V[],
  sizeOf: (volume: V, at: number) => number,
): (at: number) => (bytesDone: number) => void {
  const bytesTotal = volumes.reduce((sum, volume, at) => sum + sizeOf(volume, at), 0)
  const filesTotal = volumes.reduce((sum, { files }) => sum + files, 0)
  return (at) => {
    const before = volumes.slice(0, at)
    const bytesBefore = before.reduce((sum, volume, earlier) => sum + sizeOf(volume, earlier), 0)
    const filesDone = before.reduce((sum, { files }) => sum + files, 0)
    const tell = (bytesDone: number): void =>
      context.progress({
        phase: { index: 1, count: 1, name },
        filesDone,
        filesTotal,
        bytesDone: Math.min(Math.round(bytesBefore + bytesDone), bytesTotal),
        bytesTotal,
        current: volumes[at]?.label ?? null,
      })
    tell(0)
    return tell
  }
}
