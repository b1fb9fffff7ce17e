import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { DriveOfMedium } from '../../media/driveRates'
import { largest, quotient, scaled, sum, sumTogether, weakest } from '../../options/cost/estimateParts'
import { making } from '../../options/cost/stepTimes'
import type { MachineFacts, TargetFacts } from '../../options/facts'
import type { OptionEstimate } from '../../options/optionsDocument'
import type { BurnTimes, PlanTimes, VolumeTimes } from '../planDocument'
import { bufferAdvice } from './bufferAdvice'
import { closedForm } from './closedForm'
import { type Burn, readBackSeconds, steadyWriter, writerModel } from './discModels'
import {
  bottleneckOf,
  costOf,
  forecastWrite,
  type SourceModel,
  steadySource,
  type WriteForecast,
} from './forecastWrite'
import type { PackedTimes, StepWork } from './packedTimes'
import { parityCpuSeconds, type RecoveryWork, recoverySeconds } from './recoveryTimes'
import type { SimulatedWrite } from './simulateWrite'

/** A volume's size, and its files' in the order in which they are written. */
export interface TimedVolume {
  readonly bytes: number
  readonly files: readonly number[]
  /** The work of its recovery data; absent without any. */
  readonly recovery?: RecoveryWork | undefined
}

export interface PlanTimesRequest {
  readonly volumes: readonly TimedVolume[]
  readonly kind: 'image' | 'folder'
  readonly capacityBytes: number
  readonly sectorBytes: number
  /** The costs of files that are stored as they are. */
  readonly source: SourceModel
  readonly target: TargetFacts
  readonly machine: MachineFacts
  /** Bytes of each parity disc; absent where there is none. */
  readonly parity?: readonly number[] | undefined
  /** Null where the medium needs no drive. */
  readonly drive: DriveOfMedium | null
  /** Earlier ones of this medium, as the last one was written. */
  readonly burns: readonly Burn[]
  /**
   * The option of the plan on its medium; how files, or archives of all the source's bytes, get on
   * volumes as they are.
   */
  readonly stored: OptionEstimate
  /**
   * The estimate of the plan's recipe, null where files are stored as they are. `steps`: of all
   * volumes together; null where they are made in one go, by programs of another system.
   */
  readonly packed: { readonly estimate: OptionEstimate; readonly steps: PackedTimes | null } | null
}

/**
 * Between a program that makes an image and the disk lies at least so much of the system's cache.
 */
const WRITE_CACHE_BYTES = 64 * 1024 * 1024

/**
 * The times of a plan. Files that are stored as they are get their times from their own sizes and
 * order and from the source, the target and the drive; packing, and what follows from it, from the
 * forecast of the option, shared by size. A full disc takes about half a second: `pause` is called
 * between them. Parity discs come after the volumes.
 */
export async function planTimes(request: PlanTimesRequest, pause: () => Promise<void>): Promise<PlanTimes> {
  const { volumes, drive } = request
  const each: VolumeTimes[] = []
  for (const volume of volumes) {
    await pause()
    each.push(volumeTimes(request, volume))
  }
  each.push(...parityTimes(request))
  const all = (of: (times: VolumeTimes) => Estimate): Estimate => {
    const parts = each.map(of)
    return sumTogether(parts, parts[0]?.basis ?? 'no volumes')
  }
  return {
    total: {
      pack: each[0]?.pack ? all(({ pack }) => pack as Estimate) : null,
      build: all(({ build }) => build),
      write: all(({ write }) => write),
      verify: all(({ verify }) => verify),
      restore: all(({ restore }) => restore),
    },
    volumes: each,
    ...(drive && volumes.length > 0 ? { burn: await burnTimes(request, drive, pause) } : {}),
  }
}

function volumeTimes(request: PlanTimesRequest, volume: TimedVolume): VolumeTimes {
  const { volumes, drive, stored, packed, capacityBytes } = request
  const whole = volumes.reduce((total, { bytes }) => total + bytes, 0)
  const share = whole === 0 ? 0 : volume.bytes / whole
  const option = packed?.estimate ?? stored
  const shared = {
    pack: null,
    build: scaled(option.buildSeconds, share),
    verify: scaled(option.verifySeconds, share),
    restore: scaled(option.restoreSeconds, share),
    write: drive ? imageWrite(request, drive, volume.bytes) : scaled(option.writeSeconds, share),
  }
  if (packed?.steps) {
    const { pack, build, verify, restore } = packed.steps
    const reading = drive ? [readBackSeconds(drive, capacityBytes, volume.bytes)] : []
    const seconds = (step: StepWork, ...more: readonly Estimate[]): Estimate =>
      sum([...more, scaled(step.seconds, share)], step.seconds.basis)
    return {
      ...shared,
      pack: seconds(pack),
      build: withRecovery(request, volume, seconds(build)),
      verify: seconds(verify, ...reading),
      restore: seconds(restore, ...reading),
    }
  }
  if (packed) return shared
  return {
    ...shared,
    build: buildSeconds(request, volume),
    verify: drive ? readBackSeconds(drive, capacityBytes, volume.bytes) : shared.verify,
  }
}

/**
 * Files as they lie in the volume: in an image in whole sectors, with its directories before them.
 */
function streamOf({ kind, sectorBytes }: PlanTimesRequest, { bytes, files }: TimedVolume) {
  const sizes = kind === 'image' ? files.map((size) => Math.ceil(size / sectorBytes) * sectorBytes) : files
  const inFiles = sizes.reduce((total, size) => total + size, 0)
  return { sizes, headBytes: Math.max(0, bytes - inFiles) }
}

