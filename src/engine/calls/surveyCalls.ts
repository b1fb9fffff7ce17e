import type { LookDocument } from '../../domain/look/lookDocument'
import { ownFolders } from '../catalog/ownFolders'
import type { KeptResults } from '../jobs/keptResults'
import type { LongAnswers } from '../jobs/longAnswers'
import { lookAtSource, lookJob } from '../look/lookJob'
import { readDatFamilies } from '../roms/datFamilies'
import type { LookAtListed } from '../survey/firstLook'
import { surveyKept } from '../survey/kept/surveyKept'
import type { SketchFolder } from '../survey/sketchFolder'
import { surveyJob } from '../survey/surveyJob'
import { type SourceWalk, walkJob } from '../survey/walk/walkJob'
import type { CallsOf, EngineParts } from './engineParts'

/**
 * Answers the calls on surveys and on walks of sources.
 * @param around `answers` are those of `kept`, which take seconds
 */
export function surveyCalls(
  { catalog, clock, start }: EngineParts,
  {
    sketches,
    checkpointMs,
    answers,
    walks,
    looks,
  }: {
    sketches: SketchFolder
    checkpointMs: number
    answers: LongAnswers
    walks: KeptResults<SourceWalk>
    looks: KeptResults<LookDocument>
  },
): CallsOf<'survey'> {
  const lookAt: LookAtListed = (listed, source, context, onRead) =>
    lookAtSource(listed, source, { looks, onRead }, context)
  return {
    survey: {
      start: (request) =>
        start(surveyJob(request, { catalog, sketches, checkpointMs, lookAt, readDats: readDatFamilies })),
      walk: (request) => start(walkJob(request, { walks, leaveOut: ownFolders(catalog) })),
      walked: ({ walkId }) => walks.get(walkId).document,
      look: (request) => start(lookJob(request, { walks, looks })),
      looked: ({ walkId }) => looks.find(walkId) ?? null,
      folder: ({ walkId, path }) => walks.get(walkId).tree.folder(path),
      get: ({ surveyId }) => catalog.survey(surveyId),
      list: () => catalog.surveys(),
      duplicates: ({ surveyId, limit }) => catalog.duplicateFiles(surveyId, limit),
      kept: (request) => answers.answer(request.surveyId, (pause) => surveyKept(catalog, request, pause)),
      stopKept: ({ surveyId }) => answers.stop(surveyId),
      acknowledge({ surveyId }) {
        catalog.acknowledgeChanges(surveyId, clock.wallMs())
        return catalog.survey(surveyId)
      },
      missingSha256: ({ surveyId }) => catalog.missingSha256(surveyId),
      skips: ({ surveyId, offset, limit }) => [...catalog.surveySkips(surveyId, offset, limit)],
    },
  }
}
