import { type SurveyDocument, surveyDocumentSchema } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'

/** Reads the documents of surveys as the catalog keeps them; any of them may be damaged. */
export interface StoredSurveys {
  /** @throws AppError `catalog-broken` naming the survey */
  read(surveyId: string, text: string): SurveyDocument
  /** Null for one that cannot be read, which is noted on stderr once in the life of the catalog. */
  readable(surveyId: string, text: string): SurveyDocument | null
}

export function storedSurveys(): StoredSurveys {
  const noted = new Set<string>()
  const read = (surveyId: string, text: string): SurveyDocument => {
    const document = surveyIn(text)
    if (document) return document
    throw new AppError(
      'catalog-broken',
      `cannot read survey ${surveyId}: its document in the catalog is damaged`,
    )
  }
  return {
    read,
    readable(surveyId, text) {
      try {
        return read(surveyId, text)
      } catch (thrown) {
        if (!noted.has(surveyId)) process.stderr.write(`${AppError.from(thrown).message}\n`)
        noted.add(surveyId)
        return null
      }
    },
  }
}

/** Null for what is no survey's document. */
export function surveyIn(text: string): SurveyDocument | null {
  try {
    return surveyDocumentSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
