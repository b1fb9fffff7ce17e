import { open, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { WaitingForDisc } from '../../../contract/dto/job'
import type { Drive, WriteRequest, WriteTarget } from '../../../contract/dto/run'
import { discProblem } from '../../../domain/sets/drives/fittingDisc'
import { mediumOfVolume } from '../../../domain/sets/mixedMedia'
import { AppError, type AppErrorCode } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { fileFailure, fsPath } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { flushFile, folderOf } from '../../files/write'
import type { JobContext } from '../../jobs/jobContext'
import type { RunningPipe } from '../../native/pipe'
import { type FoundTool, requireTool } from '../../tools/externalTool'
import { xorriso } from '../../tools/xorriso'
import type { Expected } from '../volume/lists/expectedTree'
import { differenceFailure } from '../volume/open/difference'
import type { PlanFolder } from '../volume/planned/planFolder'
import type { SizedVolume } from '../volume/planned/plannedVolume'
import { burnDisc, type StallLimits } from './burnDisc'
import { BURNERS, type Burner } from './burners'
import { readDiscFile, readDrive } from './drives'
import type { ImageSource } from './imageSource'
import { readBackWritten } from './readBackWritten'
import type { WriteFacts } from './writeFolder'

/**
 * A drive needs so long at most until it shows what was just written; it is looked at this often.
 */
const READABLE_TRIES = 10
const READABLE_EVERY_MS = 3000

/** Failures that another disc does not cure. */
const NOT_OF_THE_DISC: ReadonlySet<AppErrorCode> = new Set([
  'cancelled',
  'changed',
  'vanished',
  'not-found',
  'bad-input',
  'tool-missing',
  'no-space',
  'internal',
  'name-unsupported',
])

/** A file of the source spoiled a disc that was made on the fly: another disc does not help. */
class SourceFailure extends AppError {}

export interface DiscOrder {
  readonly volume: SizedVolume
  readonly expected: ReadonlyMap<string, Expected>
  readonly openSource: () => Promise<ImageSource>
  readonly onWritten: (bytes: number) => void
  readonly onVerified: (bytes: number) => void
  readonly onStart?: (pipe: RunningPipe | null) => void
}

interface WriterOptions {
  readonly plan: PlanFolder['plan']
  readonly target: WriteTarget
  readonly request: Pick<WriteRequest, 'burner' | 'speed' | 'verify' | 'atMost' | 'bufferBytes'>
  readonly limits: StallLimits
  readonly bufferBytes: number
  readonly context: JobContext
  readonly note: (text: string) => void
  readonly usedTool: (name: string) => void
}

/**
 * Writes volumes to the discs of one drive, or to a file that stands in for one. Drive and disc are
 * read before each volume; a disc that does not fit, or that was spoiled, is asked to be changed,
 * or refused where nobody is asked.
 */
export class DiscWriter {
  readonly #options: WriterOptions
  #written = 0

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /**
   * @returns how it was written
   * @throws AppError `refused`, `cannot-fit` for a disc that does not fit where nobody is asked,
   *   `tool-failed`, `verification-failed`, `cancelled`, …
   */
  async write(order: DiscOrder): Promise<WriteFacts> {
    let why: Pick<WaitingForDisc, 'reason' | 'problem'> | null =
      this.#written > 0 ? { reason: 'next', problem: null } : null
    for (;;) {
      const drive = await this.#fitting(order.volume, why)
      try {
        const written = await this.#writeOn(drive, order)
        this.#written += 1
        return written
      } catch (thrown) {
        const failure = AppError.from(thrown)
        if (
          failure instanceof SourceFailure ||
          NOT_OF_THE_DISC.has(failure.code) ||
          this.#options.request.atMost !== null
        )
          throw failure
        why = { reason: 'spoiled', problem: failure.message }
      }
    }
  }

  /** The drive once the disc in it fits the volume. */
  async #fitting(
    volume: SizedVolume,
    first: Pick<WaitingForDisc, 'reason' | 'problem'> | null,
  ): Promise<Drive> {
    const { plan, request, target } = this.#options
    for (let why = first; ; ) {
      if (why !== null) await this.#ask(volume, why)
      const drive = await this.#read()
      const found = discProblem(drive, mediumOfVolume(plan, volume.index), volume.sectors)
      if (found === null) return drive
      if (request.atMost !== null) {
        const code = found.reason === 'too-small' ? 'cannot-fit' : 'refused'
        throw new AppError(code, said`cannot write ${volume.label}: ${found.problem}`, { path: target.path })
      }
      why = found
    }
  }

  async #ask({ label, index }: SizedVolume, why: Pick<WaitingForDisc, 'reason' | 'problem'>): Promise<void> {
    const { plan, target, context } = this.#options
    const volumes = plan.volumes.length
    await context.waitFor({ kind: 'disc', label, volume: index, volumes, drive: target.path, ...why })
  }

  async #read(): Promise<Drive> {
    const { target, context } = this.#options
    if (target.kind === 'file') return readDiscFile(target.path)
    return readDrive(target.path, context.signal)
  }

  async #writeOn({ medium }: Drive, order: DiscOrder): Promise<WriteFacts> {
    const { request, limits, bufferBytes, context, target } = this.#options
    const { volume, expected } = order
    if (medium === null) throw new AppError('internal', 'a disc that fits is there')
    const { burner, tool } = await burnerFor(request.burner, medium, context.signal)
    this.#options.usedTool(burner.name)
    const source = await order.openSource()
    let facts: Pick<WriteFacts, 'sha256' | 'bytes' | 'writeMs' | 'pipe'>
    // What can be erased is only to be written again.
    context.writing({ to: target.path, losesDisc: target.kind === 'file' || !medium.rewritable })
    try {
      facts = await this.#withDevice((device) =>
        burnDisc(source, {
          burner,
          tool,
          device,
          medium,
          label: volume.label,
          sectors: volume.sectors,
          speed: request.speed,
          bufferBytes,
          limits,
          context,
          onBytes: order.onWritten,
          ...(order.onStart ? { onStart: order.onStart } : {}),
        }),
      )
    } catch (thrown) {
      const failure = AppError.from(thrown)
      if (!volume.entries.some((entry) => entry.source === failure.path)) throw failure
      const loss = target.kind === 'drive' && medium.rewritable ? said`must be written again` : said`is lost`
      const message = said`${failure.message}; the disc of ${volume.label}, which was begun, ${loss}`
      throw new SourceFailure(failure.code, message, { path: failure.path as string })
    } finally {
      context.writing({ to: target.path, losesDisc: false })
      order.onStart?.(null)
      await source.close()
    }
    if (target.kind === 'file') await flushFile(target.path)
    if (!request.verify) return { ...facts, verified: false, verifyMs: null }
    const startedMs = context.clock.monotonicMs()
    await this.#readable(volume)
    const reading = { signal: context.signal, onBytes: order.onVerified }
    // A name such as /dev/cdrom leads to the device.
    const device = await realpath(fsPath(target.path), { encoding: 'buffer' }).then(pathFromBytes)
    const written = { kind: 'image' as const, volume, expected, sha256: facts.sha256 }
    const check = await readBackWritten(device, written, reading)
    requireSound(check, volume)
    if (!check.uncached) this.#options.note(readBuffered())
    return { ...facts, verified: true, verifyMs: context.clock.monotonicMs() - startedMs }
  }

  #withDevice<T>(use: (device: string) => Promise<T>): Promise<T> {
    const { kind, path } = this.#options.target
    if (kind === 'drive') return use(path)
    return withToolDirectory(folderOf(path), (folder) => {
      const name = basename(path)
      if (!/[\ud800-\udfff]/u.test(name)) return use(`stdio:${folder === '/' ? '' : folder}/${name}`)
      throw new AppError('name-unsupported', said`cannot use a file whose name is not Unicode as a disc`, {
        path,
      })
    })
  }

  /**
   * Waits until the drive shows the end of what was written; some do so only after the disc was
   * taken out and put in again.
   */
  async #readable(volume: SizedVolume): Promise<void> {
    const { target, context, request } = this.#options
    if (target.kind === 'file') return
    for (;;) {
      for (let tries = 0; tries < READABLE_TRIES; tries++) {
        if (await hasSector(target.path, volume.sectors - 1)) return
        await delay(READABLE_EVERY_MS, undefined, { signal: context.signal }).catch(() => {
          throw new AppError('cancelled', said`cancelled`)
        })
      }
      const problem = `${target.path} does not show what was written: the disc must be taken out and put in again`
      if (request.atMost !== null)
        throw new AppError('io', said`cannot read back ${volume.label}: ${problem}`)
      await this.#ask(volume, { reason: 'reload', problem })
    }
  }
}