/** One program reads the source file by file while the system writes. */
function buildSeconds(request: PlanTimesRequest, volume: TimedVolume): Estimate {
  const { target, source, kind } = request
  const { seconds } = forecastWrite({
    ...streamOf(request, volume),
    source: kind === 'folder' ? copiedSource(source, target) : source,
    writer: steadyWriter(target.writeBytesPerSecond),
    bufferBytes: WRITE_CACHE_BYTES,
  })
  return withRecovery(request, volume, seconds)
}

/** Recovery data is made in the pass that writes an image. */
function withRecovery({ machine }: PlanTimesRequest, { recovery }: TimedVolume, build: Estimate): Estimate {
  if (recovery === undefined) return build
  return sumTogether([build, recoverySeconds(recovery, machine).elapsed], build.basis)
}

/** All images are read once for all parity discs, of which each has a part of that time. */
function parityTimes(request: PlanTimesRequest): VolumeTimes[] {
  const { volumes, parity = [], target, machine, drive, capacityBytes, stored } = request
  if (parity.length === 0) return []
  const bytes = volumes.reduce((total, volume) => total + volume.bytes, 0)
  const basis = said`making parity discs`
  const reading = quotient(exact(bytes, basis), target.readBytesPerSecond, basis)
  const combining = scaled(
    largest([reading, parityCpuSeconds(bytes, parity.length, machine)], basis),
    1 / parity.length,
  )
  return parity.map((size) => {
    const share = bytes === 0 ? 0 : size / bytes
    const writing = quotient(exact(size, basis), target.writeBytesPerSecond, basis)
    return {
      pack: null,
      build: sumTogether([combining, writing], basis),
      write: drive ? imageWrite(request, drive, size) : scaled(stored.writeSeconds, share),
      verify: drive
        ? readBackSeconds(drive, capacityBytes, size)
        : quotient(exact(size, basis), target.readBytesPerSecond, basis),
      restore: exact(0, said`restoring reads no parity disc`),
    }
  })
}

/** A program that copies makes each file before it reads the next. */
function copiedSource(source: SourceModel, target: TargetFacts): SourceModel {
  const each = making(exact(1, 'a file'), target)
  const { value, low, high } = source.fileSeconds
  return {
    ...source,
    fileSeconds: { value: value + each.value, low: low + each.low, high: high + each.high },
    provenance: weakest([source.provenance, each.provenance]),
  }
}

/** The medium and the disk that finished images are written from. */
type DiscFacts = Pick<PlanTimesRequest, 'target' | 'capacityBytes' | 'burns'>

/** The time of writing a finished image to a disc, or to a disk where the medium needs no drive. */
export function imageSeconds(facts: DiscFacts & Pick<PlanTimesRequest, 'drive'>, bytes: number): Estimate {
  if (facts.drive) return imageWrite(facts, facts.drive, bytes)
  return quotient(exact(bytes, said`the image`), facts.target.writeBytesPerSecond, said`writing to the disk`)
}

/** A finished image comes from its disk at one rate. */
function imageWrite({ target, capacityBytes, burns }: DiscFacts, drive: DriveOfMedium, bytes: number) {
  return forecastWrite({
    sizes: [bytes],
    source: steadySource(target.readBytesPerSecond),
    writer: writerModel(drive, capacityBytes, burns),
    bufferBytes: WRITE_CACHE_BYTES,
  }).seconds
}

async function burnTimes(
  request: PlanTimesRequest,
  drive: DriveOfMedium,
  pause: () => Promise<void>,
): Promise<BurnTimes> {
  const { volumes, capacityBytes, packed, target } = request
  const writer = writerModel(drive, capacityBytes, request.burns)
  // Parity discs are made from finished images, so that these are burned from their disk.
  const isFromImages = packed !== null || (request.parity ?? []).length > 0
  const source = isFromImages ? steadySource(target.readBytesPerSecond) : request.source
  const streams = volumes.map((volume) =>
    isFromImages ? { sizes: [volume.bytes], headBytes: 0 } : streamOf(request, volume),
  )
  const settings = streams.map((stream) => ({
    ...stream,
    source: costOf(source, 'value'),
    curve: writer.curve,
  }))
  const lost = settings.map((setting) => closedForm({ ...setting, bufferBytes: 0 }).lostSeconds)
  const neediest = lost.indexOf(Math.max(...lost))
  const { bufferBytes, ...advice } = bufferAdvice(settings[neediest] as (typeof settings)[number])
  const forecasts: WriteForecast[] = []
  for (const stream of streams) {
    await pause()
    // More than what is enough changes less than one per cent, and is simulated faster.
    const buffer = Math.max(bufferBytes, WRITE_CACHE_BYTES)
    forecasts.push(forecastWrite({ ...stream, source, writer, bufferBytes: buffer }))
  }
  const all = (of: (one: SimulatedWrite) => number): number =>
    forecasts.reduce((total, { simulated }) => total + of(simulated), 0)
  return {
    from: isFromImages ? 'images' : 'files',
    seconds: sumTogether(
      forecasts.map(({ seconds }) => seconds),
      forecasts[neediest]?.seconds.basis ?? '',
    ),
    bottleneck: bottleneckOf({
      seconds: all(({ seconds }) => seconds),
      leastSeconds: all(({ leastSeconds }) => leastSeconds),
      sourceSeconds: all(({ sourceSeconds }) => sourceSeconds),
      writerSeconds: all(({ writerSeconds }) => writerSeconds),
    }),
    bufferBytes,
    disc: { index: neediest + 1, ...advice },
  }
}
