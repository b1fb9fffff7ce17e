import { type FileHandle, open, rm } from 'node:fs/promises'
import type { CodecSegment, CodecStep } from '../../domain/devices/runPlan'
import type { Sample } from '../../domain/devices/sampleCollector'
import type { TestSpec } from '../../domain/devices/testSpec'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { CODECS } from '../codecs/codecRegistry'
import { compressed, type FileCodec } from '../codecs/compressStream'
import { attempt, fsPath } from '../files/fileSystem'
import type { JobContext } from '../jobs/jobContext'
import { dropCachedPages } from '../native/containers'
import { makeRunFolder, readCounters } from '../native/timing'
import { compressibleContent } from './compressibleContent'
import type { RunFolders } from './notedFolders'
import { pauseGate } from './pauseGate'
import { requireSpace } from './requireSpace'

const SECTOR_BYTES = 512

interface CodecPlace {
  readonly directory: string
  readonly keepFreeBytes: number
  readonly spec: TestSpec
}

/** The job that a run through a codec is a part of. */
interface CodecRun {
  readonly context: JobContext
  /** When the run began, on the monotonic clock. */
  readonly startedMs: number
  onSample(sample: Sample): void
  /** A step has come so far, from 0 to 1; at 1 it is over. */
  onStep(step: CodecStep, bytes: number, share: number): void
}

/** The bytes moved, and the evidence that the device answered. */
export interface CodecEnd {
  /** Read and compressed. */
  readonly bytes: number
  readonly storedBytes: number
  /** The files before they were compressed, and their compressed copies. */
  readonly writtenBytes: number
  readonly residentBytes: number | null
  readonly checkedBytes: number
  /** Counted by the device while files were compressed; null where nothing counts. */
  readonly device: { readonly readBytes: number; readonly writtenBytes: number } | null
  readonly error: AppError | null
  /** Why its folder could not be removed; null if it was. */
  readonly notRemoved: string | null
}

/**
 * Makes files of compressible content, then reads, compresses and writes each of them. The time of
 * one is from opening it until its compressed copy is flushed; before, the system forgets its
 * pages. Never rejects for what happens to files. The folder is removed however it ends.
 */
export async function runThroughCodec(
  { directory, keepFreeBytes, spec }: CodecPlace,
  segment: CodecSegment,
  folders: RunFolders,
  { context, startedMs, onSample, onStep }: CodecRun,
): Promise<CodecEnd> {
  const { clock, signal } = context
  const { test, repeat, files } = segment
  const codec = fileCodec(segment)
  const gate = pauseGate(context)
  const moved = { bytes: 0, storedBytes: 0, writtenBytes: 0 }
  const resident = { bytes: 0 as number | null, checkedBytes: 0 }
  let device: { readBytes: number; writtenBytes: number } | null = { readBytes: 0, writtenBytes: 0 }
  let error: AppError | null = null
  const name = folders.begin(directory)
  let folder: ReturnType<typeof makeRunFolder>
  try {
    folder = makeRunFolder(directory, name)
  } catch (thrown) {
    folders.gone(name)
    throw thrown
  }
  const pathOf = (file: number): string => `${folder.path}/f${file}.timed`
  const copy = `${folder.path}/packed.timed`
  try {
    const content = compressibleContent()
    for (const [file, { bytes, seed }] of files.entries()) {
      await gate(signal)
      await requireSpace({ directory, keepFreeBytes }, bytes, 'measure')
      const step = { kind: 'prepare', file } as const
      moved.writtenBytes += await written(
        pathOf(file),
        content.pieces(bytes, seed, spec.requestSize),
        signal,
        (done) => onStep(step, bytes, Math.min(0.99, done / bytes)),
      )
      onStep(step, bytes, 1)
    }
    for (const [file, { bytes }] of files.entries()) {
      await gate(signal)
      await requireSpace({ directory, keepFreeBytes }, bytes, 'measure')
      const step = { kind: 'compress', file, codec: segment.codec } as const
      const path = pathOf(file)
      if (!spec.keepCache) {
        const left = await dropCachedPages(path, { signal })
        resident.checkedBytes += bytes
        resident.bytes =
          resident.bytes === null || left.residentBytes === null ? null : resident.bytes + left.residentBytes
      }
      const before = readCounters(directory)
      const startMs = clock.monotonicMs()
      const input = readPieces(path, spec.requestSize, (done) =>
        onStep(step, bytes, Math.min(0.99, done / bytes)),
      )
      const storedBytes = await written(copy, compressed(codec, input, path, bytes), signal)
      const ns = Math.max(1, Math.round((clock.monotonicMs() - startMs) * 1e6))
      const after = readCounters(directory)
      if (device === null || before === null || after === null) device = null
      else
        device = {
          readBytes: device.readBytes + SECTOR_BYTES * (after.sectorsRead - before.sectorsRead),
          writtenBytes: device.writtenBytes + SECTOR_BYTES * (after.sectorsWritten - before.sectorsWritten),
        }
      moved.bytes += bytes
      moved.storedBytes += storedBytes
      moved.writtenBytes += storedBytes
      onSample({ op: 'compress', bytes, ns, transferNs: ns, startMs: startMs - startedMs, test, repeat })
      onStep(step, bytes, 1)
      await rm(fsPath(copy), { force: true })
    }
  } catch (thrown) {
    error = signal.aborted
      ? new AppError('cancelled', said`the measurement was cancelled`)
      : AppError.from(thrown)
  }
  context.pausable(null)
  const notRemoved = folder.remove()
  if (notRemoved === null) folders.gone(name)
  return {
    ...moved,
    residentBytes: resident.bytes,
    checkedBytes: resident.checkedBytes,
    device,
    error,
    notRemoved,
  }
}

function fileCodec({ codec }: CodecSegment): FileCodec {
  const { family, level } = CODECS[codec]
  if (family === 'deflate') return { kind: 'gzip', level }
  return family === 'lz4' ? { kind: 'lz4' } : { kind: 'zstd', level }
}

/** Its pieces are in one buffer, one after another. */
async function* readPieces(
  path: string,
  requestBytes: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const buffer = Buffer.allocUnsafeSlow(requestBytes)
  const file = await attempt('read', path, open(fsPath(path), 'r'))
  try {
    for (let done = 0; ; ) {
      const { bytesRead } = await attempt('read', path, file.read(buffer, 0, requestBytes, done))
      if (bytesRead === 0) return
      done += bytesRead
      yield buffer.subarray(0, bytesRead)
      onBytes(done)
    }
  } finally {
    await file.close()
  }
}

/** Writes a new file and flushes it. @returns its bytes */
async function written(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<number> {
  const file: FileHandle = await attempt('write', path, open(fsPath(path), 'wx'))
  try {
    let bytes = 0
    for await (const piece of pieces) {
      if (signal.aborted) throw new AppError('cancelled', said`cancelled`)
      for (let at = 0; at < piece.length; )
        at += (await attempt('write', path, file.write(piece, at, piece.length - at))).bytesWritten
      bytes += piece.length
      onBytes?.(bytes)
    }
    await attempt('write', path, file.sync())
    return bytes
  } finally {
    await file.close()
  }
}
