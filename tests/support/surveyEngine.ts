import { readFileSync } from 'node:fs'
import type { Emit } from '../../src/contract/defineSchema'
import type { JobEnd, JobProgress } from '../../src/contract/dto/job'
import {
  type SurveyDocument,
  type SurveyLive,
  surveyDocumentSchema,
  surveyRequestSchema,
  type WalkDocument,
  walkRequestSchema,
} from '../../src/contract/dto/survey'
import type { EngineSchema } from '../../src/contract/engineSchema'
import type { Rules } from '../../src/domain/survey/rules/rules'
import { createEngine } from '../../src/engine/engine'

/** The engine in this process, for surveys. */
export interface SurveyEngine {
  survey(paths: string[], options?: Record<string, unknown>): Promise<SurveyDocument>
  /** Starts one and gives its id, the progress it tells and its end. */
  begin(
    paths: string[],
    options?: Record<string, unknown>,
    onProgress?: (progress: JobProgress) => void,
    onLive?: (live: SurveyLive) => void,
  ): Promise<{ jobId: string; ended: Promise<JobEnd & { atMs: number }> }>
  /** Walks as the Source step of the window does. */
  walk(paths: string[], rules: Partial<Rules>): Promise<WalkDocument>
  readonly engine: ReturnType<typeof createEngine>
}

export function surveyEngine(dataDir: string, checkpointMs = 30_000): SurveyEngine {
  const ends = new Map<string, (end: JobEnd & { atMs: number }) => void>()
  let onProgress: (progress: JobProgress) => void = () => {}
  let onLive: (live: SurveyLive) => void = () => {}
  const emit = ((_group: string, name: string, payload: unknown) => {
    if (name === 'progress') onProgress(payload as JobProgress)
    if (name === 'live') onLive(payload as SurveyLive)
    if (name !== 'ended') return
    const end = payload as JobEnd
    ends.get(end.jobId)?.({ ...end, atMs: performance.now() })
  }) as Emit<EngineSchema>
  const engine = createEngine({ dataDir, emit, checkpointMs })
  const begin: SurveyEngine['begin'] = async (paths, options = {}, reported = () => {}, lived = () => {}) => {
    onProgress = reported
    onLive = lived
    const { jobId } = await engine.handlers.survey.start(
      surveyRequestSchema.parse({ paths, samples: 'none', ...options }),
    )
    return { jobId, ended: new Promise((resolve) => ends.set(jobId, resolve)) }
  }
  return {
    engine,
    begin,
    async survey(paths, options) {
      const surveyId = resultOf(await (await begin(paths, options)).ended)
      return surveyDocumentSchema.parse(await engine.handlers.survey.get({ surveyId }))
    },
    async walk(paths, rules) {
      const { jobId } = await engine.handlers.survey.walk(walkRequestSchema.parse({ paths, rules }))
      const walkId = resultOf(await new Promise((resolve) => ends.set(jobId, resolve)))
      return engine.handlers.survey.walked({ walkId })
    },
  }
}

function resultOf({ error, outcome, resultId }: JobEnd): string {
  if (error || resultId === null) throw new Error(error?.message ?? outcome)
  return resultId
}

/** Bytes that this process has asked of files so far. */
export function bytesAskedFor(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}
