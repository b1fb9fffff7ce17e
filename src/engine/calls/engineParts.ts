/**
 * The room `calls` answers the engine's calls, one file for each group of the schema or few of
 * them.
 * How: a handler reads the catalog or starts a job, with the parts that `EngineParts` gives it.
 * Not here: checking parameters (`channel`), the work itself (the other rooms).
 */

import type { Handlers } from '../../contract/defineSchema'
import type { EngineSchema } from '../../contract/engineSchema'
import type { Clock } from '../../primitives/clock'
import type { Catalog } from '../catalog/catalog'
import type { Job } from '../jobs/jobContext'

/** The parts of the engine that the calls of every group are answered with. */
export interface EngineParts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Starts a job and gives its ID at once. */
  start(job: Job): { jobId: string }
  /** Frees memory that a request needed. */
  giveMemoryBack(): void
}

/** The handlers of some groups of the engine's calls. */
export type CallsOf<Groups extends keyof EngineSchema> = Handlers<Pick<EngineSchema, Groups>>
