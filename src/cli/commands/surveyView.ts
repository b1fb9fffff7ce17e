import type { DuplicateGroup, KeptDocument, SurveyDocument } from '../../contract/dto/survey'

/** The data of a table of `stowage survey`. */
export interface SurveyView {
  readonly document: SurveyDocument
  /** How much of its source is on verified volumes. */
  readonly kept: () => Promise<KeptDocument>
  /** Files with the same content, those first whose copies occupy the most. */
  readonly duplicates: () => Promise<readonly DuplicateGroup[]>
}
