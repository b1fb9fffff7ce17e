import type { RunDocument } from './runDocument'

/**
 * Returns the runs of a plan that speak of its volumes as they are now: at most one document of
 * each kind, with the last that was done with each volume: builds, then verifications and writes in
 * the order in which they were made. Those before a volume was built last do not count.
 * @param runs newest first
 * @param isThere whether a volume's image or folder is where builds put it, and of the planned
 *   size: what is not there is not built
 */
export function lastRuns(runs: readonly RunDocument[], isThere: (index: number) => boolean): RunDocument[] {
  /** The places of the newest builds of volumes among the runs. */
  const builtAt = new Map<number, number>()
  for (const [at, run] of runs.entries()) {
    if (run.kind !== 'build') continue
    for (const { index, state } of run.volumes)
      if (state === 'done' && !builtAt.has(index)) builtAt.set(index, at)
  }
  const answers: RunDocument[] = []
  const kinds = [...new Set(runs.map(({ kind }) => kind))].toReversed()
  for (const kind of ['build' as const, ...kinds.filter((each) => each !== 'build')]) {
    const ofKind = [...runs.entries()].filter(([, run]) => run.kind === kind)
    const last = new Map<number, RunDocument['volumes'][number] | null>()
    for (const [at, run] of ofKind) {
      for (const volume of run.volumes) {
        const { index, state } = volume
        if (last.has(index) || state === 'pending') continue
        // One that was stopped says nothing of the volume: an earlier one still does.
        if (kind === 'verify' && state === 'cancelled') continue
        if (kind !== 'build') {
          if (at < (builtAt.get(index) ?? runs.length)) last.set(index, volume)
        } else if (isMade(volume)) last.set(index, isThere(index) ? volume : null)
        // A build that failed leaves what an earlier one made.
        else if (!isThere(index)) last.set(index, volume)
      }
    }
    const newest = ofKind[0]?.[1]
    const volumes = [...last.values()]
      .filter((volume) => volume !== null)
      .toSorted((one, other) => one.index - other.index)
    if (!newest || volumes.length === 0) continue
    // What an interrupted run did not reach counts, unless an earlier one did.
    const isReached = newest.volumes.every(
      ({ index, state }) => (state !== 'pending' && state !== 'cancelled') || last.has(index),
    )
    const isDone = isReached && volumes.every(isMade)
    const failed = newest.outcome === 'done' ? 'failed' : newest.outcome
    answers.push({ ...newest, volumes, outcome: isDone ? 'done' : failed })
  }
  return answers
}

function isMade({ state }: RunDocument['volumes'][number]): boolean {
  return state === 'done' || state === 'kept'
}
