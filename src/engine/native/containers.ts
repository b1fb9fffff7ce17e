import { setTimeout as delay } from 'node:timers/promises'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { loadAddon } from './loadAddon'
import { finishedWork } from './nativeWork'
import type {
  ContainerInfo,
  ContainerKind,
  EncryptionFacts,
  RawContainer,
  RawContainerJob,
  RawContainerWish,
  VerifyReport,
} from './rawContainers'

export type { ContainerInfo, ContainerKind, EncryptionFacts } from './rawContainers'

/** Rounds of PBKDF2 unless asked otherwise; macOS is seen to use 344,827 to 625,000. */
export const DEFAULT_ROUNDS = 600_000

export interface ContainerEncryption {
  readonly keyBits: 128 | 256
  /**
   * The bytes of the password; whoever made the buffer overwrites it. Never a string, which could
   * not be.
   */
  readonly password: Uint8Array
  readonly rounds?: number
}

export interface ContainerWish {
  readonly kind: ContainerKind
  /** The size of the disk; a multiple of 512. Ignored when converting. */
  readonly bytes: number
  /** Default: 1 MiB for a sparse image, 8 MiB for a sparse bundle. */
  readonly bandBytes?: number
  readonly encryption?: ContainerEncryption
}

export interface LongWork {
  /** At most ten times a second; `total` is 0 until it is known. */
  onProgress?(bytesDone: number, bytesTotal: number): void
  readonly signal?: AbortSignal
}

/**
 * An open container. Calls are carried out in the order they are made, off this thread. Until
 * `flush` has settled what was written may be lost when the machine stops, but never what was there
 * before, nor the container.
 */
export interface OpenContainer {
  info(): Promise<ContainerInfo>
  read(offset: number, length: number): Promise<Buffer>
  /** The bytes must stay as they are until it settles. */
  write(offset: number, bytes: Uint8Array): Promise<void>
  flush(): Promise<void>
  /** @throws AppError `cannot-fit`, changing nothing, if there is data beyond the new size */
  resize(bytes: number, work?: LongWork): Promise<void>
  compact(work?: LongWork): Promise<void>
  verify(work?: LongWork): Promise<VerifyReport>
  /**
   * Goes over the whole disk once, natively; content that is written is random and made before the
   * clock starts.
   */
  timePass(plan: PassPlan, work?: LongWork): Promise<{ nanoseconds: number }>
  /**
   * The same over ranges of the disk, one after another; the time of each in nanoseconds, its flush
   * included.
   */
  timeRanges(plan: PassPlan, ranges: readonly DiskRange[], work?: LongWork): Promise<readonly number[]>
  /** Flushes and lets others in. */
  close(): Promise<void>
}

export interface DiskRange {
  readonly offset: number
  readonly bytes: number
}

export interface PassPlan {
  readonly writes: boolean
  /** 1 byte to 64 MiB. */
  readonly requestBytes: number
  /** When writing: after how many bytes it is flushed, 0 for at the end of a range only. */
  readonly flushBytes?: number
  readonly seed?: number
}

/**
 * Makes an empty container. A failure leaves nothing, a process that is killed a part of it: what
 * is to stay is made under another name first.
 * @throws AppError `exists`, `usage`, `no-space` and those of the file system
 */
export async function createContainer(path: string, wish: ContainerWish, work: LongWork = {}): Promise<void> {
  await settled(`create ${pathForDisplay(path)}`, work, () =>
    loadAddon().createContainer(pathToBytes(path), rawWish(wish)),
  )
}

/**
 * Opens a container of any kind; a file without a signature is a read-write image, so ask
 * `requireKnownImage` before.
 * @throws AppError `wrong-password` (also when one is needed), `bad-input`, `refused` when it is
 *   in use or not supported
 */
export async function openContainer(
  path: string,
  options: { readonly writable?: boolean; readonly password?: Uint8Array } = {},
): Promise<OpenContainer> {
  const raw = await settled(`open ${pathForDisplay(path)}`, {}, () =>
    loadAddon().openContainer(pathToBytes(path), options.writable ?? false, options.password ?? null),
  )
  return opened(path, raw)
}

/** How often the system is asked to forget pages, with 1 ms, 2 ms, … between. */
const MOST_DROPS = 5

/**
 * Asks the system to forget what it holds of the content of a file or container that nobody writes
 * to, so that reading it comes from the device. Pages that read-ahead still brings in cannot be
 * dropped yet: it is asked again, and what stays then counts.
 * @returns how many bytes that concerned, and how many of them it still holds (null where it does
 *   not report it)
 */
export async function dropCachedPages(
  path: string,
  work: LongWork = {},
): Promise<{ readonly checkedBytes: number; readonly residentBytes: number | null }> {
  for (let attempt = 1; ; attempt++) {
    const left = await settled(`read ${pathForDisplay(path)}`, work, () =>
      loadAddon().dropCachedPages(pathToBytes(path)),
    )
    if (!left.residentBytes || attempt === MOST_DROPS) return left
    await delay(attempt)
  }
}

/** How a container is encrypted, without its password; null if it is not. */
export async function containerEncryption(path: string): Promise<EncryptionFacts | null> {
  return settled(`read ${pathForDisplay(path)}`, {}, () => loadAddon().containerEncryption(pathToBytes(path)))
}

