/**
 * A process that surveys a folder, lets the pass rest as soon as it has read something, and waits for its own end:
 * node restingSurvey.cjs <data folder> <source>. Its checkpoints come at once.
 */
import type { Emit } from '../../src/contract/defineSchema'
import type { JobProgress } from '../../src/contract/dto/job'
import { surveyRequestSchema } from '../../src/contract/dto/survey'
import type { EngineSchema } from '../../src/contract/engineSchema'
import { createEngine } from '../../src/engine/engine'

const [dataDir = '', source = ''] = process.argv.slice(2)
let isResting = false
const emit = ((_group: string, name: string, payload: unknown) => {
  const { jobId, filesDone } = payload as JobProgress
  if (name !== 'progress' || isResting || filesDone === 0) return
  isResting = true
  void engine.handlers.job.pause({ jobId })
}) as Emit<EngineSchema>
const engine = createEngine({ dataDir, emit, checkpointMs: 20 })
void engine.handlers.survey.start(surveyRequestSchema.parse({ paths: [source], samples: 'none' }))
setInterval(() => {}, 1000)
