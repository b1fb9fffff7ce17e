import type { Estimate } from '../../../primitives/estimate'
import type { OptionFacts } from '../facts'
import type { CalibrationRow } from '../optionsDocument'
import type { Variant } from '../recipes/variant'
import { scaled } from './estimateParts'

/**
 * A time calibrated by earlier builds: times the factor of the variant, or else of its family. Its range is multiplied with it and
 * becomes no wider. A figure without a factor stays as it is.
 */
export function applyCalibration(
  estimate: Estimate,
  figure: CalibrationRow['figure'],
  { name, family }: Pick<Variant, 'name' | 'family'>,
  { calibration }: Pick<OptionFacts, 'calibration'>,
): Estimate {
  const rows = calibration.filter((row) => row.family === family && row.figure === figure)
  const row = rows.find(({ variant }) => variant === name) ?? rows.find(({ variant }) => variant === null)
  if (!row || estimate.provenance === 'exact') return estimate
  const basis = `${estimate.basis}; times ${row.factor.toFixed(3)}, calibrated with ${row.builds} builds of this kind`
  return scaled(estimate, row.factor, basis)
}
