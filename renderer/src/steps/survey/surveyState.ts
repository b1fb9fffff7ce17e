import type { JobEnd } from '../../../../src/contract/dto/job'
import {
  areSameRules,
  type DuplicateGroup,
  type KeptDocument,
  type MissingSha256,
  NO_RULES,
  type Rules,
  type Samples,
  type SurveyDocument,
  type SurveyLive,
} from '../../../../src/contract/dto/survey'
import { type SourcesState, samePaths } from '../../state/source/sourcesState'

/** The parts that the picture of the contents shows. */
export const CONTENTS_VIEWS = ['types', 'folders'] as const
export type ContentsView = (typeof CONTENTS_VIEWS)[number]

export interface SurveyState {
  readonly document: SurveyDocument | null
  /** Figures of the survey that runs; null when none does. */
  readonly live: SurveyLive | null
  /** How the last survey ended when it left no document: shown in its place. */
  readonly lastEnd: JobEnd['outcome'] | null
  /** The samples setting of the survey that was started last. */
  readonly samples: Samples
  /** The groups of duplicates of one survey, once they were asked for. */
  readonly duplicates: { readonly surveyId: string; readonly groups: readonly DuplicateGroup[] } | null
  /** The files of one survey that a plan reads for SHA-256, once asked for. */
  readonly missingSha256: ({ readonly surveyId: string } & MissingSha256) | null
  /** How much of one survey's source is on verified volumes, once asked for. */
  readonly stored: KeptDocument | null
  /** The second layer of the page is unfolded. */
  readonly isAnalysed: boolean
  readonly contents: ContentsView
}

export type SurveyAction =
  | { type: 'started'; samples: Samples }
  | { type: 'duplicates'; surveyId: string; groups: readonly DuplicateGroup[] }
  | { type: 'missingSha256'; surveyId: string; missing: MissingSha256 }
  | { type: 'stored'; stored: KeptDocument | null }
  | { type: 'live'; live: SurveyLive }
  | { type: 'read'; document: SurveyDocument }
  | { type: 'loaded'; document: SurveyDocument }
  | { type: 'analysed'; isAnalysed: boolean }
  | { type: 'contents'; contents: ContentsView }
  | { type: 'forgotten' }
  | { type: 'ended'; outcome: JobEnd['outcome'] }

export const initialSurvey: SurveyState = {
  document: null,
  live: null,
  lastEnd: null,
  samples: 'normal',
  duplicates: null,
  missingSha256: null,
  stored: null,
  isAnalysed: false,
  contents: 'types',
}

/**
 * The last survey's document stays until the next one has read everything (`read`), from when on
 * its forecasts sharpen.
 */
export function reduceSurvey(state: SurveyState, action: SurveyAction): SurveyState {
  switch (action.type) {
    case 'started':
      return { ...state, live: null, lastEnd: null, samples: action.samples }
    case 'live':
      return { ...state, live: action.live }
    case 'read':
      return { ...state, document: action.document }
    case 'loaded':
      return { ...state, document: action.document, live: null, lastEnd: null }
    case 'duplicates':
      return { ...state, duplicates: { surveyId: action.surveyId, groups: action.groups } }
    case 'missingSha256':
      return { ...state, missingSha256: { surveyId: action.surveyId, ...action.missing } }
    case 'stored':
      return { ...state, stored: action.stored }
    case 'analysed':
      return { ...state, isAnalysed: action.isAnalysed }
    case 'contents':
      return { ...state, contents: action.contents }
    case 'forgotten': {
      const { samples, isAnalysed, contents } = state
      return { ...initialSurvey, samples, isAnalysed, contents }
    }
    case 'ended':
      return { ...state, live: null, lastEnd: action.outcome }
  }
}

/**
 * True when the running survey has read everything: its options are there, and its samples still
 * make them more precise.
 */
export function isSharpening({ live, document }: SurveyState): boolean {
  return live?.surveyId !== undefined && live.surveyId === document?.id
}

/** The figures that both a finished and a running survey have. */
export type SurveyFigures = Omit<SurveyLive, 'jobId'>

/** The figures of the survey step: the running survey's while it runs, else the finished one's. */
export function figuresOf(state: SurveyState, running: boolean): SurveyFigures | null {
  return running ? state.live : state.document
}

/** The block size whose unique blocks hold the fewest bytes; null when nothing was read. */
export function bestBlock(figures: SurveyFigures): SurveyFigures['fixedBlocks'][number] | null {
  return figures.fixedBlocks.reduce<SurveyFigures['fixedBlocks'][number] | null>(
    (best, block) => (best === null || block.uniqueBytes < best.uniqueBytes ? block : best),
    null,
  )
}

/**
 * True when a plan is of the survey that is shown, and that of the sources and rules in hand.
 * @param hasOtherSource as `isOfOtherSource` says
 */
export function isOfShown(
  { surveyId }: { readonly surveyId: string },
  { document }: SurveyState,
  hasOtherSource: boolean,
): boolean {
  return !hasOtherSource && (document === null || surveyId === document.id)
}

/** True when the survey that is shown is of other sources, rules or DATs than those in hand. */
export function isOfOtherSource(
  { document, live }: SurveyState,
  { list, dats, layout }: SourcesState,
  rules: Rules = NO_RULES,
): boolean {
  const paths = list.map((source) => source.path)
  if (document === null || paths.length === 0) return false
  if (!samePaths(paths, document.roots) || !areSameRules(document.rules, rules)) return true
  // Files are grouped once all are read, and not by a survey that was stopped before.
  const isGrouped = live === null && !document.partial
  const isOtherLayout = dats.length > 0 && layout !== (document.dat?.layout ?? null)
  return isGrouped && (isOtherLayout || !samePaths(dats, datPaths(document)))
}

/** The files of the DATs by which a survey grouped its files. */
export function datPaths({ dat }: Pick<SurveyDocument, 'dat'>): string[] {
  return [...new Set(dat?.dats.map(({ path }) => path))]
}
