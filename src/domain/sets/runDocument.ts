import type { WireError } from '../../primitives/appError'

export interface RunVolume {
  index: number
  label: string
  state: 'pending' | 'done' | 'kept' | 'failed' | 'cancelled'
  /** Forecast and actual, side by side; actual is null until there is one. */
  forecastSectors: number
  actualSectors: number | null
  files: number
  bytes: number
  elapsedMs: number | null
  errors: WireError[]
}

export interface RunDocument {
  schema: 'stowage.run/1'
  id: string
  kind: 'build' | 'verify'
  planId: string
  directory: string
  startedWallMs: number
  elapsedMs: number
  outcome: 'done' | 'failed' | 'cancelled'
  volumes: RunVolume[]
  /** What the run could not check, in words. */
  notes?: string[] | undefined
}
