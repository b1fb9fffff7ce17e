/**
 * A process that surveys a folder with checkpoints that come at once, and goes on until it is ended:
 * node restingSurvey.cjs <data folder> <source>.
 */
import { surveyRequestSchema } from '../../src/contract/dto/survey'
import { createEngine } from '../../src/engine/engine'

const [dataDir = '', source = ''] = process.argv.slice(2)
const engine = createEngine({ dataDir, emit: () => {}, checkpointMs: 20 })
const request = { paths: [source], samples: 'none', sha256: true }
void engine.handlers.survey.start(surveyRequestSchema.parse(request))
setInterval(() => {}, 1000)
