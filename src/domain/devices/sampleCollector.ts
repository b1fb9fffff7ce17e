import type { MeasureSample, SampleOperation } from './measurement'
import type { PlannedStep, Segment } from './runPlan'

/** One timed operation, not yet judged. */
export type Sample = Readonly<Omit<MeasureSample, 'mark'>>

/**
 * One thing that the addon timed, of a step of a segment. Starts count from the segment's own
 * start.
 */
export interface TimedPart {
  readonly step: number
  readonly phase: string
  readonly bytes: number
  readonly startNs: number
  readonly ns: number
}

/** Puts the parts of each operation together as they come. */
interface SampleCollector {
  /**
   * Parts of one segment, in the order in which they were timed. @returns the samples that they
   * complete
   */
  take(parts: Iterable<TimedPart>): Sample[]
  /** Nanoseconds of flushing after all files, which belongs to none of them. */
  flushNs(): number
  /** Rate of the second read from the cache; null if there was none. */
  cachedBytesPerSecond(): number | null
}

interface Open {
  /** Before the transfer: making, opening, claiming space. */
  readonly before: { write: number; read: number }
  readonly transfers: Partial<Record<SampleOperation, TimedPart>>
  closes: number
  startNs: number
}

/**
 * Collects the parts of each operation: creating or opening, claiming space, the transfer, the
 * flush where each file is flushed, closing. The parts of a flush of all files at the end come
 * after their step's files were closed, and count separately.
 * @param offsetMs when the segment began, since the measurement's first
 */
export function sampleCollector(segment: Segment, offsetMs: number): SampleCollector {
  const open = new Map<number, Open>()
  const done = new Set<number>()
  let flushNs = 0
  let cached: TimedPart | null = null

  /** Making a file is a step of its own, before that of writing into it. */
  const stepFor = (step: number): number => (segment.steps[step]?.kind === 'create' ? step + 1 : step)

  const finish = (entry: Open): Sample[] =>
    (Object.entries(entry.transfers) as [SampleOperation, TimedPart][]).map(([op, part]) => ({
      op,
      bytes: part.bytes,
      ns: part.ns + (isWriting(op) ? entry.before.write : entry.before.read),
      transferNs: part.ns,
      startMs: offsetMs + entry.startNs / 1e6,
      test: segment.test,
      repeat: segment.repeat,
    }))

  const takeOne = (part: TimedPart): Sample[] => {
    const kind = segment.steps[part.step]?.kind
    if (kind === undefined || kind === 'remove' || kind === 'rest') return []
    if (kind === 'cachedRead') {
      if (part.phase === 'cachedRead') cached = part
      return []
    }
    if (kind === 'randomRead' || kind === 'randomWrite') {
      if (part.phase === 'flush') flushNs += part.ns
      return part.phase === 'readRequest' || part.phase === 'writeRequest' ? [accessOf(kind, part)] : []
    }
    const step = stepFor(part.step)
    if (done.has(step)) {
      if (part.phase === 'flush') flushNs += part.ns
      return []
    }
    const entry = open.get(step) ?? {
      before: { write: 0, read: 0 },
      transfers: {},
      closes: 0,
      startNs: part.startNs,
    }
    open.set(step, entry)
    addPart(entry, kind, part)
    if (entry.closes < (kind === 'stream' ? 2 : 1)) return []
    open.delete(step)
    done.add(step)
    return finish(entry)
  }

  const accessOf = (op: 'randomRead' | 'randomWrite', part: TimedPart): Sample => ({
    op,
    bytes: part.bytes,
    ns: part.ns,
    transferNs: part.ns,
    startMs: offsetMs + part.startNs / 1e6,
    test: segment.test,
    repeat: segment.repeat,
  })

  return {
    take: (parts) => [...parts].flatMap(takeOne),
    flushNs: () => flushNs,
    cachedBytesPerSecond: () => (cached === null ? null : (cached.bytes * 1e9) / Math.max(1, cached.ns)),
  }
}

/**
 * Adds a part to the side of the operation that it belongs to; requests are within the transfer
 * already.
 */
function addPart(entry: Open, kind: PlannedStep['kind'], part: TimedPart): void {
  const side = kind === 'read' ? 'read' : 'write'
  switch (part.phase) {
    case 'write':
    case 'read':
    case 'streamWrite':
    case 'streamRead':
      entry.transfers[part.phase] = part
      break
    case 'create':
    case 'preallocate':
    case 'flush':
      entry.before.write += part.ns
      break
    case 'open':
      // A stream makes the file that it writes, so what it opens is the one that it reads.
      entry.before[kind === 'stream' ? 'read' : side] += part.ns
      break
    case 'close':
      entry.before[kind === 'stream' && entry.closes === 1 ? 'read' : side] += part.ns
      entry.closes += 1
      break
    default:
  }
}

export function isWriting(op: SampleOperation): boolean {
  return op === 'write' || op === 'streamWrite' || op === 'randomWrite'
}
