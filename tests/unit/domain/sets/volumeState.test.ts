import { expect, test } from 'vitest'
import type { RunDocument, RunVolume } from '../../../../src/domain/sets/runDocument'
import { statesByRuns, stepOf, type VolumeState } from '../../../../src/domain/sets/volumeState'

type Run = Parameters<typeof statesByRuns>[2][number]

function run(kind: RunDocument['kind'], startedWallMs: number, ...states: RunVolume['state'][]): Run {
  const volumes = states.map((state, at) => ({
    index: at + 1,
    label: `A_0${at + 1}`,
    state,
    forecastSectors: 1,
    actualSectors: null,
    files: 1,
    bytes: 1,
    elapsedMs: null,
    errors: state === 'failed' ? [{ code: 'verification-failed' as const, message: 'a differs' }] : [],
  }))
  return {
    schema: 'stowage.run/1',
    id: `${kind}-${startedWallMs}`,
    kind,
    planId: 'p-1',
    directory: '/plan',
    startedWallMs,
    elapsedMs: 5,
    outcome: 'done',
    volumes,
  }
}

/** Of the first volume of a plan made at 1, with its runs in the order in which they were made. */
function after(...runs: Run[]): VolumeState | undefined {
  const state = statesByRuns(1, [1], runs).get(1)
  // The interval of a verification is a matter of its own.
  return state && { ...state, checkByWallMs: null }
}

const PLANNED = {
  plannedWallMs: 1,
  builtWallMs: null,
  writtenWallMs: null,
  verifiedWallMs: null,
  failedWallMs: null,
  checkByWallMs: null,
}

test('a volume without runs is planned', () => {
  expect(after()).toEqual(PLANNED)
  expect(stepOf(PLANNED)).toBe('planned')
})

test('a failed or cancelled build leaves a volume planned', () => {
  expect(after(run('build', 10, 'failed'), run('build', 20, 'cancelled'))).toEqual(PLANNED)
})

test('a volume that a later build kept has the time at which it was built', () => {
  expect(after(run('build', 10, 'done'), run('build', 20, 'kept'))).toEqual({ ...PLANNED, builtWallMs: 15 })
  expect(after(run('build', 20, 'kept'))).toEqual({ ...PLANNED, builtWallMs: 25 })
})

test('a verification that succeeds after one that failed clears the failure', () => {
  const failed = [run('build', 10, 'done'), run('verify', 20, 'done'), run('verify', 30, 'failed')]
  expect(after(...failed)).toEqual({ ...PLANNED, builtWallMs: 15, verifiedWallMs: 25, failedWallMs: 35 })
  const again = after(...failed, run('verify', 40, 'done'))
  expect(again).toEqual({ ...PLANNED, builtWallMs: 15, verifiedWallMs: 45 })
})

test('verifications before the last build do not count', () => {
  const state = after(run('build', 10, 'done'), run('verify', 20, 'failed'), run('build', 30, 'done'))
  expect(state).toEqual({ ...PLANNED, builtWallMs: 35 })
})

test('a verification without an image is not a failure', () => {
  const missing = run('verify', 20, 'failed')
  for (const { errors } of missing.volumes) errors[0] = { code: 'not-found', message: 'no image' }
  expect(after(run('build', 10, 'done'), missing)).toEqual({ ...PLANNED, builtWallMs: 15 })
})

test('each volume has its own state, and volumes that the plan does not have are left out', () => {
  const states = statesByRuns(1, [1, 2, 3], [run('verify', 20, 'done', 'failed', 'pending', 'done')])
  expect([...states.values()].map(stepOf)).toEqual(['verified', 'failed', 'planned'])
})

test('a write is the last step until a verification, and a build takes it back', () => {
  const built = run('build', 10, 'done')
  const written = after(built, run('verify', 20, 'done'), run('write', 30, 'done'))
  expect(written).toEqual({ ...PLANNED, builtWallMs: 15, writtenWallMs: 35 })
  expect(written && stepOf(written)).toBe('written')
  const verified = after(built, run('write', 30, 'done'), run('verify', 40, 'done'))
  expect(verified && stepOf(verified)).toBe('verified')
  expect(after(built, run('write', 30, 'done'), run('build', 40, 'done'))).toEqual({
    ...PLANNED,
    builtWallMs: 45,
  })
})

test('a write that failed or was not begun leaves a volume as it was', () => {
  for (const state of ['failed', 'cancelled', 'pending', 'kept'] as const)
    expect(after(run('build', 10, 'done'), run('write', 20, state))).toEqual({ ...PLANNED, builtWallMs: 15 })
})

test('only a write that was read back clears a failed verification', () => {
  const failed = [run('build', 10, 'done'), run('verify', 20, 'failed')]
  const write = run('write', 30, 'done')
  expect(after(...failed, write)).toMatchObject({ writtenWallMs: 35, failedWallMs: 25 })
  const facts = {
    sha256: '0'.repeat(64),
    bytes: 1,
    endedWallMs: 35,
    writeMs: 1,
    verifyMs: 1,
    pipe: null,
  }
  for (const volume of write.volumes) volume.written = { ...facts, verified: true }
  expect(after(...failed, write)).toMatchObject({ writtenWallMs: 35, failedWallMs: null })
})

test('the order of what happened decides, whatever the clock said', () => {
  const back = after(run('build', 1000, 'done'), run('verify', 2000, 'done'), run('verify', 20, 'failed'))
  expect(back).toMatchObject({ verifiedWallMs: 2005, failedWallMs: 25 })
  const built = after(run('verify', 9000, 'done'), run('build', 10, 'done'))
  expect(built).toEqual({ ...PLANNED, builtWallMs: 15 })
})

test('a verification that was stopped leaves the state as it was', () => {
  const stopped = run('verify', 30, 'failed')
  for (const { errors } of stopped.volumes) errors[0] = { code: 'cancelled', message: 'cancelled' }
  const state = after(run('build', 10, 'done'), run('verify', 20, 'done'), stopped)
  expect(state && stepOf(state)).toBe('verified')
})
