import type { SurveyFacts } from '../options/facts'
import type { Goal } from '../options/optionsDocument'
import type { LookDocument } from './lookDocument'

/**
 * The figures of a look at a source, in the form in which options are estimated. Blocks, chunks,
 * solid archives and what is compressed and deduplicated are not known: there are no options of
 * them. Identical files are estimated only, so that nothing counts on storing them once.
 */
export function lookFacts(look: LookDocument): SurveyFacts {
  const { totals, types, sizeHistogram, compression, surveySeconds } = look
  return {
    totals,
    types,
    sizeHistogram,
    compression,
    fixedBlocks: [],
    chunked: [],
    combined: [],
    solid: [],
    grouped: [],
    romLayout: null,
    lentFiles: 0,
    fragments: [],
    duplicateFiles: { groups: 0, files: 0, bytes: 0 },
    passSeconds: surveySeconds.value,
    largestFileBytes: totals.largestFileBytes ?? totals.bytes,
    pathBytes: (totals.pathBytes ?? 0) / Math.max(1, totals.files),
  }
}

/** Goals whose best option is often of a kind that no sample tells: solid archives are smallest. */
export const LOOK_UNDECIDED = ['smallest'] as const satisfies readonly Goal[]
