/**
 * How one tool, with its default parameters, cuts data into chunks by content. A tool's boundaries
 * are secret in each repository, and which hash finds them does not matter: chunkers with equal
 * limits and odds cut into chunks of the same distribution. So the tool's limits are taken from its
 * source, its hash is not. That holds as far as windows come again as often as the tool's do.
 */
export interface Chunker {
  /** Permanent: it is in saved surveys. */
  readonly name: string
  readonly tool: string
  /** No chunk is shorter, but for the last of a file; at least 128. */
  readonly minBytes: number
  /** No chunk is longer; a power of two. */
  readonly maxBytes: number
  /**
   * From `minBytes` on one position in so many is a boundary: the average to which `minBytes` is to
   * be added.
   */
  readonly oddsOfBoundary: number
  /**
   * Normalised chunking (FastCDC): up to `normalBytes` boundaries are rarer by 2^level, from there
   * more frequent by as much. Level 0: not normalised.
   */
  readonly normalization: { readonly level: number; readonly normalBytes: number }
  /**
   * The runs of 64 and more equal bytes that are boundaries from `minBytes` on, because the tool's
   * hash of such a window is always 0: none, those of zeros, or those of any one value. It decides
   * much where archives and disk images are padded with zeros.
   */
  readonly cutsInRuns: 'nowhere' | 'zeros' | 'any'
  /**
   * The bytes that decide if a position is a boundary: `short`, about 64 bytes before it (taken as
   * 64), or `long`, about 4 KiB (taken as those 64 and the bytes before them up to the second last
   * candidate, 4 KiB in the mean). Where short pieces of text come again and again, as in tar files
   * of sources, a long window's boundaries are much less alike.
   */
  readonly window: 'short' | 'long'
  /**
   * In how many draws of boundaries the survey counts: more where chunks are large, since one draw
   * varies more.
   */
  readonly draws: number
  /** Where the figures are. */
  readonly source: string
}

const KIB = 1024
const MIB = 1024 * KIB

/**
 * casync and desync derive the odds from the average, so that chunks with min = avg/4 and max = 4
 * avg have that mean.
 */
function casyncOdds(averageBytes: number): number {
  return averageBytes / (-1.42888852e-7 * averageBytes + 1.33237515)
}

function fastCdc(kibibytes: number): Chunker {
  const averageBytes = kibibytes * KIB
  return {
    name: `fastcdc-${kibibytes}k`,
    tool: 'FastCDC',
    minBytes: averageBytes / 4,
    maxBytes: averageBytes * 8,
    oddsOfBoundary: averageBytes,
    normalization: { level: 2, normalBytes: averageBytes },
    draws: 1,
    cutsInRuns: 'nowhere',
    window: 'short',
    source:
      'Xia et al., FastCDC, USENIX ATC 2016: minimum a quarter, maximum eight times the average, normalisation level 2',
  }
}

const plain = { level: 0, normalBytes: 0 }
/** Enough for a range from their own spread, at some hundredths of the pass's time. */
const MANY_DRAWS = 8

export const CHUNKERS: readonly Chunker[] = [
  {
    name: 'borg-1',
    tool: 'BorgBackup 1',
    minBytes: 512 * KIB,
    maxBytes: 8 * MIB,
    oddsOfBoundary: 2 * MIB,
    normalization: plain,
    draws: MANY_DRAWS,
    cutsInRuns: 'nowhere',
    window: 'long',
    source: 'borg 1.4, constants.py: CHUNKER_PARAMS buzhash,19,23,21,4095',
  },
  {
    name: 'borg-2',
    tool: 'BorgBackup 2',
    minBytes: 512 * KIB,
    maxBytes: 8 * MIB,
    oddsOfBoundary: 2 * MIB,
    normalization: { level: 2, normalBytes: 2 * MIB },
    draws: MANY_DRAWS,
    cutsInRuns: 'nowhere',
    window: 'short',
    source: 'borg 2, constants.py: CHUNKER_PARAMS fastcdc,19,23,21,2',
  },
  {
    name: 'restic',
    tool: 'restic',
    minBytes: 512 * KIB,
    maxBytes: 8 * MIB,
    oddsOfBoundary: MIB,
    normalization: plain,
    draws: MANY_DRAWS,
    cutsInRuns: 'zeros',
    window: 'short',
    source:
      'restic/chunker, chunker.go: MinSize 512 KiB, MaxSize 8 MiB, 20 bits; a Rabin fingerprint without constant is 0 for zeros',
  },
  {
    name: 'kopia',
    tool: 'Kopia',
    minBytes: 2 * MIB,
    maxBytes: 8 * MIB,
    oddsOfBoundary: 4 * MIB,
    normalization: plain,
    draws: MANY_DRAWS,
    cutsInRuns: 'any',
    window: 'short',
    source:
      'kopia, repo/splitter: DYNAMIC-4M-BUZHASH, minimum half, maximum twice the average; buzhash32 of 64 equal bytes turns each bit over twice and is 0',
  },
  {
    name: 'casync',
    tool: 'casync and desync',
    minBytes: 16 * KIB,
    maxBytes: 256 * KIB,
    oddsOfBoundary: casyncOdds(64 * KIB),
    normalization: plain,
    draws: 1,
    cutsInRuns: 'nowhere',
    window: 'short',
    source: 'casync, cachunker.h: 16, 64 and 256 KiB; discriminator from the average',
  },
  fastCdc(8),
  fastCdc(16),
  fastCdc(64),
]

/** The chunker of this name, if the registry has it. */
export function chunkerNamed(name: string): Chunker | undefined {
  return CHUNKERS.find((chunker) => chunker.name === name)
}

/** A chunker as the two odds that hold before and from a length. */
interface CutRule {
  readonly minBytes: number
  readonly normalBytes: number
  readonly maxBytes: number
  /** One position in so many is a boundary while the chunk is shorter than `normalBytes`. */
  readonly oddsBefore: number
  /** The same from `normalBytes` on. */
  readonly oddsAfter: number
}

export function cutRuleOf(chunker: Chunker): CutRule {
  const shift = 2 ** chunker.normalization.level
  return {
    minBytes: chunker.minBytes,
    normalBytes: Math.max(chunker.normalization.normalBytes, chunker.minBytes),
    maxBytes: chunker.maxBytes,
    oddsBefore: chunker.oddsOfBoundary * shift,
    oddsAfter: chunker.oddsOfBoundary / shift,
  }
}

/**
 * The mean length, in bytes, of the chunks of endless random data: minimum plus the mean of an
 * exponential waiting time with a change of rate, cut off at the maximum. (Without normalisation:
 * min + t(1 - exp(-(max - min)/t)).)
 */
export function meanChunkBytes(chunker: Chunker): number {
  const { minBytes, normalBytes, maxBytes, oddsBefore, oddsAfter } = cutRuleOf(chunker)
  const survivesNormal = Math.exp(-(normalBytes - minBytes) / oddsBefore)
  const waitBefore = oddsBefore * (1 - survivesNormal)
  const waitAfter = oddsAfter * (1 - Math.exp(-(maxBytes - normalBytes) / oddsAfter))
  return minBytes + waitBefore + survivesNormal * waitAfter
}
