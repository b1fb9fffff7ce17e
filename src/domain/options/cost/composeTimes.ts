import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MediumFacts, OptionFacts } from '../facts'
import type { RecipeFamily } from '../recipes/recipe'
import type { Variant } from '../recipes/variant'
import { estimateOf, largest, product, quotient, scaled, sum, sumTogether, weakest } from './estimateParts'
import { type ImagePath, imagePath } from './imagePath'
import { waitTime } from './rates'
import { flushingFiles, making, type OwnCounts, ownSeconds, type PackedParts, packingWork } from './stepTimes'

interface TimedParts extends PackedParts {
  readonly medium: MediumFacts
  readonly bytes: Estimate
  readonly volumes: Estimate
}

type Times = Record<
  'buildSeconds' | 'writeSeconds' | 'verifySeconds' | 'restoreSeconds' | 'fetchSeconds' | 'cpuSeconds',
  Estimate
>

/** The times of an option, none of which overlaps with another. */
export function timesOf(facts: OptionFacts, parts: TimedParts): Times {
  const { target, survey } = facts
  const { variant, medium, encryption } = parts
  const { reading, cpu, packThreads, unpack, unpackThreads } = packingWork(facts, parts)
  const path = variant.image ? imagePath(facts, variant.image, encryption) : null
  const made = writingContainer(facts, parts, path)
  const readBack = readingBack(facts, parts, path)
  const unpacking = scaled(unpack, 1 / unpackThreads)
  const counts = ownCounts(facts, parts)
  const hash = waitTime('sha256', { byte: survey.totals.bytes })
  const checked = sum([unpacking, scaled(hash, 1 / unpackThreads)], said`unpacking and checking`)
  const filesMade = ownSeconds('restore', counts, facts.machine)
  const filesBack = sum(
    [filesMade, flushingFiles(counts, target)],
    said`making and writing the files; ${filesMade.basis}`,
  )
  return {
    buildSeconds: path
      ? // One program copies file by file.
        sumTogether(
          [
            atOnce([
              [said`reading the source`, reading],
              ['copying', cpu],
            ]),
            made,
          ],
          said`reading, then writing: ${made.basis}`,
        )
      : waiting(
          variant,
          atOnce([
            [said`reading the source`, reading],
            ['writing', made],
            ['packing', scaled(cpu, 1 / packThreads)],
          ]),
        ),
    writeSeconds: writing(facts, parts),
    verifySeconds: atOnce([
      [said`reading it back`, readBack],
      [said`unpacking and checking`, checked],
    ]),
    restoreSeconds: after(
      atOnce([
        [said`reading it back`, readBack],
        ['unpacking', unpacking],
      ]),
      filesBack,
    ),
    fetchSeconds: sum(
      [
        quotient(variant.fetchBytes, readRate(facts, medium), 'reading'),
        latencyOf(facts, medium),
        variant.fetchSeconds,
      ],
      variant.fetchSeconds.value > 0
        ? said`reading, and ${variant.fetchSeconds.basis}`
        : said`reading the file`,
    ),
    cpuSeconds: cpu,
  }
}

/**
 * Steps that go on at the same time: the slowest decides, and at worst none of them overlaps.
 */
function atOnce(steps: readonly (readonly [name: string, time: Estimate])[]): Estimate {
  const times = steps.map(([, time]) => time)
  const [slowest] = steps.toSorted(([, one], [, other]) => other.value - one.value)
  const name = slowest?.[0] ?? ''
  const basis = slowest?.[1].basis ?? ''
  const most = largest(times, basis === name ? said`${name} is slowest` : said`${name} is slowest: ${basis}`)
  const inTurn = times.reduce((total, time) => total + time.value, 0)
  return estimateOf(
    { value: most.value, low: most.low, high: Math.max(most.high, inTurn) },
    most.provenance === 'exact' && inTurn > most.value
      ? weakest(times.map((time) => time.provenance))
      : most.provenance,
    most.basis,
  )
}

/** Steps of which the second begins when the first has ended; the longer one is named first. */
function after(first: Estimate, second: Estimate): Estimate {
  const [longer, shorter] = second.value > first.value ? [second, first] : [first, second]
  return sum([first, second], said`${longer.basis}; and ${shorter.basis}`)
}

/** Containers that hold a file or a title each. */
const MANY: ReadonlySet<RecipeFamily> = new Set([
  'compressed-files',
  'seven-zip-merged',
  'seven-zip-blocks',
  'torrentzip',
])

function ownCounts({ survey }: OptionFacts, { variant, bytes, volumes }: TimedParts): OwnCounts {
  const { family, storedFiles } = variant
  return {
    ...survey.totals,
    family,
    containers: MANY.has(family) ? storedFiles.value : 0,
    stored: bytes.value,
    volumes: volumes.value,
  }
}

/** Writing the container to the target, through a disk image where it is one. */
function writingContainer(
  facts: OptionFacts,
  { variant, container }: TimedParts,
  path: ImagePath | null,
): Estimate {
  if (path?.isMeasured) return product(container, path.write, path.write.basis)
  const written = path
    ? product(container, path.write, path.write.basis)
    : quotient(container, facts.target.writeBytesPerSecond, said`writing to the target`)
  return sumTogether([written, making(variant.storedFiles, facts.target)], written.basis)
}

function writing(facts: OptionFacts, { medium, bytes, volumes, variant }: TimedParts): Estimate {
  const { target } = facts
  if (medium.kind === 'disk') return exact(0, said`building writes it already`)
  const rate = medium.writeBytesPerSecond ?? target.writeBytesPerSecond
  const parts = [quotient(bytes, rate, said`writing at the rate of the medium`)]
  if (medium.volumeSeconds) parts.push(product(volumes, medium.volumeSeconds, said`for each volume`))
  if (!medium.writeBytesPerSecond) parts.push(making(variant.storedFiles, facts.target))
  return sumTogether(parts, said`writing: ${rate.basis}`)
}

function readRate({ target }: OptionFacts, medium: MediumFacts): Estimate {
  return medium.readBytesPerSecond ?? target.readBytesPerSecond
}

/** Seeking on a disc takes a drive about so long. */
function latencyOf({ target }: OptionFacts, medium: MediumFacts): Estimate {
  return medium.readBytesPerSecond ? waitTime('disc.seek') : target.readLatencySeconds
}

/** Everything read back from the medium, its volumes loaded one after the other. */
function readingBack(
  facts: OptionFacts,
  { medium, bytes, volumes, variant }: TimedParts,
  path: ImagePath | null,
): Estimate {
  const isThrough = path !== null && !medium.readBytesPerSecond
  if (isThrough && path.isMeasured) return product(bytes, path.read, path.read.basis)
  const parts = [
    isThrough ? product(bytes, path.read, 'reading') : quotient(bytes, readRate(facts, medium), 'reading'),
  ]
  if (medium.volumeSeconds) parts.push(product(volumes, medium.volumeSeconds, said`for each volume`))
  // A disc is read from its beginning to its end.
  if (!medium.readBytesPerSecond)
    parts.push(product(variant.storedFiles, facts.target.readLatencySeconds, said`files to be opened`))
  return sumTogether(parts, said`reading: ${isThrough ? path.read.basis : readRate(facts, medium).basis}`)
}

/** With what cannot be done at once with anything. */
function waiting({ waitSeconds }: Variant, work: Estimate): Estimate {
  if (!waitSeconds) return work
  return sumTogether([work, waitSeconds], said`${work.basis}; and ${waitSeconds.basis}`)
}
