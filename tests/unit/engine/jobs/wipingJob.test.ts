import { expect, it } from 'vitest'
import type { Job, JobContext } from '../../../../src/engine/jobs/jobContext'
import { wipingJob } from '../../../../src/engine/jobs/wipingJob'
import { AppError } from '../../../../src/primitives/appError'

const context = {} as JobContext

function jobSeeing(run: Job['run']): Job {
  return { kind: 'build', title: 'Build', run }
}

it('hands the password to the job and overwrites it when the job has ended', async () => {
  const request = { password: Uint8Array.of(1, 2, 3) }
  const seen: number[][] = []
  const job = wipingJob(
    request,
    jobSeeing(() => {
      seen.push([...request.password])
      return Promise.resolve('r1')
    }),
  )
  expect(await job.run(context)).toBe('r1')
  expect(seen).toEqual([[1, 2, 3]])
  expect([...request.password]).toEqual([0, 0, 0])
})

it('overwrites the password of a job that fails', async () => {
  const request = { password: Uint8Array.of(1, 2, 3) }
  const failing = jobSeeing(() => Promise.reject(new AppError('cancelled', 'cancelled')))
  await expect(wipingJob(request, failing).run(context)).rejects.toThrow('cancelled')
  expect([...request.password]).toEqual([0, 0, 0])
})
