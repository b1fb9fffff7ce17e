import { rm } from 'node:fs/promises'
import type { SweepOperation, SweepSample } from '../../../domain/devices/bands/sweepDocument'
import type { SweepPlan, SweepPoint } from '../../../domain/devices/bands/sweepPlan'
import { AppError } from '../../../primitives/appError'
import { formatBandSize } from '../../../primitives/quantity'
import { fsPath } from '../../files/fileSystem'
import type { JobContext } from '../../jobs/jobContext'
import type { LongWork } from '../../native/containers'
import { makeRunFolder, readCounters } from '../../native/timing'
import { pauseGate } from '../pauseGate'
import { requireSpace } from '../requireSpace'
import type { RunFolders } from '../runSegments'
import { nativePasses } from './containerPasses'

const SECTOR_BYTES = 512
/** A pass writes its bytes twice and reads them twice. */
const MOVES = 4

/** Where and how the passes go. */
interface SweepPlace {
  readonly directory: string
  readonly keepFreeBytes: number
  readonly requestBytes: number
  readonly seed: number
}

export interface SweepEnd {
  readonly droppedBytes: number
  readonly residentBytes: number | null
  readonly readBytes: number
  readonly deviceReadBytes: number | null
  readonly writtenBytes: number
  /** Why it ended early; null for a whole sweep. */
  readonly error: AppError | null
  /** Why the folder could not be removed, in words. */
  readonly notRemoved: string | null
}

/**
 * Goes through the rounds of a plan, telling samples as they are complete. Never rejects for what
 * happens to files: what was timed until then is kept. The folder is removed however it ends.
 */
export async function runSweep(
  place: SweepPlace,
  plan: SweepPlan,
  folders: RunFolders,
  context: JobContext,
  onSamples: (samples: readonly SweepSample[]) => void,
): Promise<SweepEnd> {
  const { signal } = context
  const gate = pauseGate(context)
  const cache = cacheTally(place.directory)
  const passesTotal = plan.rounds.reduce((sum, round) => sum + round.length, 1)
  const bytesTotal = passesTotal * MOVES * plan.passBytes
  let [bytesDone, passesDone, writtenBytes] = [0, 0, 0]

  const name = folders.begin(place.directory)
  let folder: ReturnType<typeof makeRunFolder>
  try {
    folder = makeRunFolder(place.directory, name)
  } catch (thrown) {
    folders.gone(name)
    throw thrown
  }

  /** One point once: written, read, copied. */
  const pass = async (point: SweepPoint, seed: number): Promise<Record<SweepOperation, number>> => {
    await requireSpace(place, plan.peakBytes, 'sweep band sizes')
    const current = pointName(point)
    const work = (moves: number): LongWork => ({
      signal,
      onProgress: (done) => tell(bytesDone + moves * Math.min(plan.passBytes, done), current),
    })
    const tell = (bytes: number, doing: string): void =>
      context.progress({
        phase: { index: 1, count: 1, name: 'sweeping' },
        filesDone: 0,
        filesTotal: null,
        bytesDone: bytes,
        bytesTotal,
        current: doing,
      })
    const conditions = { folder: folder.path, passBytes: plan.passBytes, requestBytes: place.requestBytes }
    const passes = nativePasses(point, seed, conditions)
    const timed = async (moves: number, run: (with_: LongWork) => Promise<number>): Promise<number> => {
      await gate(signal)
      const ns = await run(work(moves))
      bytesDone += moves * plan.passBytes
      tell(bytesDone, current)
      return ns
    }
    const write = await timed(1, (with_) => passes.write(with_))
    writtenBytes += plan.passBytes
    cache.dropped(await passes.drop({ signal }))
    const before = cache.counted()
    const read = await timed(1, (with_) => passes.read(with_))
    cache.read(plan.passBytes, before)
    cache.dropped(await passes.drop({ signal }))
    const stream = await timed(2, (with_) => passes.stream(with_))
    writtenBytes += plan.passBytes
    passesDone += 1
    return { write, read, stream }
  }

  let error: AppError | null = null
  try {
    // The first pass pays for what later ones find prepared.
    await pass(plan.points[0] as SweepPoint, seedOf(place.seed, 0))
    await emptied(folder.path)
    for (const [round, order] of plan.rounds.entries()) {
      for (const index of order) {
        const point = plan.points[index] as SweepPoint
        const times = await pass(point, seedOf(place.seed, passesDone))
        await emptied(folder.path)
        onSamples(
          Object.entries(times).map(([op, ns]) => ({
            point: index,
            round,
            op: op as SweepOperation,
            bytes: plan.passBytes,
            ns: Math.max(1, ns),
          })),
        )
      }
    }
  } catch (thrown) {
    error = AppError.from(thrown)
  }
  context.pausable(null)
  const notRemoved = folder.remove()
  if (notRemoved === null) folders.gone(name)
  return { ...cache.sums(), writtenBytes, error, notRemoved }
}

/** `UDSB 8 MiB, AES-256`, as people read it. */
function pointName({ kind, encryption, bandBytes }: SweepPoint): string {
  const size = bandBytes === null ? '' : ` ${formatBandSize(bandBytes)}`
  return `${kind}${size}${encryption === null ? '' : `, AES-${encryption}`}`
}

function seedOf(seed: number, pass: number): number {
  return (seed * 1_000_003 + pass) % 2 ** 40
}

/** Removes the two containers of a pass, so that the next one finds the space. */
async function emptied(folder: string): Promise<void> {
  for (const name of ['one', 'other']) {
    for (const ending of ['timed', 'sparsebundle'])
      await rm(fsPath(`${folder}/${name}.${ending}`), { recursive: true, force: true })
  }
}

/** Adds up what is known of the cache; what cannot be known once stays unknown. */
function cacheTally(directory: string) {
  let [droppedBytes, readBytes] = [0, 0]
  let [residentBytes, deviceReadBytes]: [number | null, number | null] = [0, 0]
  const counted = (): number | null => readCounters(directory)?.sectorsRead ?? null
  return {
    counted,
    dropped(pages: { checkedBytes: number; residentBytes: number | null }): void {
      droppedBytes += pages.checkedBytes
      residentBytes =
        residentBytes === null || pages.residentBytes === null ? null : residentBytes + pages.residentBytes
    },
    read(bytes: number, before: number | null): void {
      const after = counted()
      readBytes += bytes
      deviceReadBytes =
        deviceReadBytes === null || before === null || after === null
          ? null
          : deviceReadBytes + (after - before) * SECTOR_BYTES
    },
    sums: () => ({ droppedBytes, residentBytes, readBytes, deviceReadBytes }),
  }
}
