import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { discCurve, driveOf } from '../../domain/media/driveRates'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { steadyRate } from '../../domain/media/speedCurve'
import {
  LEAST_BUFFER_BYTES,
  type PipeOptions,
  type PipeProgress,
  startPipe,
  usualBufferBytes,
} from '../../engine/native/pipe'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted, formatShare } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { readArguments } from '../arguments'
import { PIPE } from '../declarations/pipe'
import { formatRate, formatSize } from '../shape/sizes'
import type { Terminal } from '../terminal'
import { shareOf } from './optionDemands'

const [STDIN, STDOUT] = [0, 1]
const NS_A_SECOND = 1e9
const STATUS_MS = 1000
/** The first interval of the fill over time; it doubles whenever there are too many points. */
const FILL_MS = 100
const MOST_FILL_POINTS = 600

interface FillPoint {
  readonly seconds: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly filledBytes: number
}

/**
 * `stowage pipe`. Most of Stowage is loaded only where it is needed: other programs wait for the
 * stream meanwhile.
 */
export async function pipeCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, PIPE)
  if (positionals.length > 0)
    throw new AppError('usage', `pipe reads stdin and writes stdout: "${positionals[0]}" is neither`)
  if (out.json) throw new AppError('usage', 'pipe writes its data to stdout: use --stats FILE for JSON')
  const statsFile = values.stats === undefined ? null : absolutePath(values.stats)
  if (statsFile !== null && existsSync(statsFile) && !values.force)
    throw new AppError('exists', `cannot write ${pathForDisplay(statsFile)}: it exists (--force replaces it)`)
  const bufferBytes = bufferOf(values.buffer)
  const startBytes = Math.round(bufferBytes * shareOf(values.start, '--start'))
  const lowBytes = Math.round(bufferBytes * shareOf(values.low, '--low'))
  if (lowBytes > startBytes)
    throw new AppError('usage', '--low must not be above --start, or writing would pause at once again')
  const bytesPerSecond = values.rate === undefined ? null : rateOf(values.rate)
  const disc = values.medium === undefined ? null : await discOf(values.medium, values.speed)
  if (values.speed !== undefined && disc === null)
    throw new AppError('usage', '--speed needs --medium, such as dvd-r')
  if (bytesPerSecond !== null && disc !== null) throw new AppError('usage', 'give either --rate or --medium')
  const paces = disc?.curve ?? (bytesPerSecond === null ? [] : steadyRate(bytesPerSecond))

  const options = { input: STDIN, output: STDOUT, bufferBytes, startBytes, lowBytes, paces }
  const { end, fill, last } = await followed(options, out)
  out.clear()
  if (!values.quiet) out.notes(summary(last, bufferBytes))
  if (statsFile !== null) {
    const { medium = null, speed = null } = disc ?? {}
    const limits = { bufferBytes, startBytes, lowBytes, bytesPerSecond, medium, speed }
    const document = { schema: 'stowage.pipe/1', end, ...limits, ...figuresOf(last), fill }
    const { openSession } = await import('../session')
    await using session = openSession(out)
    await session.saveFile(statsFile, values.force, () => [`${JSON.stringify(document, null, 2)}\n`])
  }
  if (end === 'cancelled') throw new AppError('cancelled', 'pipe cancelled')
  if (end === 'done') return EXIT.done
  const unread = formatSize(last.bytesIn - last.bytesOut)
  out.note(`stowage: the program that reads the output has ended; ${unread} in the buffer were not written`)
  return EXIT.readerGone
}

/** Runs a pipe to its end, shows the state once a second, and cancels at Ctrl-C. */
async function followed(options: PipeOptions, out: Terminal) {
  // Before it starts: whoever sees the first bytes may interrupt at once.
  const cancel = (): void => pipe.cancel()
  process.on('SIGINT', cancel)
  process.on('SIGTERM', cancel)
  const pipe = startPipe(options)
  const fill: FillPoint[] = []
  let [intervalMs, shownNs, shown] = [FILL_MS, 0, pipe.progress()]
  let timer: NodeJS.Timeout
  const look = (): void => {
    const now = pipe.progress()
    fill.push(pointOf(now))
    if (fill.length >= MOST_FILL_POINTS) {
      intervalMs *= 2
      for (let at = 1; at < fill.length; at++) fill.splice(at, 1)
    }
    if (now.ns - shownNs >= STATUS_MS * 1e6) {
      out.status(statusText(shown, now, options.bufferBytes))
      shownNs = now.ns
      shown = now
    }
    timer = setTimeout(look, intervalMs)
  }
  timer = setTimeout(look, intervalMs)
  try {
    const end = await pipe.finished
    const last = pipe.progress()
    fill.push(pointOf(last))
    return { end, fill, last }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', cancel)
    process.off('SIGTERM', cancel)
  }
}

