import type { JobProgress } from '../../src/contract/dto/job'

/** The progress of a build of five volumes, at the second. */
export const buildUnderWay: JobProgress = {
  jobId: 'j1',
  kind: 'build',
  state: 'running',
  phase: { index: 1, count: 1, name: 'building' },
  filesDone: 41,
  filesTotal: 230,
  bytesDone: 3_100_000_000,
  bytesTotal: 5_000_000_000,
  bytesPerSecond: 81_000_000,
  elapsedMs: 92_000,
  etaMs: 118_000,
  share: 0.29,
  volume: { index: 2, count: 5, share: 0.57 },
  current: 'PHOTOS_02',
}
