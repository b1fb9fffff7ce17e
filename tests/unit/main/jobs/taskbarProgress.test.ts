import { expect, it } from 'vitest'
import { taskbarProgress } from '../../../../src/main/jobs/taskbarProgress'
import { NEXT_DISC, runningJob } from '../../../support/runningJob'

it('shows the share of the oldest job, that it rests, and nothing once nothing runs', () => {
  const seen: [number, string][] = []
  const entry = {
    setProgressBar: (share: number, { mode }: { mode: string }) => void seen.push([share, mode]),
  }
  const take = taskbarProgress(() => entry)
  take([])
  take([runningJob('walk', { share: 0.5 })])
  take([runningJob('walk', { jobId: 'j-3' }), runningJob('write', null)])
  take([runningJob('write', { share: 0.25 }), runningJob('survey', { jobId: 'j-2', share: 0.9 })])
  take([runningJob('write', { share: 0.251 })])
  take([runningJob('write', { share: 0.251, waitingFor: NEXT_DISC })])
  take([])
  expect(seen).toEqual([
    [-1, 'normal'],
    [2, 'indeterminate'],
    [0.25, 'normal'],
    [0.251, 'paused'],
    [-1, 'normal'],
  ])
})
