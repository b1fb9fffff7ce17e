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
