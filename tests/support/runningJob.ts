import type { JobKind, JobProgress } from '../../src/contract/dto/job'
import type { RunningJob } from '../../src/main/engine/jobLedger'

/** A job as main knows it. */
export function runningJob(kind: JobKind, progress: Partial<JobProgress> | null = {}): RunningJob {
  const jobId = progress?.jobId ?? 'j-1'
  if (progress === null) return { jobId, kind, progress }
  const phase = { index: 1, count: 1, name: kind }
  const files = { filesDone: 0, filesTotal: null }
  const bytes = { bytesDone: 0, bytesTotal: null, bytesPerSecond: null }
  const times = { elapsedMs: 0, etaMs: null }
  const about = { jobId, kind, state: 'running' as const, current: null }
  return { jobId, kind, progress: { ...about, phase, ...files, ...bytes, ...times, ...progress } }
}

/** What a writing job waits for between two discs. */
export const NEXT_DISC = {
  kind: 'disc',
  label: 'TRIP_02',
  volume: 2,
  volumes: 3,
  drive: '/dev/sr0',
  reason: 'next',
  problem: null,
} as const
