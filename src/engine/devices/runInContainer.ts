import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ContainerFacts } from '../../domain/devices/bandKind'
import {
  type ContainerPass,
  type ContainerPlan,
  type ContainerSegment,
  type ContainerStep,
  containerStepBytes,
} from '../../domain/devices/containerPlan'
import type { ContainerState, InUse, SampleOperation } from '../../domain/devices/measurement'
import type { Sample } from '../../domain/devices/sampleCollector'
import { AppError } from '../../primitives/appError'
import { containerName } from '../../primitives/containerName'
import { said } from '../../primitives/said'
import { seededRandom } from '../../primitives/seededRandom'
import { fsPath } from '../files/fileSystem'
import type { JobContext } from '../jobs/jobContext'
import { type DiskRange, dropCachedPages, type LongWork, type OpenContainer } from '../native/containers'
import { makeRunFolder, readCounters } from '../native/timing'
import { cpuShareOfReading } from './cpuShare'
import { MeasureWork } from './measureWork'
import type { RunFolders } from './notedFolders'
import { pauseGate } from './pauseGate'
import { requireSpace } from './requireSpace'
import type { SegmentsEnd } from './runSegments'
import { type TimedContainer, timedContainer } from './timedContainer'

const SECTOR_BYTES = 512
const MIB = 2 ** 20
/** Content that is written over other content has seeds of its own: those of files are below. */
const ADDED_TO_SEEDS: Readonly<Record<ContainerState, number>> = {
  fresh: 0,
  rewritten: 2 ** 51,
  refilled: 2 ** 52,
}

/** Written over what is deleted. */
const ZEROS = new Uint8Array(4 * MIB)

/** The results that a measurement in containers has in addition to any other. */
export interface ContainerEnd extends SegmentsEnd {
  /** In the order of the plan. */
  readonly measured: readonly MeasuredContainer[]
  /** Containers that could not be made here, where the plan may leave them out. */
  readonly notMade: readonly { readonly container: ContainerFacts; readonly error: AppError }[]
  /** Bytes that deleting wrote. */
  readonly deletedBytes: number
}

/** The results of all containers of one kind and encryption. */
export interface MeasuredContainer {
  readonly container: ContainerFacts
  readonly occupied: readonly Occupied[]
  readonly samples: Readonly<Record<ContainerState, readonly Sample[]>>
}

/** The bytes and bands of one container after each state that it went through whole. */
interface Occupied {
  readonly test: number
  readonly repeat: number
  readonly diskBytes: number
  readonly after: Readonly<Partial<Record<ContainerState | 'deleted', InUse>>>
}

interface ContainerPlace {
  readonly directory: string
  readonly keepFreeBytes: number
  /** Bytes of one request. */
  readonly requestBytes: number
  /** The verb of the failure where space is short: `measure`. */
  readonly doing: string
}

/**
 * Carries out a plan in containers of our own, a segment after another, each in a new container
 * that its passes go through one after another. Every range is flushed within its time; before
 * every read the system forgets the container's pages. Never rejects for what happens to files:
 * what was timed until then is kept. The folder is removed however it ends.
 * @param onSamples is told those of new containers
 */
export async function runInContainer(
  place: ContainerPlace,
  plan: ContainerPlan,
  folders: RunFolders,
  context: JobContext,
  onSamples: (fresh: readonly Sample[]) => void,
): Promise<ContainerEnd> {
  const { directory } = place
  const measured: (MeasuredContainer & {
    readonly occupied: Occupied[]
    readonly samples: Record<ContainerState, Sample[]>
  })[] = []
  const notMade: { container: ContainerFacts; error: AppError }[] = []
  const name = folders.begin(directory)
  let folder: ReturnType<typeof makeRunFolder>
  try {
    folder = makeRunFolder(directory, name)
  } catch (thrown) {
    folders.gone(name)
    throw thrown
  }
  const timer = stepTimer(place, plan, context)
  let error: AppError | null = null
  try {
    for (const segment of plan.segments) {
      await requireSpace(place, plan.peakBytes, place.doing)
      const made = timedContainer(folder.path, 'one', segment.container)
      const { test, repeat, diskBytes, container } = segment
      try {
        await made.create(diskBytes, { signal: context.signal })
      } catch (thrown) {
        const failure = AppError.from(thrown)
        if (!plan.mayLeaveOut || context.signal.aborted || failure.code === 'no-space') throw failure
        if (!notMade.some((each) => isSame(each.container, container)))
          notMade.push({ container, error: failure })
        timer.leaveOut(segment)
        continue
      }
      let found = measured.find((each) => isSame(each.container, container))
      if (found === undefined) {
        found = { container, occupied: [], samples: { fresh: [], rewritten: [], refilled: [] } }
        measured.push(found)
      }
      const { samples, occupied } = found
      const after: Partial<Record<ContainerState | 'deleted', InUse>> = {}
      occupied.push({ test, repeat, diskBytes, after })
      for (const pass of segment.passes)
        await timer.goThrough(segment, pass, made, {
          onSamples(more) {
            samples[pass.state].push(...more)
            if (pass.state === 'fresh') onSamples(more)
          },
          onInUse(state, inUse) {
            after[state] = inUse
          },
        })
      await rm(fsPath(made.path), { recursive: true, force: true })
    }
  } catch (thrown) {
    error = context.signal.aborted
      ? new AppError('cancelled', said`the measurement was cancelled`)
      : AppError.from(thrown)
  }
  context.pausable(null)
  const notRemoved = folder.remove()
  if (notRemoved === null) folders.gone(name)
  return {
    ...timer.evidence(),
    measured,
    notMade,
    error,
    notRemoved: notRemoved === null ? [] : [notRemoved],
  }
}

