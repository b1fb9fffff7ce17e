import { containerName } from '../../../primitives/containerName'
import { type Estimate, exact, type Span } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { BandSweepDocument, BandSweepPoint, SweepRate } from '../../devices/bands/sweepDocument'
import type { ContainerRates, OptionFacts } from '../facts'
import type { OptionEncryption as Encryption } from '../optionsDocument'
import type { ImageVariant, MacImageKind } from '../recipes/macImage'
import { estimateOf, quotient, sumTogether } from './estimateParts'
import { type WaitName, waitTime } from './rates'

/**
 * The time of one byte on its way through a disk image, in seconds, with that of the disk below.
 */
export interface ImagePath {
  readonly write: Estimate
  readonly read: Estimate
  /**
   * True when a band sweep of the disk, or a measurement inside such a container, timed it: then
   * making and opening the bands is in the figures.
   */
  readonly isMeasured: boolean
}

type Direction = 'write' | 'read'

const PUBLISHED = said`assumed from published tests (H. Oakley, The Eclectic Light Company: on an SSD of 3.2 GB/s UDSB nearly as fast, UDRW up to 1 GB/s, UDSP 0.08 to 2.0 GB/s and encrypted 0.08 to 0.5; ASIF 6.6 GB/s and encrypted 4.6): run "stowage bands" or "stowage measure --in" to measure`

/**
 * The time of the way through a disk image: as a band sweep of the target's disk or a measurement
 * inside such a container timed it, else as published tests suggest. With nothing measured a sparse
 * bundle is faster than a read-write image, that is faster than a sparse image, and encryption
 * slows all.
 */
export function imagePath(
  facts: Pick<OptionFacts, 'target' | 'sweep' | 'containers'>,
  { kind, bandBytes }: ImageVariant,
  encryption: Encryption,
): ImagePath {
  const { target } = facts
  const measured = measuredPath(facts, kind, bandBytes, encryption)
  if (measured) return measured
  const plain = encryption === 'none' ? null : measuredPath(facts, kind, bandBytes, 'none')
  const way = (direction: Direction): Estimate => {
    const rate = direction === 'write' ? target.writeBytesPerSecond : target.readBytesPerSecond
    const parts = plain
      ? [plain[direction]]
      : [quotient(exact(1, said`one byte`), rate, rate.basis), published(`${kind}.${direction}`)]
    if (encryption !== 'none') parts.push(published(kind === 'udsp' ? 'udsp.aes' : 'image.aes'))
    return sumTogether(parts, plain ? said`${plain[direction].basis}; encryption ${PUBLISHED}` : PUBLISHED)
  }
  return { write: way('write'), read: way('read'), isMeasured: plain !== null }
}

/** Seconds for each byte in addition to the disk's own. */
function published(name: WaitName): Estimate {
  return { ...waitTime(name, { byte: 1 }), basis: PUBLISHED }
}

const MEASURED = { udsb: 'UDSB', udsp: 'UDSP', udrw: 'UDRW', asif: null } as const
const KEY_BITS = { none: null, 'aes-128': 128, 'aes-256': 256 } as const

/** One way that was timed on this disk. */
interface TimedPath {
  readonly bandSize: number | null
  readonly createdWallMs: number
  readonly basis: string
  readonly write: Estimate
  readonly read: Estimate
}

function measuredPath(
  { sweep, containers }: Pick<OptionFacts, 'sweep' | 'containers'>,
  kind: MacImageKind,
  bandBytes: number | null,
  encryption: Encryption,
): ImagePath | null {
  const [wanted, keyBits] = [MEASURED[kind], KEY_BITS[encryption]]
  const isWanted = (one: Pick<BandSweepPoint, 'kind' | 'encryption'>): boolean =>
    one.kind === wanted && one.encryption === keyBits
  const timed = [...(sweep ? sweptPaths(sweep, isWanted) : []), ...measuredPaths(containers ?? [], isWanted)]
  const path = nearest(timed, bandBytes)
  if (!path) return null
  const inverse = (rate: Estimate): Estimate => quotient(exact(1, said`one byte`), rate, path.basis)
  return { write: inverse(path.write), read: inverse(path.read), isMeasured: true }
}

type IsWanted = (one: Pick<BandSweepPoint, 'kind' | 'encryption'>) => boolean

function sweptPaths(sweep: BandSweepDocument, isWanted: IsWanted): TimedPath[] {
  // The raw file of the sweep is a read-write image, where that was asked for.
  return [sweep.reference, ...sweep.points].flatMap((point) => {
    const { kind, bandSize, write, read } = point
    if (!isWanted(point) || !sweep.request.kinds.includes(kind) || !write || !read) return []
    const basis = said`band sweep ${sweep.id} on this disk: ${containerName(point)}`
    const rateOf = (rate: SweepRate): Estimate => estimateOf(rangeOf(rate), 'measured', basis)
    return [{ bandSize, createdWallMs: sweep.createdWallMs, basis, write: rateOf(write), read: rateOf(read) }]
  })
}

function measuredPaths(containers: readonly ContainerRates[], isWanted: IsWanted): TimedPath[] {
  return containers.filter(isWanted).map((container) => ({
    bandSize: container.bandSize,
    createdWallMs: container.createdWallMs,
    basis: said`measurement ${container.id} inside a container on this disk: ${containerName(container)}`,
    write: container.writeBytesPerSecond,
    read: container.readBytesPerSecond,
  }))
}

/**
 * The way with the most similar bands, of several the newest: a sweep has a dozen sizes, and a
 * bundle any.
 */
function nearest(paths: readonly TimedPath[], bandBytes: number | null): TimedPath | undefined {
  const away = ({ bandSize }: TimedPath): number =>
    bandSize === null || bandBytes === null ? 0 : Math.abs(Math.log(bandSize / bandBytes))
  return paths.toSorted((one, other) => away(one) - away(other) || other.createdWallMs - one.createdWallMs)[0]
}

/** A rate without a range has too few repeats for one. */
const FEW_REPEATS = 0.5

function rangeOf({ value, low, high }: SweepRate): Span {
  return { value, low: low ?? value * (1 - FEW_REPEATS), high: high ?? value * (1 + FEW_REPEATS) }
}
