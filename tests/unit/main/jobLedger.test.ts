import { expect, it } from 'vitest'
import { channelsOf } from '../../../src/contract/defineSchema'
import { jobStartedSchema } from '../../../src/contract/dto/job'
import { engineSchema } from '../../../src/contract/engineSchema'
import { JOB_KIND_OF_CALL } from '../../../src/main/jobLedger'

it('knows every call of the engine that starts a job', () => {
  const starting = channelsOf(engineSchema)
    .filter(({ entry }) => entry.kind === 'call' && entry.result === jobStartedSchema)
    .map(({ channel }) => channel)
  expect(Object.keys(JOB_KIND_OF_CALL).toSorted()).toEqual(starting.toSorted())
})