/**
 * Changes the password without touching the data; at every moment one of the two opens it.
 * @throws AppError `wrong-password`, `usage` when it is not encrypted
 */
export async function changeContainerPassword(
  path: string,
  before: Uint8Array,
  after: Uint8Array,
  rounds = DEFAULT_ROUNDS,
): Promise<void> {
  await settled(`change the password of ${pathForDisplay(path)}`, {}, () =>
    loadAddon().changeContainerPassword(pathToBytes(path), before, after, rounds),
  )
}

/**
 * Makes another container with the same disk; the source is only read. A failure leaves no target,
 * a process that is killed a part of it: what is to stay is made under another name first.
 * @param level of zlib for a read-only image, 1 (as macOS) to 9
 */
export async function convertContainer(
  source: string,
  target: string,
  wish: Omit<ContainerWish, 'bytes'>,
  options: LongWork & { readonly sourcePassword?: Uint8Array; readonly level?: number } = {},
): Promise<void> {
  await settled(`convert ${pathForDisplay(source)} to ${pathForDisplay(target)}`, options, () =>
    loadAddon().convertContainer(
      pathToBytes(source),
      options.sourcePassword ?? null,
      pathToBytes(target),
      rawWish({ ...wish, bytes: 0 }),
      options.level ?? 1,
    ),
  )
}

/**
 * Gives a sparse bundle bands of another size, in place. A second bundle is built next to it and
 * takes its name in one step, so the stored bands' space is needed once more.
 * @param beside a free path in the same folder; a process that is killed may leave something
 *   there that nobody needs
 * @throws AppError `no-space` before anything is written, `usage` for sizes that cannot be
 */
export async function rebandBundle(
  path: string,
  beside: string,
  bandBytes: number,
  options: LongWork & { readonly password?: Uint8Array } = {},
): Promise<void> {
  await settled(`change the bands of ${pathForDisplay(path)}`, options, () =>
    loadAddon().rebandBundle(pathToBytes(path), pathToBytes(beside), options.password ?? null, bandBytes),
  )
}

function rawWish(wish: ContainerWish): RawContainerWish {
  return {
    kind: wish.kind,
    bytes: wish.bytes,
    bandBytes: wish.bandBytes ?? 0,
    password: wish.encryption?.password ?? null,
    keyBits: wish.encryption?.keyBits ?? 0,
    rounds: wish.encryption?.rounds ?? DEFAULT_ROUNDS,
  }
}

function opened(path: string, raw: RawContainer): OpenContainer {
  const name = pathForDisplay(path)
  let last: Promise<unknown> = Promise.resolve()
  /** Native jobs run on threads of their own: each starts when the one before has ended. */
  const next = <T>(verb: string, start: () => RawContainerJob<T>, work: LongWork = {}): Promise<T> => {
    const done = last.then(() => settled(`${verb} ${name}`, work, start))
    last = done.catch(() => {})
    return done
  }
  const pass = (
    { writes, requestBytes, flushBytes = 0, seed = 1 }: PassPlan,
    ranges: Float64Array | null,
    work?: LongWork,
  ) =>
    next(writes ? 'write to' : 'read', () => raw.pass(writes, requestBytes, flushBytes, seed, ranges), work)
  return {
    info: () => next('read', () => raw.info()),
    read: (offset, length) => next('read', () => raw.read(offset, length)),
    write: (offset, bytes) => next('write to', () => raw.write(offset, bytes)),
    flush: () => next('write to', () => raw.flush()),
    resize: (bytes, work) => next('resize', () => raw.resize(bytes), work),
    compact: (work) => next('compact', () => raw.compact(), work),
    verify: (work) => next('verify', () => raw.verify(), work),
    timePass: async (plan, work) => ({ nanoseconds: (await pass(plan, null, work))[0] ?? 0 }),
    timeRanges: async (plan, ranges, work) => [
      ...(await pass(plan, Float64Array.from(ranges.flatMap(({ offset, bytes }) => [offset, bytes])), work)),
    ],
    close: () => next('close', () => raw.close()),
  }
}

/**
 * Carries out a native job with progress and cancel; its failure becomes an AppError that names the
 * object.
 */
async function settled<T>(what: string, work: LongWork, start: () => RawContainerJob<T>): Promise<T> {
  const { signal } = work
  if (signal?.aborted) throw new AppError('cancelled', said`cannot ${what}: it was cancelled`)
  try {
    const job = start()
    const look = work.onProgress && (() => work.onProgress?.(job.bytesDone(), job.bytesTotal()))
    return await finishedWork(job, signal, look)
  } catch (cause) {
    if (cause instanceof AppError || !(cause instanceof Error)) throw cause
    const code = (cause as Error & { code?: AppErrorCode }).code
    // A wrong argument is the caller's: a number that is not a size.
    if (cause instanceof TypeError)
      throw new AppError('usage', said`cannot ${what}: ${cause.message}`, { cause })
    if (code === undefined) throw cause
    throw new AppError(code, said`cannot ${what}: ${cause.message}`, { cause })
  }
}
