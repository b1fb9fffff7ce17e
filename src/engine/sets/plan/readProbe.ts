import { dirname } from 'node:path'
import { type ReadProfile, type ReadRun, readProfile } from '../../../domain/sets/times/readProfile'
import { MOST_SAMPLE_BYTES, sampleRuns } from '../../../domain/sets/times/sampleRuns'
import { startTimedRun, TIMED_PHASE, type TimedStep } from '../../native/timing'

/** As mkisofs reads. */
const REQUEST_BYTES = 32 * 1024
const BUDGET_MS = 2000
/**
 * A sample whose figures are less sure than this is followed by another, of other files: twice at
 * most.
 */
const SURE = 0.15
const ROUNDS = 3
/**
 * More than this of the sample in the system's cache, and reading it later may take longer than
 * now.
 */
const CACHED_SHARE = 0.05

/**
 * The read profile of a source at present, and without the system's cache where some of the sample
 * came from there.
 */
export interface ReadProbe {
  readonly profile: ReadProfile
  readonly uncached: ReadProfile | null
  readonly files: number
  readonly bytes: number
}

/** A file that is read, with its length; `path` in lossless text. */
export interface ProbedFile {
  readonly path: string
  readonly bytes: number
}

/**
 * Times a sample of a source's files as a program reads them that makes an image: one after the
 * other, in the planned order, 32 KiB at a time, for at most two seconds, or six where the figures
 * vary; and once more without the cache where some were in it. Null where nothing can be read, and
 * when it was cancelled.
 * @throws AppError `tool-missing` without the addon
 */
export async function probeSource(
  files: readonly ProbedFile[],
  signal: AbortSignal,
): Promise<ReadProbe | null> {
  const sizes = Float64Array.from(files, ({ bytes }) => bytes)
  const asked: ProbedFile[][] = []
  const timed: ReadRun[] = []
  let cachedShare = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const runs = sampleRuns(sizes, round).map((run) => run.map((at) => files[at] as ProbedFile))
    const now = await timedRuns(runs, true, signal)
    asked.push(...runs)
    timed.push(...now.runs)
    cachedShare = Math.max(cachedShare, now.cachedShare)
    if (isSure(readProfile(timed)) || runs.flat().length === files.length) break
  }
  const profile = readProfile(timed)
  if (!profile) return null
  const again = cachedShare > CACHED_SHARE ? await timedRuns(asked, false, signal) : null
  const read = timed.flat()
  return {
    profile,
    uncached: again && readProfile(again.runs),
    files: read.length,
    bytes: read.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Nothing that could be read does not get better either. */
function isSure(profile: ReadProfile | null): boolean {
  if (!profile) return true
  const { value, high } = profile.secondsPerByte.value > 0 ? profile.secondsPerByte : profile.fileSeconds
  return high <= (1 + SURE) * value
}

async function timedRuns(
  runs: readonly (readonly ProbedFile[])[],
  keepCache: boolean,
  signal: AbortSignal,
): Promise<{ runs: ReadRun[]; cachedShare: number }> {
  const files = runs.flat()
  const [first] = files
  if (!first) return { runs: [], cachedShare: 0 }
  const steps = files.map(
    ({ bytes }, file): TimedStep =>
      bytes <= MOST_SAMPLE_BYTES
        ? { op: 'read', file, requestBytes: REQUEST_BYTES, depth: 1, keepCache }
        : { op: 'randomRead', file, requestBytes: MOST_SAMPLE_BYTES, depth: 1, count: 1, seed: file },
  )
  const run = startTimedRun({
    directory: dirname(first.path),
    runFolder: null,
    files,
    steps,
    cacheMode: 'buffered',
    flush: 'none',
    preallocate: false,
    minimumFreeBytes: 0,
  })
  const cancel = (): void => run.cancel()
  const timer = setTimeout(cancel, BUDGET_MS)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const { cache } = await run.finished
    // Small files may all be read before a cancel arrives.
    if (signal.aborted) return { runs: [], cachedShare: 0 }
    const timed = timesOf(run, files.length)
    let at = 0
    return {
      runs: runs.map((each) => each.flatMap(() => timed[at++] ?? [])).filter((each) => each.length > 0),
      cachedShare: (cache.residentBeforeBytes ?? 0) / Math.max(1, cache.checkedBytes),
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

const { open, read, randomRead, close } = TIMED_PHASE

/** Opening, reading and closing of each file; null for those that were not read to the end. */
function timesOf(
  run: ReturnType<typeof startTimedRun>,
  count: number,
): ({ bytes: number; ns: number } | null)[] {
  const ns = new Float64Array(count)
  const bytes = new Float64Array(count).fill(Number.NaN)
  for (let batch = run.takeSamples(); batch; batch = run.takeSamples()) {
    for (let at = 0; at < batch.count; at++) {
      const [step, phase] = [batch.step[at] as number, batch.phase[at] as number]
      if (phase !== open && phase !== read && phase !== randomRead && phase !== close) continue
      ns[step] = (ns[step] as number) + (batch.ns[at] as number)
      if (phase === read || phase === randomRead) bytes[step] = batch.bytes[at] as number
    }
  }
  return Array.from(bytes, (length, at) =>
    Number.isNaN(length) ? null : { bytes: length, ns: ns[at] as number },
  )
}
