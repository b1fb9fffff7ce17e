import { describe, expect, it } from 'vitest'
import { type BuildState, buildRows, initialBuild } from '../../../renderer/src/steps/building/buildState'
import { buildStages } from '../../../renderer/src/steps/building/stages'
import type { JobProgress } from '../../../src/contract/dto/job'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { buildPlan, buildRun, mediumOf } from '../../fixtures/fakeEngine/plans'
import { protectedPlan, withParity } from '../../fixtures/fakeEngine/protectedPlan'
import { PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'

const BARE = buildPlan({ id: 'p1', survey: PHOTOGRAPHS, medium: mediumOf('bd-r-25') })
const PROTECTED = protectedPlan(BARE, 'fill')
const COUNT = BARE.volumes.length

const PROGRESS: JobProgress = {
  jobId: 'j1',
  kind: 'build',
  state: 'running',
  phase: { index: 1, count: 1, name: 'building' },
  filesDone: 0,
  filesTotal: 1,
  bytesDone: 0,
  bytesTotal: 1,
  bytesPerSecond: 812_000_000,
  elapsedMs: 1,
  etaMs: null,
  current: 'PHOTOS_02',
  share: 0.25,
}

function stagesOf(
  plan: PlanDocument,
  more: Partial<BuildState>,
  progress: Partial<JobProgress> | null,
  following: 'verify' | null = null,
) {
  const build = { ...initialBuild, plan, ...more }
  const report = { ...PROGRESS, ...progress }
  const job =
    progress === null ? null : { jobId: 'j1', kind: report.kind, progress: report, cancelling: false }
  const stages = buildStages({ build, rows: buildRows(build), job, following, units: 'decimal' })
  return stages.map(({ key, figure, share }) => [key, figure, share])
}

describe('the phases of a build', () => {
  it('have the share of the job where the plan has no parity discs', () => {
    expect(stagesOf(BARE, { isOneRun: true }, {})).toEqual([
      ['reading', '25 %', 0.25],
      ['checking', 'waiting', null],
    ])
  })

  it('show no bar of recovery data that is calculated while files are read', () => {
    expect(stagesOf(PROTECTED, {}, {})).toEqual([
      ['reading', '25 %', 0.25],
      ['recovery', 'with reading', null],
      ['checking', '', null],
    ])
  })

  it('tell parity discs from the volumes that they protect', () => {
    const plan = withParity(BARE, 2)
    const at = (index: number, share: number) =>
      stagesOf(plan, {}, { volume: { index, count: COUNT + 2, share } }).slice(0, 2)
    const [[, , begun]] = at(1, 0.5) as [[string, string, number]]
    expect(begun).toBeGreaterThan(0.4 / COUNT)
    expect(begun).toBeLessThan(0.6 / COUNT)
    expect(at(COUNT, 1)).toEqual([
      ['reading', '100 %', 1],
      ['recovery', 'waiting', null],
    ])
    expect(at(COUNT + 1, 0.5)).toEqual([
      ['reading', '100 %', 1],
      ['recovery', '50 %', 0.5],
    ])
    expect(at(COUNT + 2, 0)).toEqual([
      ['reading', '100 %', 1],
      ['recovery', '100 %', 1],
    ])
  })

  it('say that checking is next between a build and its verification', () => {
    const built = buildRun('r1', 'build', BARE, '/plan', [])
    expect(stagesOf(BARE, { build: built }, null, 'verify')).toEqual([
      ['reading', 'done', 1],
      ['checking', 'waiting', null],
    ])
    expect(stagesOf(BARE, { build: built }, { kind: 'verify', share: 0.6 })).toEqual([
      ['reading', 'done', 1],
      ['checking', '60 %', 0.6],
    ])
  })

  it('count the volumes where a run left some', () => {
    const verify = buildRun('r2', 'verify', BARE, '/plan', [], [1])
    const [, checking] = stagesOf(BARE, { verify }, null)
    expect(checking).toEqual(['checking', `${COUNT - 1} of ${COUNT} volumes`, (COUNT - 1) / COUNT])
  })

  it('show nothing of a set that is not built', () => {
    expect(stagesOf(BARE, {}, null)).toEqual([
      ['reading', '', null],
      ['checking', '', null],
    ])
  })
})
