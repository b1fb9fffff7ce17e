import { expect, it } from 'vitest'
import type { PlanDocument } from '../../../../../src/contract/dto/plan'
import type { RunDocument } from '../../../../../src/contract/dto/run'
import type { JobContext } from '../../../../../src/engine/jobs/jobContext'
import { RunRecord } from '../../../../../src/engine/sets/runs/runRecord'
import { AppError } from '../../../../../src/primitives/appError'
import { temporaryFolder } from '../../../../support/temporaryFolder'

const VOLUME = { index: 1, label: 'A_01', sectors: 10, files: 1, bytes: 5 } as PlanDocument['volumes'][number]

function record(directory: string): RunRecord {
  const context = { clock: { wallMs: () => 1, monotonicMs: () => 1 } } as JobContext
  const plan = { id: 'p-1', volumes: [VOLUME] } as PlanDocument
  return new RunRecord({ id: 'b-1', kind: 'build', directory, plan }, [VOLUME], context)
}

it('a run that failed and could not be saved ends with its own failure and names no run', async () => {
  const failure = new AppError('no-space', 'cannot write 01.iso: no space left on the device')
  const full = {
    saveRun: () => {
      throw new AppError('no-space', 'cannot write the catalog: no space left')
    },
    notePlace: () => 1,
    placeGone: () => undefined,
  } as unknown as Parameters<RunRecord['carryOut']>[0]
  await expect(record('/nowhere').carryOut(full, () => Promise.reject(failure))).rejects.toBe(failure)
})

it('a build that the process does not survive leaves how far it came', async () => {
  const saved: [string, string][] = []
  const catalog = {
    saveRun: (run: RunDocument) => saved.push([run.outcome, run.volumes[0]?.state ?? '']),
    notePlace: () => 1,
    placeGone: () => undefined,
  } as unknown as Parameters<RunRecord['carryOut']>[0]
  const folder = await temporaryFolder()
  await record(folder).carryOut(catalog, () => {
    expect(saved).toEqual([['interrupted', 'pending']])
    return Promise.resolve({ end: 'done', sectors: 10 })
  })
  expect(saved).toEqual([
    ['interrupted', 'pending'],
    ['interrupted', 'done'],
    ['done', 'done'],
  ])
})
