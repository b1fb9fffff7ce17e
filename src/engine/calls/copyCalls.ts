import { COPIES_SCHEMA, type CopiesDocument } from '../../domain/sets/copies/copy'
import type { KnownCopy } from '../../domain/sets/copies/volumeCopies'
import type { FileSystems } from '../files/fileSystems'
import type { LongAnswers } from '../jobs/longAnswers'
import { apart } from '../sets/copies/apart'
import { knownCopies, withoutPlaces } from '../sets/copies/knownCopies'
import { lookAtCopies } from '../sets/copies/lookAtCopies'
import { noteCopies } from '../sets/copies/noteCopies'
import { safeSource } from '../sets/copies/safeSource'
import { surveyOf } from '../sets/copies/surveyOf'
import { writtenTo } from '../sets/copies/writtenTo'
import type { CallsOf, EngineParts } from './engineParts'

/**
 * Answers the calls on copies of volumes.
 * @param around `answers` are those of `safe`, which take seconds; copies are looked for on
 *   `fileSystems`
 */
export function copyCalls(
  { catalog, clock }: EngineParts,
  { fileSystems, answers }: { fileSystems: FileSystems; answers: LongAnswers },
): CallsOf<'copies'> {
  const looking = { fileSystems }
  const document = (copies: readonly KnownCopy[]): CopiesDocument => ({
    schema: COPIES_SCHEMA,
    atWallMs: clock.wallMs(),
    copies: copies.map(withoutPlaces),
  })
  return {
    copies: {
      list: () => document(knownCopies(catalog, clock.wallMs())),
      look: async () => document(await lookAtCopies(knownCopies(catalog, clock.wallMs()), looking)),
      note: (request) => noteCopies(catalog, request, clock.wallMs()),
      writtenTo: (request) => writtenTo(catalog, request, fileSystems),
      apart: ({ folders: [one = '', other = ''] }) => apart(one, other, fileSystems),
      safe: (request) =>
        answers.answer(request.surveyId, (pause) =>
          safeSource(catalog, request, { nowWallMs: clock.wallMs(), pause, looking }),
        ),
      stopSafe: ({ surveyId }) => answers.stop(surveyId),
      surveyOf: ({ paths }) => surveyOf(catalog, paths),
    },
  }
}