function isSame(a: ContainerFacts, b: ContainerFacts): boolean {
  return a.kind === b.kind && a.encryption === b.encryption && a.bandBytes === b.bandBytes
}

interface StepTimer {
  /** Does the steps of one pass of a segment. */
  goThrough(
    segment: ContainerSegment,
    pass: ContainerPass,
    made: TimedContainer,
    found: {
      onSamples(samples: readonly Sample[]): void
      onInUse(state: ContainerState | 'deleted', inUse: InUse): void
    },
  ): Promise<void>
  /** Counts the steps of a segment as done: its container cannot be made. */
  leaveOut(segment: ContainerSegment): void
  evidence(): Pick<ContainerEnd, 'cache' | 'flushMs' | 'readingCpuShare' | 'deletedBytes'>
}

/** Times steps in open containers and adds up what speaks for the device having answered. */
function stepTimer(
  { directory, requestBytes }: ContainerPlace,
  plan: ContainerPlan,
  context: JobContext,
): StepTimer {
  const { clock, signal } = context
  const startedMs = clock.monotonicMs()
  const gate = pauseGate(context)
  const cpu = cpuShareOfReading(clock)
  const counted = deviceCount(directory)
  const resident = { bytes: 0 as number | null, checkedBytes: 0 }
  let cachedBytesPerSecond: number | null = null
  let [bytesDone, filesDone] = [0, 0]
  const bytesTotal = plan.writeBytes + plan.readBytes
  const measureWork = new MeasureWork()
  for (const segment of plan.segments)
    for (const { steps } of segment.passes)
      for (const step of steps) measureWork.plan(step, bytesOf(segment, step))
  let deletedBytes = 0
  let current: { readonly step: ContainerStep; readonly bytes: number; readonly fromBytes: number } | null =
    null
  let name = ''
  const tell = (bytes: number): void =>
    context.progress({
      phase: { index: 1, count: 1, name: 'measuring' },
      filesDone: plan.files === 0 ? 0 : filesDone,
      filesTotal: null,
      bytesDone: Math.min(bytesTotal, bytesDone + bytes),
      bytesTotal,
      current: name === '' ? null : name,
      work: measureWork.rows(
        current && current.bytes > 0
          ? { ...current, share: Math.min(1, (bytesDone + bytes - current.fromBytes) / current.bytes) }
          : undefined,
      ),
    })
  const work: LongWork = { signal, onProgress: tell }

  /** The system forgets the container's pages; what is left counts as if it were of these bytes. */
  const forget = async (path: string, bytes: number): Promise<void> => {
    const left = await dropCachedPages(path, { signal })
    resident.checkedBytes += bytes
    resident.bytes =
      resident.bytes === null || left.residentBytes === null
        ? null
        : resident.bytes + Math.min(bytes, left.residentBytes)
  }

  /**
   * Ranges one after another, the cache emptied before if they are read. @returns the nanoseconds
   * of each
   */
  const timed = async (
    disk: OpenContainer,
    path: string,
    { writes, seed, ranges }: { writes: boolean; seed: number; ranges: readonly DiskRange[] },
  ): Promise<readonly number[]> => {
    const bytes = ranges.reduce((total, range) => total + range.bytes, 0)
    cpu.look(null)
    if (!writes) await forget(path, bytes)
    const before = readCounters(directory)
    if (!writes) cpu.look('read')
    const asked = { writes, requestBytes: requestOf(requestBytes, ranges), seed }
    const times = await disk.timeRanges(asked, ranges, work)
    if (!writes) cpu.look('read')
    counted.add(writes, bytes, before)
    bytesDone += bytes
    return times
  }

  /**
   * The container is read while a copy of it is written and flushed. The device counts both
   * together, so its counters say nothing of either.
   * @returns the nanoseconds of reading and of writing
   */
  const copied = async (
    disk: OpenContainer,
    made: TimedContainer,
    { range, seed }: { range: DiskRange; seed: number },
  ): Promise<readonly [read: number, written: number]> => {
    cpu.look(null)
    const copy = made.another()
    await copy.create(range.bytes, { signal })
    const target = await copy.open(true)
    try {
      await forget(made.path, range.bytes)
      const asked = requestOf(requestBytes, [range])
      const both = await Promise.allSettled([
        disk.timeRanges({ writes: false, requestBytes: asked }, [range], {
          signal,
          onProgress: (done) => tell(2 * done),
        }),
        target.timeRanges({ writes: true, requestBytes: asked, seed }, [range], { signal }),
      ])
      const [read, written] = both.map((each) => {
        if (each.status === 'rejected') throw each.reason
        return each.value[0] ?? 0
      })
      bytesDone += 2 * range.bytes
      return [read ?? 0, written ?? 0]
    } finally {
      await target.close()
      await rm(fsPath(copy.path), { recursive: true, force: true })
    }
  }

  /** Fills ranges with zeros and gives their space back, as far as the container can. */
  const deleted = async (disk: OpenContainer, ranges: readonly DiskRange[]): Promise<void> => {
    for (const { offset, bytes } of ranges) {
      for (let at = 0; at < bytes && !signal.aborted; at += ZEROS.length) {
        const length = Math.min(ZEROS.length, bytes - at)
        await disk.write(offset + at, ZEROS.subarray(0, length))
        bytesDone += length
        deletedBytes += length
        tell(0)
      }
    }
    await disk.flush()
    await disk.compact({ signal })
  }

  const goThrough: StepTimer['goThrough'] = async (segment, { state, steps }, made, found) => {
    const disks = openAsNeeded(made)
    const inUse = async (): Promise<InUse> => {
      const { allocatedBytes, bandBytes, bandsStored } = await (await disks.get(false)).info()
      return { bytes: allocatedBytes, bands: bandBytes === 0 ? null : bandsStored }
    }
    name = containerName({ ...segment.container, bandSize: segment.container.bandBytes })
    try {
      for (const step of steps) {
        await gate(signal)
        const stepped = bytesOf(segment, step)
        const ends = (): void => {
          current = null
          measureWork.end(step, stepped)
        }
        if (step.kind === 'delete') {
          current = { step, bytes: stepped, fromBytes: bytesDone }
          const gone = step.files.flatMap((file) => segment.ranges[file] ?? [])
          await deleted(await disks.get(true), gone)
          found.onInUse('deleted', await inUse())
          ends()
          continue
        }
        if (step.kind === 'rest') await delay(step.ms, undefined, { signal }).catch(() => {})
        const ranges = rangesOf(step, segment)
        if (ranges === null) {
          ends()
          continue
        }
        if (step.kind === 'cachedRead') {
          cachedBytesPerSecond = await cachedRate(await disks.get(false), ranges, requestBytes)
          ends()
          continue
        }
        current = { step, bytes: stepped, fromBytes: bytesDone }
        const writes = step.kind === 'write' || step.kind === 'randomWrite'
        const seed = ADDED_TO_SEEDS[state] + (segment.ranges[ranges.file]?.seed ?? 0)
        const sinceMs = (): number => clock.monotonicMs() - startedMs
        if (step.kind === 'stream') {
          const [range] = ranges.parts as [DiskRange]
          const startMs = sinceMs()
          const [read, written] = await copied(await disks.get(false), made, { range, seed: seed + 1 })
          found.onSamples([
            ...samplesOf(segment, 'streamRead', [range], [read], startMs),
            ...samplesOf(segment, 'streamWrite', [range], [written], startMs),
          ])
          filesDone += 1
          ends()
          continue
        }
        // What was read would bring its neighbours into the cache: it is emptied before each.
        const groups = writes ? [ranges.parts] : ranges.parts.map((part) => [part])
        for (const group of groups) {
          if (signal.aborted) break
          const startMs = sinceMs()
          const times = await timed(await disks.get(writes), made.path, { writes, seed, ranges: group })
          found.onSamples(samplesOf(segment, step.kind as SampleOperation, group, times, startMs))
        }
        filesDone += 1
        ends()
        tell(0)
      }
      await gate(signal)
      found.onInUse(state, await inUse())
    } finally {
      await disks.close()
    }
  }

  return {
    goThrough,
    leaveOut(segment) {
      for (const { steps } of segment.passes)
        for (const step of steps) {
          const bytes = bytesOf(segment, step)
          measureWork.end(step, bytes)
          if (step.kind !== 'cachedRead') bytesDone += bytes
        }
      tell(0)
    },
    evidence: () => ({
      deletedBytes,
      cache: {
        obtained: 'uncached',
        because: '',
        residentBytes: resident.bytes,
        checkedBytes: resident.checkedBytes,
        cachedBytesPerSecond,
        ...counted.sums(),
      },
      flushMs: 0,
      readingCpuShare: cpu.share(),
    }),
  }
}