/** The size of a ring buffer as a person gives it. @throws AppError `usage` */
export function bufferOf(text: string | undefined): number {
  if (text === undefined) return usualBufferBytes()
  const bytes = parseSize(text)
  if (bytes < LEAST_BUFFER_BYTES)
    throw new AppError('usage', `a buffer of ${text} is too small: 64KiB or more`)
  if (bytes > totalmem())
    throw new AppError('usage', `a buffer of ${text} is larger than the memory, ${formatSize(totalmem())}`)
  return bytes
}

function rateOf(text: string): number {
  const bytes = parseSize(text.replace(/\/s$/, ''))
  if (bytes < 1) throw new AppError('usage', `--rate takes a rate such as 18MB/s, not "${text}"`)
  return bytes
}

/** How fast a usual drive writes a disc along its bytes. */
async function discOf(mediumId: string, label: string | undefined) {
  const { mediaCatalogue } = await import('../../engine/media/mediaCatalogue')
  const medium = resolveMedium(mediaCatalogue, mediumId)
  const drive = driveOf(mediaCatalogue, medium.id)
  if (!drive) throw new AppError('usage', `--medium takes a disc such as dvd-r, not "${mediumId}"`)
  const speed = label === undefined ? drive.drive.write.speed : Number(label.replace(/x$/i, ''))
  if (!(speed > 0 && speed <= 100))
    throw new AppError('usage', `--speed takes a speed such as 6, not "${label}"`)
  return { medium: medium.id, speed, curve: discCurve(drive, 'write', medium.capacityBytes, speed) }
}

const rateBetween = (bytes: number, ns: number): string => formatRate(ns > 0 ? (bytes * NS_A_SECOND) / ns : 0)

/** `in 812 MB/s, out 18.0 MB/s, 1.20 GB, buffer 93 % full`. */
function statusText(before: PipeProgress, now: PipeProgress, bufferBytes: number): string {
  const ns = now.ns - before.ns
  const rates = `in ${rateBetween(now.bytesIn - before.bytesIn, ns)}, out ${rateBetween(now.bytesOut - before.bytesOut, ns)}`
  return `${rates}, ${formatSize(now.bytesOut)}, buffer ${formatShare(now.filled / bufferBytes)} full`
}

/**
 * The summary at the end: the amount and rate, the waits of each side, and the fill of the buffer.
 */
function summary(last: PipeProgress, bufferBytes: number): string[] {
  const seconds = formatDuration(last.ns / 1e6)
  const waited = ({ ns, stalls }: PipeProgress['full']): string =>
    `${formatDuration(ns / 1e6)} (${formatCounted(stalls, 'stall')})`
  const lock = last.locked ? 'kept in memory' : 'not locked in memory'
  return [
    `Passed ${formatSize(last.bytesOut)} in ${seconds}: ${rateBetween(last.bytesOut, last.ns)}.`,
    `  output waited for input ${waited(last.empty)}; input waited for output ${waited(last.full)}`,
    `  buffer ${formatSize(bufferBytes, 'binary')}, ${lock}: ${formatShare(last.leastFilled / bufferBytes)} to ` +
      `${formatShare(last.mostFilled / bufferBytes)} full before the input ended`,
  ]
}

function figuresOf({ bytesIn, bytesOut, ns, leastFilled, mostFilled, full, empty, locked }: PipeProgress) {
  const waiting = (side: PipeProgress['full']) => ({
    waitedSeconds: side.ns / NS_A_SECOND,
    stalls: side.stalls,
  })
  return {
    bytesIn,
    bytesOut,
    seconds: ns / NS_A_SECOND,
    leastFilledBytes: leastFilled,
    mostFilledBytes: mostFilled,
    input: waiting(full),
    output: waiting(empty),
    locked,
  }
}

function pointOf({ ns, bytesIn, bytesOut, filled }: PipeProgress): FillPoint {
  return { seconds: ns / NS_A_SECOND, bytesIn, bytesOut, filledBytes: filled }
}
