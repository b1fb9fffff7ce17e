import type { StratumTotal } from '../../../domain/statistics/strata'
import type { DeviceKind, SurveyDocument } from '../../../domain/survey/surveyDocument'
import type { TypeTotal } from '../../../domain/survey/typeCompression'
import type { SurveyFigures } from '../surveyFigures'
import type { Drawn, SourceDraw } from './sourceDraw'

/** The part of a listed source that a look at it begins with. */
export interface LookSource {
  /** Counts and sizes as a survey has them. */
  readonly figures: Pick<SurveyDocument, 'totals' | 'types' | 'sizeHistogram'>
  readonly strata: readonly StratumTotal[]
  readonly types: readonly TypeTotal[]
  readonly drawn: Drawn
  readonly deviceKind: DeviceKind
}

/** Once everything is listed: ends the draw. */
export function lookSource(counted: SurveyFigures, drawing: SourceDraw, deviceKind: DeviceKind): LookSource {
  const { totals, types, sizeHistogram } = counted.figures()
  return {
    figures: { totals, types, sizeHistogram },
    strata: counted.strata('all'),
    types: counted.types('all'),
    drawn: drawing.finish(),
    deviceKind,
  }
}
