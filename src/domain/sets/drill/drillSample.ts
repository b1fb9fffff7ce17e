import { seededRandom } from '../../../primitives/seededRandom'

/** A file that could be restored now. */
export interface DrillCandidate {
  readonly path: string
  readonly bytes: number
  /** The volumes that restoring it reads. */
  readonly volumes: readonly number[]
}

/** How much a drill restores at most, but for the one file of each volume. */
export interface DrillLimits {
  readonly files: number
  readonly bytes: number
  readonly seed: number
}

/**
 * A random sample of files: at least one of every volume that holds any, then more of all of them
 * until a limit is reached. Where no file of a volume fits the bytes that are left, its smallest
 * one is taken. The same seed gives the same sample of the same candidates.
 */
export function drillSample<C extends DrillCandidate>(candidates: readonly C[], limits: DrillLimits): C[] {
  const random = seededRandom(limits.seed)
  const drawn = candidates
    .map((candidate) => ({ candidate, draw: random.unit() }))
    .toSorted((one, other) => one.draw - other.draw || (one.candidate.path < other.candidate.path ? -1 : 1))
    .map(({ candidate }) => candidate)
  const chosen = new Set<C>()
  let bytes = 0
  const take = (candidate: C): void => {
    if (chosen.has(candidate)) return
    chosen.add(candidate)
    bytes += candidate.bytes
  }
  for (const [volume, own] of byVolume(drawn)) {
    if ([...chosen].some(({ volumes }) => volumes.includes(volume))) continue
    const fitting = own.find((candidate) => bytes + candidate.bytes <= limits.bytes)
    take(fitting ?? own.reduce((least, other) => (other.bytes < least.bytes ? other : least)))
  }
  for (const candidate of drawn) {
    if (chosen.size >= limits.files) break
    if (bytes + candidate.bytes <= limits.bytes) take(candidate)
  }
  return drawn.filter((candidate) => chosen.has(candidate))
}

function byVolume<C extends DrillCandidate>(candidates: readonly C[]): [number, [C, ...C[]]][] {
  const found = new Map<number, [C, ...C[]]>()
  for (const candidate of candidates)
    for (const volume of new Set(candidate.volumes)) {
      const known = found.get(volume)
      if (known) known.push(candidate)
      else found.set(volume, [candidate])
    }
  return [...found].toSorted(([one], [other]) => one - other)
}
