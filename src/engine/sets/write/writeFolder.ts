import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { VolumeWrite } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { copyEntries } from '../../files/copyEntries'
import { attemptAtOnce, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { flushFile } from '../../files/flush'
import { lstatAt } from '../../files/folderNames'
import type { PlaceNotes } from '../../files/placeNotes'
import { sha256Of } from '../../files/rangeOf'
import { replacePlace } from '../../files/replacePlace'
import type { JobContext } from '../../jobs/jobContext'
import type { RunningPipe } from '../../native/pipe'
import { readWholeFiles } from '../../native/sectorReading'
import { flushTree } from '../../tools/flushTree'
import { copyPayload, withLinks } from '../build/buildFolder'
import { lendingPartial, makeFolderOf } from '../build/buildPlace'
import type { PlanFolder } from '../planFolder'
import type { SizedVolume } from '../plannedVolume'
import type { Expected } from '../verify/expectedTree'
import { verifyFolder } from '../verify/verifyFolder'
import type { ImageSource } from './imageSource'
import { readBackImage } from './readBackImage'
import { streamThrough } from './streamThrough'

interface FolderOptions {
  readonly notes: PlaceNotes
  /** Replace what is there under the volume's name. */
  readonly again: boolean
  readonly verify: boolean
  readonly bufferBytes: number
  readonly context: Pick<JobContext, 'piped' | 'signal' | 'clock'>
  readonly onWritten: (bytes: number) => void
  readonly onVerified: (bytes: number) => void
  readonly onStart?: (pipe: RunningPipe) => void
}

/** Facts of a volume that is written, but for the time at which it was done. */
export type WriteFacts = Omit<VolumeWrite, 'endedWallMs'>

/** What became of a volume: its facts, or what is wrong with it. */
export type Written = WriteFacts | { readonly failures: readonly AppError[] }

/** Where a volume is put in a folder: under its label. */
export function placeIn(folder: string, label: string, kind: 'image' | 'folder'): string {
  return joinPath(folder, kind === 'image' ? `${label}.iso` : label)
}

/**
 * Writes an image into a folder under its volume's label: next to its place, flushed, read back directly, and renamed into it.
 * An image that is there already and holds what is planned is kept.
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
  if (lstatAt(target) !== null && !options.again) {
    const startedMs = context.clock.monotonicMs()
    const sha256 = await sha256Of({ file: target, offset: 0, bytes }, signal).catch((thrown: unknown) => {
      throw isCancel(thrown) ? thrown : differs(target)
    })
    const checking = { signal, onBytes: options.onVerified }
    const { failures } = await readBackImage(target, volume, expected, sha256, checking)
    if (failures.length > 0) throw differs(target)
    const verifyMs = context.clock.monotonicMs() - startedMs
    return { sha256, bytes, writeMs: 0, verified: true, verifyMs, pipe: null }
  }
  await makeFolderOf(target)
  return lendingPartial(notes, target, async (partial) => {
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
      if (signal.aborted) throw new AppError('cancelled', 'cancelled')
      await source.settled()
      if (sha256 === null || pipe.bytes !== bytes) {
        throw cannot('changed', 'write', target, `the image has ${pipe.bytes} bytes instead of ${bytes}`)
      }
      await flushFile(partial)
      const writeMs = context.clock.monotonicMs() - startedMs
      const checked = await checkedImage(partial, volume, expected, sha256, options)
      if (checked.failures.length > 0) return { failures: checked.failures }
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
  const verified = async (root: string): Promise<readonly AppError[]> => {
    const reading = { root, signal, onBytes: options.onVerified, hash: readWholeFiles }
    return (await verifyFolder(volume, expected, reading)).failures
  }
  const sha256 = await sha256Of(
    { file: joinPath(plan.directory, volume.places.sums), offset: 0, bytes: bytesOf(plan, volume) },
    signal,
  )
  const facts = { sha256, bytes: volume.bytes, pipe: null }
  if (lstatAt(target) !== null && !options.again) {
    const startedMs = context.clock.monotonicMs()
    if ((await verified(target)).length > 0) throw differs(target)
    return { ...facts, writeMs: 0, verified: true, verifyMs: context.clock.monotonicMs() - startedMs }
  }
  await makeFolderOf(target)
  return lendingPartial(notes, target, async (partial) => {
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
      const verifyStartedMs = context.clock.monotonicMs()
      const failures = options.verify ? await verified(partial) : []
      if (failures.length > 0) return { failures }
      await replacePlace(notes, partial, target)
      const verifyMs = options.verify ? context.clock.monotonicMs() - verifyStartedMs : null
      return { ...facts, writeMs, verified: options.verify, verifyMs }
    } catch (thrown) {
      throw fileFailure(thrown, 'write', target)
    }
  })
}

async function checkedImage(
  path: string,
  volume: SizedVolume,
  expected: ReadonlyMap<string, Expected>,
  sha256: string,
  { verify, context, onVerified }: FolderOptions,
): Promise<{ failures: readonly AppError[]; verifyMs: number | null }> {
  if (!verify) return { failures: [], verifyMs: null }
  const startedMs = context.clock.monotonicMs()
  const reading = { signal: context.signal, onBytes: onVerified }
  const { failures } = await readBackImage(path, volume, expected, sha256, reading)
  return { failures, verifyMs: context.clock.monotonicMs() - startedMs }
}

function bytesOf({ directory }: PlanFolder, { places }: SizedVolume): number {
  return Number(lstatAt(joinPath(directory, places.sums))?.size ?? 0)
}

function openNew(path: string): number {
  return attemptAtOnce('write', path, () => openSync(fsPath(path), 'wx'))
}

function differs(path: string): AppError {
  return cannot(
    'exists',
    'write',
    path,
    'it already exists and is not the planned volume; --again replaces it',
  )
}

/** The ring buffer knows sides, not names. */
function inTarget(failure: AppError, target: string): AppError {
  if (!failure.message.startsWith('cannot write the output')) return failure
  const cause = failure.message.replace('cannot write the output: ', '')
  return new AppError(failure.code, `cannot write ${pathForDisplay(target)}: ${cause}`, { path: target })
}

function isCancel(thrown: unknown): boolean {
  return AppError.from(thrown).code === 'cancelled'
}
