import type { OptionsDocument, OptionsRequest } from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'

/** What a table of `stowage options` is made from. */
export interface OptionsView {
  readonly document: OptionsDocument
  readonly survey: SurveyDocument
  /** The options of the same survey with other settings. */
  readonly list: (settings: Partial<OptionsRequest>) => Promise<OptionsDocument>
}
