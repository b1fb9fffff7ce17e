/**
 * A process that surveys a folder, lets the pass rest for good when it has read enough, and waits for its own end:
 * node restingSurvey.cjs <data folder> <source>. Its checkpoints come at once. The pass rests for a moment at each word
 * of progress before, so that it cannot have read everything while this thread was kept from running.
 */
import type { Emit } from '../../src/contract/defineSchema'
import type { JobProgress } from '../../src/contract/dto/job'
import { surveyRequestSchema } from '../../src/contract/dto/survey'
import type { EngineSchema } from '../../src/contract/engineSchema'
import { createEngine } from '../../src/engine/engine'

/** Files read: more than a test asks a checkpoint for. */
const ENOUGH = 1000
const MOMENT_MS = 5

const [dataDir = '', source = ''] = process.argv.slice(2)
let isResting = false
const emit = ((_group: string, name: string, payload: unknown) => {
  const { jobId, filesDone } = payload as JobProgress
  if (name !== 'progress' || isResting || filesDone === 0) return
  isResting = true
  void engine.handlers.job.pause({ jobId })
  if (filesDone >= ENOUGH) return
  setTimeout(() => {
    isResting = false
    void engine.handlers.job.resume({ jobId })
  }, MOMENT_MS)
}) as Emit<EngineSchema>
const engine = createEngine({ dataDir, emit, checkpointMs: 20 })
void engine.handlers.survey.start(surveyRequestSchema.parse({ paths: [source], samples: 'none' }))
setInterval(() => {}, 1000)