/** The note on a disc that was not read back with direct I/O. */
function readBuffered(): string {
  return said`this file system does not support direct reads: what was read back may have come from memory`
}

/**
 * Throws unless the medium holds the planned content. Where it holds exactly the written bytes, the
 * source is damaged and no other disc helps.
 * @throws AppError `changed`, `verification-failed`
 */
function requireSound(
  { differences, isFaithful }: Awaited<ReturnType<typeof readBackWritten>>,
  { label }: SizedVolume,
): void {
  if (differences[0] === undefined) return
  const first = differenceFailure(label, differences[0])
  if (!isFaithful) throw first
  const message = said`cannot write ${label}: its image is not as planned (${first.message}); build it again (--force)`
  throw new AppError('changed', message)
}

async function hasSector(device: string, sector: number): Promise<boolean> {
  await using file = await open(fsPath(device)).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOMEDIUM' || thrown.code === 'EIO') return null
    throw fileFailure(thrown, 'read', device)
  })
  const found = await file?.read(Buffer.alloc(2048), 0, 2048, sector * 2048).catch(() => null)
  return found?.bytesRead === 2048
}

/**
 * The burner that was asked for, or the first one installed that writes such a disc.
 * @throws AppError `tool-missing`, `refused` for one that cannot write it
 */
async function burnerFor(
  wanted: WriteRequest['burner'],
  medium: NonNullable<Drive['medium']>,
  signal: AbortSignal,
): Promise<{ burner: Burner; tool: FoundTool }> {
  const fitting = BURNERS.filter((burner) => burner.takes(medium))
  if (wanted !== null) {
    const burner = fitting.find(({ name }) => name === wanted)
    if (burner) return { burner, tool: await requireTool(burner.tool, signal) }
    throw new AppError('refused', said`cannot write with ${wanted}: it does not write ${medium.name}`)
  }
  for (const burner of fitting) {
    const tool = await burner.tool.find(signal)
    if (tool) return { burner, tool }
  }
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(fitting.map(({ name }) => name))
  throw new AppError('tool-missing', said`cannot find a program that burns: ${names}; ${xorriso.howToGet}`)
}
