import { mkdirSync, unlinkSync } from 'node:fs'
import {
  costOfFile,
  costOfFlush,
  type FileMaking,
  type TimedFiles,
} from '../../../domain/options/cost/fileMaking'
import { medianOf } from '../../../domain/statistics/quantiles'
import { type Clock, systemClock } from '../../../primitives/clock'
import { pathForDisplay } from '../../../primitives/pathText'
import { FactsBack } from '../../files/factsBack'
import { fsPath, joinPath } from '../../files/fileSystem'
import { flushFolder, folderOf } from '../../files/flush'
import { isFolder } from '../../files/folderNames'
import { writeNewFileAtOnce } from '../../files/newFile'
import type { PlaceNotes } from '../../files/placeNotes'
import { moveToFreePlace } from '../../files/replacePlace'
import { lendingFolder } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'

/** A slice is made in one folder. */
const SLICE_FILES = 20
const MOST_SLICES = 20
/** No further slice is begun then; what was made is removed afterwards. */
const BUDGET_MS = 150
/** No further folder is flushed then. */
const FLUSH_BUDGET_MS = 250
const CONTENT = Buffer.alloc(4096, 'Stowage times how long making a file takes. ')
const MTIME_NS = 1_700_000_000_000_000_000n

/**
 * Times how long files take to be made and removed where a plan goes: short ones in a scratch folder of our own, written, named and flushed
 * as a restore does it, at most 400 in about 0.3 s. Null where nothing may be written.
 * @param place a folder, or one that is yet to be made in the nearest folder above it that is there
 * @throws AppError `cancelled`
 */
export async function probeMaking(
  notes: PlaceNotes,
  place: string,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<FileMaking | null> {
  throwIfAborted(signal)
  const folder = nearestFolder(place)
  try {
    return await lendingFolder(notes, joinPath(folder, newId('.stowage-probe')), (scratch) =>
      timedMaking(scratch, `making files as timed in ${pathForDisplay(folder)}`, signal, clock),
    )
  } catch {
    throwIfAborted(signal)
    return null
  }
}

async function timedMaking(
  scratch: string,
  basis: string,
  signal: AbortSignal,
  clock: Clock,
): Promise<FileMaking | null> {
  const pause = pausing(() => throwIfAborted(signal))
  const [made, removed]: [TimedFiles[], TimedFiles[]] = [[], []]
  const facts = new FactsBack()
  const startedMs = clock.monotonicMs()
  for (let slice = 0; slice < MOST_SLICES && clock.monotonicMs() - startedMs < BUDGET_MS; slice++) {
    await pause()
    const folder = joinPath(scratch, `folder-${slice}`)
    const from = (at: number): string => joinPath(scratch, `file-${slice}-${at}`)
    mkdirSync(fsPath(folder))
    made.push(
      timedSlice(clock, (at) => {
        writeNewFileAtOnce(from(at), CONTENT, 0o600)
        facts.put(from(at), { path: '', mode: 0o644, mtimeNs: MTIME_NS, owner: null, attributes: [] })
        moveToFreePlace(from(at), joinPath(folder, String(at)))
      }),
    )
  }
  // As a restore does: the first one brings along what the others then need not wait for.
  const flushes: number[] = []
  for (let slice = 0; slice < made.length && clock.monotonicMs() - startedMs < FLUSH_BUDGET_MS; slice++) {
    const flushedMs = clock.monotonicMs()
    await flushFolder(joinPath(scratch, `folder-${slice}`))
    flushes.push((clock.monotonicMs() - flushedMs) / 1000)
  }
  for (let slice = 0; slice < made.length; slice++) {
    await pause()
    removed.push(
      timedSlice(clock, (at) => unlinkSync(fsPath(joinPath(scratch, `folder-${slice}`, String(at))))),
    )
  }
  const [make, remove] = [costOfFile(made, basis), costOfFile(removed, basis)]
  return make && remove && { make, remove, flushFolder: costOfFlush(flushes.slice(1), basis) }
}

/**
 * The time of a slice: what its files took in the median, so that other programs that had the core meanwhile do not count, but all of
 * its CPU time, as some files cost more than others.
 */
function timedSlice(clock: Clock, work: (at: number) => void): TimedFiles {
  const each: number[] = []
  const cpu = process.threadCpuUsage?.()
  for (let at = 0; at < SLICE_FILES; at++) {
    const startedMs = clock.monotonicMs()
    work(at)
    each.push((clock.monotonicMs() - startedMs) / 1000)
  }
  const used = cpu && process.threadCpuUsage(cpu)
  const cpuSeconds = used ? (used.user + used.system) / 1e6 : 0
  return { files: SLICE_FILES, seconds: Math.max(cpuSeconds, SLICE_FILES * medianOf(each)) }
}

function nearestFolder(place: string): string {
  for (let folder = place; ; folder = folderOf(folder)) {
    if (isFolder(folder) || folderOf(folder) === folder) return folder
  }
}
