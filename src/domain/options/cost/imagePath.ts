import { type Estimate, exact } from '../../../primitives/estimate'
import { formatBandSize } from '../../../primitives/quantity'
import type { BandSweepDocument, BandSweepPoint, SweepRate } from '../../devices/bands/sweepDocument'
import type { OptionFacts } from '../facts'
import type { OptionEncryption as Encryption } from '../optionsDocument'
import { estimateOf, quotient, type Span, sumTogether } from './estimateParts'
import type { MacImageKind } from './macImages'

/** A disk image that bytes are written and read through: its kind, and its bands where it has some. */
export interface ImageVariant {
  readonly kind: MacImageKind
  readonly bandBytes: number | null
}

/** What one byte costs on its way through a disk image, in seconds, with what the disk below takes. */
export interface ImagePath {
  readonly write: Estimate
  readonly read: Estimate
  /** Whether a band sweep of the disk timed it: then making and opening the bands is in the figures. */
  readonly isMeasured: boolean
}

type Direction = 'write' | 'read'

const PUBLISHED =
  'assumed from published tests (H. Oakley, The Eclectic Light Company: on an SSD of 3.2 GB/s UDSB nearly as fast, UDRW up to 1 GB/s, UDSP 0.08 to 2.0 GB/s and encrypted 0.08 to 0.5; ASIF 6.6 GB/s and encrypted 4.6): run "stowage bands" to measure'

/**
 * Nanoseconds for each byte in addition to the disk's own, from the rates above: 1/1.0 - 1/3.2 for UDRW, and so on. Where only a range
 * was published, the value is that of its geometric mean.
 */
const ADDED_NS: Readonly<Record<MacImageKind, Readonly<Record<Direction, Span>>>> = {
  udsb: { write: { value: 0.02, low: 0, high: 0.2 }, read: { value: 0.02, low: 0, high: 0.2 } },
  asif: { write: { value: 0.02, low: 0, high: 0.2 }, read: { value: 0.02, low: 0, high: 0.2 } },
  udrw: { write: { value: 0.69, low: 0.05, high: 1.4 }, read: { value: 0.05, low: 0, high: 0.69 } },
  udsp: { write: { value: 2.2, low: 0.2, high: 12.2 }, read: { value: 2.2, low: 0.2, high: 12.2 } },
}

/** What encryption adds to that: of ASIF 1/4.6 - 1/6.6, of UDSP 1/0.2 - 1/0.4; the upper end of the others is a Mac without AES in its CPU. */
const AES_NS: Readonly<Record<'udsp' | 'others', Span>> = {
  udsp: { value: 2.5, low: 0.1, high: 6 },
  others: { value: 0.07, low: 0.03, high: 1.5 },
}

/**
 * What the way through a disk image costs: as a band sweep of the target's disk timed it, else as published tests let expect. With
 * nothing measured a sparse bundle is faster than a read-write image, that is faster than a sparse image, and encryption slows all.
 */
export function imagePath(
  { target, sweep }: Pick<OptionFacts, 'target' | 'sweep'>,
  { kind, bandBytes }: ImageVariant,
  encryption: Encryption,
): ImagePath {
  const measured = sweep ? measuredPath(sweep, kind, bandBytes, encryption) : null
  if (measured) return measured
  const plain = sweep && encryption !== 'none' ? measuredPath(sweep, kind, bandBytes, 'none') : null
  const way = (direction: Direction): Estimate => {
    const rate = direction === 'write' ? target.writeBytesPerSecond : target.readBytesPerSecond
    const parts = plain
      ? [plain[direction]]
      : [
          quotient(exact(1, 'one byte'), rate, rate.basis),
          estimateOf(inSeconds(ADDED_NS[kind][direction]), 'assumed', PUBLISHED),
        ]
    if (encryption !== 'none')
      parts.push(estimateOf(inSeconds(AES_NS[kind === 'udsp' ? 'udsp' : 'others']), 'assumed', PUBLISHED))
    return sumTogether(parts, plain ? `${plain[direction].basis}; encryption ${PUBLISHED}` : PUBLISHED)
  }
  return { write: way('write'), read: way('read'), isMeasured: plain !== null }
}

function inSeconds({ value, low, high }: Span): Span {
  return { value: value * 1e-9, low: low * 1e-9, high: high * 1e-9 }
}

const SWEPT = { udsb: 'UDSB', udsp: 'UDSP', udrw: 'UDRW', asif: null } as const
const KEY_BITS = { none: null, 'aes-128': 128, 'aes-256': 256 } as const

function measuredPath(
  sweep: BandSweepDocument,
  kind: MacImageKind,
  bandBytes: number | null,
  encryption: Encryption,
): ImagePath | null {
  const swept = SWEPT[kind]
  if (swept === null || !sweep.request.kinds.includes(swept)) return null
  // The raw file of the sweep is a read-write image.
  const points = [sweep.reference, ...sweep.points].filter(
    (point) => point.kind === swept && point.encryption === KEY_BITS[encryption],
  )
  const point = nearest(points, bandBytes)
  if (!point?.write || !point.read) return null
  const size = point.bandSize === null ? '' : `, bands of ${formatBandSize(point.bandSize)}`
  const guarded = encryption === 'none' ? '' : `, ${encryption.toUpperCase()}`
  const basis = `band sweep ${sweep.id} on this disk: ${swept}${size}${guarded}`
  return { write: secondsOf(point.write, basis), read: secondsOf(point.read, basis), isMeasured: true }
}

/** The point with the most similar bands; a sweep has a dozen sizes, and a bundle any. */
function nearest(points: readonly BandSweepPoint[], bandBytes: number | null): BandSweepPoint | undefined {
  const away = ({ bandSize }: BandSweepPoint): number =>
    bandSize === null || bandBytes === null ? 0 : Math.abs(Math.log(bandSize / bandBytes))
  return points.toSorted((one, other) => away(one) - away(other))[0]
}

/** A rate without a range has too few repeats for one. */
const FEW_REPEATS = 0.5

function secondsOf({ value, low, high }: SweepRate, basis: string): Estimate {
  const rate = { value, low: low ?? value * (1 - FEW_REPEATS), high: high ?? value * (1 + FEW_REPEATS) }
  return quotient(exact(1, 'one byte'), estimateOf(rate, 'measured', basis), basis)
}
