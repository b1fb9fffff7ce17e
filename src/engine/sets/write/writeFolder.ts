import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { VolumeWrite } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { copyEntries } from '../../files/copy'
import { attemptAtOnce, cannot, fileFailure, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import { requireFileSize } from '../../files/largestFile'
import { replacePlace } from '../../files/place'
import { sha256Of } from '../../files/read'
import type { PlaceNotes } from '../../files/scratch'
import { ensureFolder, flushFile, folderOf } from '../../files/write'
import type { JobContext } from '../../jobs/jobContext'
import type { RunningPipe } from '../../native/pipe'
import { flushTree } from '../../tools/flushTree'
import { copyPayload, withLinks } from '../building/buildFolder'
import { withPartialPath } from '../building/buildPlace'
import type { OnVolumeWork } from '../runs/volumeProgress'
import type { Expected } from '../volume/lists/expectedTree'
import { type Difference, differenceFailure } from '../volume/open/difference'
import type { PlanFolder } from '../volume/planned/planFolder'
import { placeIn, type SizedVolume } from '../volume/planned/plannedVolume'
import type { ImageSource } from './imageSource'
import { readBackWritten, type WrittenVolume } from './readBackWritten'
import { streamThrough } from './streamThrough'

interface FolderOptions {
  readonly notes: PlaceNotes
  /** Replace what is there under the volume's name, which is known to be replaceable. */
  readonly again: boolean
  /** Tells if what is at a path may be replaced by the volume. */
  readonly isReplaceable: (path: string) => Promise<boolean>
  readonly verify: boolean
  readonly bufferBytes: number
  readonly context: Pick<JobContext, 'piped' | 'signal' | 'clock'>
  /** Takes the bytes done, and the files where they are counted. */
  readonly onWritten: OnVolumeWork
  readonly onVerified: OnVolumeWork
  readonly onStart?: (pipe: RunningPipe) => void
}

/** Facts of a volume that is written, but for the time at which it was done. */
export type WriteFacts = Omit<VolumeWrite, 'endedWallMs'>

/** The outcome of a volume: its facts, or its failures. */
export type Written = WriteFacts | { readonly failures: readonly AppError[] }

/**
 * Writes an image into a folder under its volume's label: next to its place, flushed, read back
 * directly, and renamed into it. An image that is there already and holds what is planned is kept.
 * @throws AppError `exists` for another one, `no-space`, `changed`, `cancelled`, …
 */
export async function writeImageTo(
  folder: string,
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  openSource: () => Promise<ImageSource>,
  options: FolderOptions,
): Promise<Written> {
  const target = placeIn(folder, volume.label, 'image')
  const bytes = volume.sectors * 2048
  const { context, notes } = options
  const { signal } = context
  const written = { kind: 'image' as const, volume, expected, sha256: null }
  if (lstatAt(target) !== null && !options.again) {
    const { sha256, verifyMs } = await kept(target, written, options)
    // An image of its size has a digest.
    return { sha256: sha256 as string, bytes, writeMs: 0, verified: true, verifyMs, pipe: null }
  }
  ensureFolder(folderOf(target))
  await requireFileSize(folderOf(target), target, bytes)
  return withPartialPath(notes, target, async (partial) => {
    const startedMs = context.clock.monotonicMs()
    const source = await openSource()
    try {
      const { sha256, pipe } = await streamThrough({
        input: source.input,
        output: openNew(partial),
        bufferBytes: options.bufferBytes,
        bytes,
        context,
        onLook: ({ bytesOut }) => options.onWritten(bytesOut),
        ...(options.onStart ? { onStart: options.onStart } : {}),
      }).catch((thrown: unknown) => {
        throw inTarget(AppError.from(thrown), target)
      })
      if (signal.aborted) throw new AppError('cancelled', said`cancelled`)
      await source.settled()
      if (sha256 === null || pipe.bytes !== bytes) {
        throw cannot('changed', 'write', target, said`the image has ${pipe.bytes} bytes instead of ${bytes}`)
      }
      await flushFile(partial)
      const writeMs = context.clock.monotonicMs() - startedMs
      const checked = await readBack(partial, { ...written, sha256 }, options)
      if (checked.differences.length > 0) return failed(volume, checked.differences)
      await replacePlace(notes, partial, target)
      return { sha256, bytes, writeMs, verified: options.verify, verifyMs: checked.verifyMs, pipe }
    } catch (thrown) {
      throw fileFailure(thrown, 'write', target)
    } finally {
      await source.close()
    }
  })
}

/**
 * Copies a built folder volume into a folder under its label, as `writeImageTo` does with an image.
 * @throws AppError as `writeImageTo`
 */
export async function writeFolderTo(
  folder: string,
  plan: PlanFolder,
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  options: FolderOptions,
): Promise<Written> {
  const target = placeIn(folder, volume.label, 'folder')
  const from = joinPath(plan.directory, volume.places.folder)
  const { context, notes } = options
  const { signal } = context
  const written = { kind: 'folder' as const, volume, expected, sha256: null }
  const sha256 = await sha256Of(
    { file: joinPath(plan.directory, volume.places.sums), offset: 0, bytes: bytesOf(plan, volume) },
    signal,
  )
  const facts = { sha256, bytes: volume.bytes, pipe: null }
  if (lstatAt(target) !== null && !options.again) {
    const { verifyMs } = await kept(target, written, options)
    return { ...facts, writeMs: 0, verified: true, verifyMs }
  }
  ensureFolder(folderOf(target))
  const [largest] = volume.entries
    .flatMap((entry) => ('bytes' in entry ? [{ path: entry.path, bytes: entry.bytes }] : []))
    .toSorted((one, other) => other.bytes - one.bytes)
  if (largest) await requireFileSize(folderOf(target), joinPath(target, largest.path), largest.bytes)
  return withPartialPath(notes, target, async (partial) => {
    try {
      const startedMs = context.clock.monotonicMs()
      await mkdir(fsPath(partial))
      const entries = volume.entries.map((entry) => {
        const source = joinPath(from, entry.path)
        // A part of a split file is a file of its own on the volume.
        return entry.kind === 'part' ? { ...entry, source, kind: 'file' as const } : { ...entry, source }
      })
      await copyEntries(plan.plan.equalFiles ? withLinks(entries) : entries, partial, {
        signal,
        onBytes: options.onWritten,
      })
      await copyPayload(joinPath(from, volume.payloadName), joinPath(partial, volume.payloadName))
      await flushTree(partial, signal)
      const writeMs = context.clock.monotonicMs() - startedMs
      const checked = await readBack(partial, written, options)
      if (checked.differences.length > 0) return failed(volume, checked.differences)
      await replacePlace(notes, partial, target)
      return { ...facts, writeMs, verified: options.verify, verifyMs: checked.verifyMs }
    } catch (thrown) {
      throw fileFailure(thrown, 'write', target)
    }
  })
}

/** Reads back what was written, where that is asked for. */
async function readBack(
  path: string,
  written: WrittenVolume,
  { verify, context: { signal, clock }, onVerified }: FolderOptions,
): Promise<{ differences: readonly Difference[]; verifyMs: number | null }> {
  if (!verify) return { differences: [], verifyMs: null }
  const startedMs = clock.monotonicMs()
  const { differences } = await readBackWritten(path, written, { signal, onBytes: onVerified })
  return { differences, verifyMs: clock.monotonicMs() - startedMs }
}

/**
 * Reads back what was there before.
 * @throws AppError `exists` where it is not the volume
 */
async function kept(
  path: string,
  written: WrittenVolume,
  options: FolderOptions,
): Promise<{ sha256: string | null; verifyMs: number }> {
  const { context, onVerified } = options
  const startedMs = context.clock.monotonicMs()
  const watch = { signal: context.signal, onBytes: onVerified }
  const { differences, sha256 } = await readBackWritten(path, written, watch)
  if (differences.length > 0) throw await differs(path, options)
  return { sha256, verifyMs: context.clock.monotonicMs() - startedMs }
}

function bytesOf({ directory }: PlanFolder, { places }: SizedVolume): number {
  return Number(lstatAt(joinPath(directory, places.sums))?.size ?? 0)
}

function failed({ label }: SizedVolume, differences: readonly Difference[]): Written {
  return { failures: differences.map((difference) => differenceFailure(label, difference)) }
}

function openNew(path: string): number {
  return attemptAtOnce('write', path, () => openSync(fsPath(path), 'wx'))
}

async function differs(path: string, { isReplaceable }: FolderOptions): Promise<AppError> {
  const because = (await isReplaceable(path))
    ? said`it already exists and is not the planned volume; --again replaces it`
    : said`it already exists and is not the planned volume; choose another folder`
  return cannot('exists', 'write', path, because)
}

/** The ring buffer knows sides, not names. */
function inTarget(failure: AppError, target: string): AppError {
  if (!failure.message.startsWith('cannot write the output')) return failure
  const cause = failure.message.replace('cannot write the output: ', '')
  return new AppError(failure.code, said`cannot write ${pathForDisplay(target)}: ${cause}`, { path: target })
}
