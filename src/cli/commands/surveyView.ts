import type { KeptDocument, SurveyDocument } from '../../contract/dto/survey'

/** The data of a table of `stowage survey`. */
export interface SurveyView {
  readonly document: SurveyDocument
  /** How much of its source is on verified volumes. */
  readonly kept: () => Promise<KeptDocument>
}
