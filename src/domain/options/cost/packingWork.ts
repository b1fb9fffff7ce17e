import { type Estimate, exact } from '../../../primitives/estimate'
import type { OptionFacts } from '../facts'
import type { Encryption, Variant } from '../recipes/variant'
import { estimateOf, product, sum, within } from './estimateParts'
import { atPace } from './machinePace'

/**
 * A program reads the source alone and in order, where the survey read it with several threads and
 * counted it: as a share of the time of the pass. cat took 1.9 of it for 80,000 files that were not
 * in the cache, on a virtual disk.
 */
const READING = { value: 1, low: 0.05, high: 2.5 }
/**
 * From the cache it took 0.04 to 0.2 of the pass for sets of 19 to 69 MB, and 0.8 for the 80,000
 * files.
 */
const READING_CACHED = { value: 0.25, low: 0.02, high: 0.8 }
/**
 * A source of at most this share of the memory is assumed to be cached since the survey; the range
 * includes that it is not.
 */
const CACHED_SHARE = 0.25
/**
 * Reed-Solomon over a source costs each byte as often as there are recovery blocks: for 10 % about
 * 50 ns a byte (par2cmdline 0.8.1).
 */
const RECOVERY_SECONDS_PER_BYTE = 0.5e-6
const RECOVERY_ERROR = 0.8
/**
 * Two threads do 1.6 to 1.9 times the work of one (zstd -19 on six sets, two threads of one core
 * each); more are taken to go on so.
 */
const THREAD_WORTH = 0.8

/**
 * The parts of packing with a variant, and of unpacking the result, of which steps consist; in
 * seconds.
 */
export interface PackingWork {
  /** The source, once. */
  readonly reading: Estimate
  /** The time of one core, and the number of cores used. */
  readonly cpu: Estimate
  readonly packThreads: number
  /** In addition, whatever is done at once. */
  readonly wait: Estimate | null
  /** CPU time in that. */
  readonly waitCpu: Estimate | null
  /** The time of one core. */
  readonly unpack: Estimate
  readonly unpackThreads: number
}

export interface PackedParts {
  readonly variant: Variant
  readonly container: Estimate
  readonly encryption: Encryption
  readonly protection: number
}

export function packingWork(facts: OptionFacts, parts: PackedParts): PackingWork {
  const { machine, survey } = facts
  const { variant } = parts
  const guard = encrypting(facts, parts)
  const work = sum([variant.packSeconds, guard, recovering(facts, parts)], variant.packSeconds.basis)
  const pass = survey.passSeconds * variant.sourceReads
  const share = survey.totals.bytes <= CACHED_SHARE * machine.memoryBytes ? READING_CACHED : READING
  return {
    reading: estimateOf(
      { value: pass * share.value, low: pass * share.low, high: pass * share.high },
      'modelled',
      'reading the source as fast as the survey did',
    ),
    cpu: work,
    packThreads: threadsWorth(variant.packThreads, machine.cores),
    wait: variant.waitSeconds ?? null,
    waitCpu: variant.waitCpuSeconds ?? null,
    unpack: sum([variant.unpackSeconds, guard], variant.unpackSeconds.basis),
    unpackThreads: threadsWorth(variant.unpackThreads, machine.cores),
  }
}

function threadsWorth(threads: number, cores: number): number {
  return Math.max(1, Math.min(threads, cores)) ** THREAD_WORTH
}

function encrypting({ machine }: OptionFacts, { variant, container, encryption }: PackedParts): Estimate {
  const own = variant.encryption
  if (!own || encryption === 'none' || own.secondsPerByte === 0) return exact(0, 'nothing to encrypt')
  const rate = within(own.secondsPerByte, 0.5, own.provenance, 'encryption')
  return atPace(product(container, rate, 'encryption'), machine)
}

function recovering({ machine }: OptionFacts, { container, protection }: PackedParts): Estimate {
  if (protection === 0) return exact(0, 'no redundancy to be made')
  const rate = within(protection * RECOVERY_SECONDS_PER_BYTE, RECOVERY_ERROR, 'assumed', 'redundancy')
  return atPace(product(container, rate, 'redundancy'), machine)
}