function requestOf(requestBytes: number, ranges: readonly DiskRange[]): number {
  return Math.min(requestBytes, Math.max(...ranges.map(({ bytes }) => bytes)))
}

function bytesOf({ ranges }: ContainerSegment, step: ContainerStep): number {
  return containerStepBytes(step, (file) => ranges[file]?.bytes ?? 0)
}

interface StepRanges {
  readonly file: number
  readonly parts: readonly DiskRange[]
}

/** Where a step works in the container; null where it does not. */
function rangesOf(step: ContainerStep, { ranges }: ContainerSegment): StepRanges | null {
  if (!('file' in step)) return null
  const range = ranges[step.file]
  if (range === undefined) return null
  if (step.kind !== 'randomRead' && step.kind !== 'randomWrite') return { file: step.file, parts: [range] }
  const random = seededRandom(step.seed)
  const places = Math.floor(range.bytes / step.accessSize)
  const parts = Array.from({ length: step.accesses }, () => ({
    offset: range.offset + random.below(places) * step.accessSize,
    bytes: step.accessSize,
  }))
  return { file: step.file, parts }
}

function samplesOf(
  { test, repeat }: ContainerSegment,
  op: SampleOperation,
  ranges: readonly DiskRange[],
  times: readonly number[],
  startMs: number,
): Sample[] {
  let ms = startMs
  return ranges.map(({ bytes }, index) => {
    const ns = times[index] ?? 0
    const sample = { op, bytes, ns, transferNs: ns, startMs: ms, test, repeat }
    ms += ns / 1e6
    return sample
  })
}

