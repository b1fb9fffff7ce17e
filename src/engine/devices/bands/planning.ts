import type { BandSweepPreview, BandSweepRequest } from '../../../contract/dto/bands'
import { pointFacts } from '../../../domain/devices/bands/sweepFigures'
import {
  BANDS_TO_COUNT,
  leastBudget,
  planSweep,
  type SweepPlan,
  sweepPoints,
} from '../../../domain/devices/bands/sweepPlan'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { effectsOn, noRoom, requireFolder } from '../preview'

interface PlannedSweep {
  readonly preview: BandSweepPreview
  readonly plan: SweepPlan
}

/**
 * Plans a band sweep: looks at the device and at the free space, and writes nothing.
 * @throws AppError `cannot-fit` for a budget below the least, `not-found`, `not-a-folder`,
 *   `permission-denied`
 */
export async function planBandSweep(request: BandSweepRequest): Promise<PlannedSweep> {
  await requireFolder(request.directory)
  const least = leastBudget(sweepPoints(request).length, request.repeats ?? undefined)
  const plan = planSweep(request)
  if (plan === null) {
    throw new AppError(
      'cannot-fit',
      said`cannot sweep band sizes within ${formatSize(request.budgetBytes)}: ${sweepPoints(request).length} points, including the raw file, need at least ${formatSize(least)}; give fewer sizes or a larger budget`,
    )
  }
  const { points, passBytes } = plan
  const sizes = new Set(points.flatMap(({ bandBytes }) => bandBytes ?? []))
  const effects = await effectsOn(request.directory, plan)
  return {
    plan,
    preview: {
      ...effects,
      points: points.map((point) => pointFacts(point, request.fullBytes)),
      repeats: plan.rounds.length,
      passBytes,
      leastBudgetBytes: least,
      tooLarge: [...sizes].filter((bandBytes) => passBytes < BANDS_TO_COUNT * bandBytes),
      refusal: refusalOf(request, effects)?.toWire() ?? null,
    },
  }
}

function refusalOf(
  { directory, through }: BandSweepRequest,
  effects: Parameters<typeof noRoom>[1],
): AppError | null {
  const cannot = said`cannot sweep band sizes in ${pathForDisplay(directory)}:`
  if (through === 'mounted')
    return new AppError(
      'refused',
      said`${cannot} tests of mounted images are removed until a Mac has run them`,
    )
  return noRoom(cannot, effects)
}
