import { formatBandSize, formatCount } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { ContainerFacts } from '../../devices/bandKind'
import { recommendBands } from '../../devices/bands/recommend'
import type { BandSweepDocument } from '../../devices/bands/sweepDocument'
import { candidatesOf } from '../../devices/bands/sweepFigures'
import { fittedBand } from '../../images/imagePlan'
import {
  BEST_BANDS_IN_USE,
  bandsAtFullSize,
  FEW_BANDS,
  MANY_BANDS,
  MOST_BANDS,
  SLOW_BANDS_IN_USE,
} from '../../images/kinds'
import type { OptionBands } from '../optionsDocument'

/**
 * The band size of a sparse bundle: the one that a sweep of the disk recommends if it could rank
 * them, else the smallest with at most 10,000 when full. Published tests found bundles slow below
 * 1,000 bands in use and best from 2,000, and saw them fail near 100,000.
 * @param diskBytes of the disk in the bundle
 * @param usedBytes what is stored on it
 * @param sweep of the disk that the bundle goes to
 */
export function bandChoice(
  diskBytes: number,
  usedBytes: number,
  sweep: BandSweepDocument | null,
): OptionBands {
  const swept = sweep && recommendedBySweep(diskBytes, sweep)
  const bytes = swept ?? fittedBand(diskBytes)
  const whenFull = bandsAtFullSize(diskBytes, bytes)
  const inUse = bandsAtFullSize(usedBytes, bytes)
  const byRule = said`${formatCount(FEW_BANDS)} to ${formatCount(MANY_BANDS)} bands when full`
  const noSweep = sweep
    ? said`the band sweep ${sweep.id} could not rank the sizes`
    : said`this disk has no band sweep`
  const why = swept
    ? said`the band sweep ${sweep?.id} of this disk recommends it`
    : said`${noSweep}, so the rule decides: ${byRule}`
  return {
    bytes,
    whenFull,
    inUse,
    from: swept ? 'sweep' : 'rule',
    because: said`${formatBandSize(bytes)}: ${why}. ${verdict(whenFull, inUse)}`,
  }
}

function recommendedBySweep(diskBytes: number, sweep: BandSweepDocument): number | null {
  const points = [sweep.reference, ...sweep.points].map(
    ({ kind, encryption, bandSize }): ContainerFacts => ({ kind, encryption, bandBytes: bandSize }),
  )
  const { bandBytes, by } = recommendBands(
    candidatesOf(points, sweep.samples, sweep.request.encryptions[0] ?? null, {
      fullBytes: diskBytes,
      passBytes: sweep.passBytes,
    }),
    { isNetwork: sweep.device.kind === 'network', fileSystem: sweep.device.fileSystem },
  )
  // A single size, or sizes that a small budget could not rank, say nothing.
  return by === 'goodNumber' || by === 'nearestNumber' ? bandBytes : null
}

function verdict(whenFull: number, inUse: number): string {
  const counts = said`${formatCount(whenFull)} bands when full, ${formatCount(inUse)} in use`
  if (whenFull >= MOST_BANDS) return said`${counts}: bundles failed near ${formatCount(MOST_BANDS)}`
  if (inUse < SLOW_BANDS_IN_USE)
    return said`${counts}: slow below ${formatCount(SLOW_BANDS_IN_USE)} in use in published tests`
  return inUse < BEST_BANDS_IN_USE
    ? said`${counts}: best from ${formatCount(BEST_BANDS_IN_USE)} in use in published tests`
    : counts
}
