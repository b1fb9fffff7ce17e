import type { MeasurementDocument } from '../../../src/contract/dto/measure'
import { type OptionBuild, optionsRequestSchema } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { calibrationOf } from '../../../src/domain/options/cost/calibrate'
import { composeOption } from '../../../src/domain/options/cost/compose'
import { DISK_FACTS } from '../../../src/domain/options/cost/mediumFacts'
import { allVariants } from '../../../src/domain/options/recipes/registry'
import { builtTimes, optionFacts } from '../../../src/engine/options/optionFacts'

export { setFolder } from './sets'

/** One source as it was built in one state of the machine. */
export interface Built {
  readonly set: string
  readonly survey: SurveyDocument
  readonly measurement: MeasurementDocument
  readonly builds: readonly OptionBuild[]
}

/** Seconds of one build: the forecast without calibration and with it, and the actual ones. */
export interface Times {
  readonly variant: string
  readonly seconds: readonly [without: number, calibrated: number, actual: number]
  readonly cpuSeconds: readonly [without: number, calibrated: number, actual: number]
}

/**
 * Forecasts the times of a source's builds with what `others` taught. What calibration changes is computed anew on the same survey
 * and applied to the forecast that was recorded, which knew the machine's pace of that moment.
 */
export function calibratedTimes(
  { survey, measurement, builds }: Built,
  others: readonly OptionBuild[],
): Times[] {
  const catalog = {
    measurements: () => [],
    measurement: () => measurement,
    optionBuilds: () => [...others],
    sweeps: () => [],
    sweep: () => {
      throw new Error('there is no sweep')
    },
  }
  const request = optionsRequestSchema.parse({ surveyId: survey.id, measurementId: measurement.id })
  const { facts } = optionFacts(catalog, survey, request, 1)
  const calibration = calibrationOf(builtTimes(catalog))
  return builds.map(({ variant: name, uncalibrated, actual }) => {
    const variant = allVariants(facts).find((one) => one.name === name)
    if (!variant) throw new Error(`${name} was built and is not forecast any more`)
    const wishes = { encryption: 'none', protection: 0 } as const
    const plain = composeOption({ ...facts, calibration: [] }, variant, DISK_FACTS, wishes).estimate
    const after = composeOption({ ...facts, calibration }, variant, DISK_FACTS, wishes).estimate
    const times = (figure: 'buildSeconds' | 'cpuSeconds'): Times['seconds'] => {
      const without = uncalibrated[figure] ?? 0
      return [without, (without * after[figure].value) / plain[figure].value, actual[figure] ?? 0]
    }
    return { variant: name, seconds: times('buildSeconds'), cpuSeconds: times('cpuSeconds') }
  })
}

export { builtTimes, calibrationOf }