/** The rate of a second read, which the cache answers, in bytes per second. */
async function cachedRate(disk: OpenContainer, { parts }: StepRanges, requestBytes: number): Promise<number> {
  const plan = { writes: false, requestBytes: requestOf(requestBytes, parts) }
  await disk.timeRanges(plan, parts)
  const [ns] = await disk.timeRanges(plan, parts)
  return ((parts[0]?.bytes ?? 0) * 1e9) / Math.max(1, ns ?? 0)
}

/**
 * Pages of what is open for writing could not all be forgotten, so reading has a way of its own.
 */
function openAsNeeded(made: TimedContainer): {
  get(writable: boolean): Promise<OpenContainer>
  close(): Promise<void>
} {
  let current: { readonly writable: boolean; readonly disk: OpenContainer } | null = null
  const close = async (): Promise<void> => {
    const last = current
    current = null
    await last?.disk.close()
  }
  return {
    close,
    async get(writable) {
      if (current?.writable === writable) return current.disk
      await close()
      current = { writable, disk: await made.open(writable) }
      return current.disk
    },
  }
}

/**
 * The bytes asked of the device and those of its own count; bytes that it did not count once stay
 * unknown.
 */
function deviceCount(directory: string) {
  const asked = { read: 0, written: 0 }
  let sectors: { read: number; written: number } | null = { read: 0, written: 0 }
  return {
    add(writes: boolean, bytes: number, before: ReturnType<typeof readCounters>): void {
      const after = readCounters(directory)
      asked[writes ? 'written' : 'read'] += bytes
      if (sectors === null || before === null || after === null) sectors = null
      else if (writes) sectors.written += after.sectorsWritten - before.sectorsWritten
      else sectors.read += after.sectorsRead - before.sectorsRead
    },
    sums: () => ({
      countedReadBytes: sectors === null ? 0 : asked.read,
      countedWrittenBytes: sectors === null ? 0 : asked.written,
      deviceReadBytes: sectors === null ? null : sectors.read * SECTOR_BYTES,
      deviceWrittenBytes: sectors === null ? null : sectors.written * SECTOR_BYTES,
    }),
  }
}
