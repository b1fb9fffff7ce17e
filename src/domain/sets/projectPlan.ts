import type { VolumeStep } from './volumeState'

/** A plan of a project, with how far each of its volumes has got. */
export interface ProjectPlan {
  readonly id: string
  /** Null where a volume was read, which has the day alone. */
  readonly createdWallMs: number | null
  readonly medium: string | null
  /** Where it was exported to, as far as it is known. */
  readonly directory: string | null
  readonly volumes: readonly {
    readonly index: number
    readonly label: string
    /** Null where it is not known: a volume names the others, and nothing more. */
    readonly state: VolumeStep | null
  }[]
}
