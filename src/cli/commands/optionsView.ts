import type { MediumCandidates, OptionsDocument } from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'

/** The data of a table of `stowage options`. */
export interface OptionsView {
  readonly document: OptionsDocument
  readonly survey: SurveyDocument
  /** The named options of the same survey with the same settings. */
  readonly candidates: () => Promise<readonly MediumCandidates[]>
}
