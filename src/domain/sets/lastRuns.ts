import type { RunDocument } from './runDocument'

const KINDS = ['build', 'verify', 'write'] as const

/**
 * Returns the runs of a plan that speak of its volumes as they are now: at most one document of
 * each kind, with the last that was done with each volume. Verifications and writes before a volume
 * was built last do not count.
 * @param runs newest first
 * @param isThere whether a volume's image or folder is where builds put it, and of the planned
 *   size: what is not there is not built
 */
export function lastRuns(runs: readonly RunDocument[], isThere: (index: number) => boolean): RunDocument[] {
  const builtWallMs = new Map<number, number>()
  for (const run of runs) {
    if (run.kind !== 'build') continue
    for (const { index, state } of run.volumes)
      if (state === 'done' && !builtWallMs.has(index)) builtWallMs.set(index, run.startedWallMs)
  }
  const answers: RunDocument[] = []
  for (const kind of KINDS) {
    const ofKind = runs.filter((run) => run.kind === kind)
    const last = new Map<number, RunDocument['volumes'][number] | null>()
    for (const run of ofKind) {
      for (const volume of run.volumes) {
        const { index, state } = volume
        if (last.has(index) || state === 'pending') continue
        if (kind !== 'build') {
          if (run.startedWallMs >= (builtWallMs.get(index) ?? 0)) last.set(index, volume)
        } else if (isMade(volume)) last.set(index, isThere(index) ? volume : null)
        // A build that failed leaves what an earlier one made.
        else if (!isThere(index)) last.set(index, volume)
      }
    }
    const [newest] = ofKind
    const volumes = [...last.values()]
      .filter((volume) => volume !== null)
      .toSorted((one, other) => one.index - other.index)
    if (!newest || volumes.length === 0) continue
    // What an interrupted run did not reach counts, unless an earlier one did.
    const isReached = newest.volumes.every(({ index, state }) => state !== 'pending' || last.has(index))
    const isDone = isReached && volumes.every(isMade)
    const failed = newest.outcome === 'done' ? 'failed' : newest.outcome
    answers.push({ ...newest, volumes, outcome: isDone ? 'done' : failed })
  }
  return answers
}

function isMade({ state }: RunDocument['volumes'][number]): boolean {
  return state === 'done' || state === 'kept'
}
