import { expect, test } from 'vitest'
import { lastRuns } from '../../../../src/domain/sets/lastRuns'
import { RUN_SCHEMA, type RunDocument } from '../../../../src/domain/sets/runDocument'

type State = RunDocument['volumes'][number]['state']

function run(kind: RunDocument['kind'], at: number, ...states: (State | null)[]): RunDocument {
  const volumes = states.flatMap((state, place) => {
    const index = place + 1
    const facts = { forecastSectors: 1, actualSectors: 1, files: 1, bytes: 1, elapsedMs: at, errors: [] }
    return state === null ? [] : [{ index, label: `L_${index}`, state, ...facts }]
  })
  const isDone = volumes.every(({ state }) => state === 'done' || state === 'kept')
  return {
    schema: RUN_SCHEMA,
    id: `${kind[0]}${at}`,
    kind,
    planId: 'p1',
    directory: '/plan',
    startedWallMs: at,
    elapsedMs: 1,
    outcome: isDone ? 'done' : 'failed',
    volumes,
  }
}

/** The answer in short: of each kind its outcome, and for each volume the time of the run that it is from, and its state. */
function short(runs: RunDocument[], there: number[] = [1, 2]): string[] {
  return lastRuns(runs.toReversed(), (index) => there.includes(index)).map(
    ({ kind, outcome, volumes }) =>
      `${kind} ${outcome}: ${volumes.map(({ index, elapsedMs, state }) => `${index}@${elapsedMs} ${state}`).join(', ')}`,
  )
}

test.each<[string, RunDocument[], string[], number[]?]>([
  ['nothing of no runs', [], []],
  [
    'what was built and verified',
    [run('build', 1, 'done', 'done'), run('verify', 2, 'done', 'done')],
    ['build done: 1@1 done, 2@1 done', 'verify done: 1@2 done, 2@2 done'],
  ],
  [
    'volumes that were built one by one',
    [run('build', 1, 'done'), run('build', 2, null, 'done')],
    ['build done: 1@1 done, 2@2 done'],
  ],
  ['no build of an image that is gone', [run('build', 1, 'done', 'done')], ['build done: 2@1 done'], [2]],
  [
    'no earlier failure of an image that is gone',
    [run('build', 1, 'failed'), run('build', 2, 'done')],
    [],
    [],
  ],
  [
    'the verification before one that was stopped, and no result of volumes that it did not come to',
    [
      run('build', 1, 'done', 'done'),
      run('verify', 2, 'done', 'done'),
      run('verify', 3, 'done', 'cancelled'),
    ],
    ['build done: 1@1 done, 2@1 done', 'verify done: 1@3 done, 2@2 done'],
  ],
  [
    'a verification that was stopped as incomplete',
    [run('build', 1, 'done', 'done'), run('verify', 2, 'done', 'cancelled')],
    ['build done: 1@1 done, 2@1 done', 'verify failed: 1@2 done'],
  ],
  [
    'the build that made it where a later one failed',
    [run('build', 1, 'done'), run('build', 2, 'failed')],
    ['build done: 1@1 done'],
    [1],
  ],
  [
    'a failed build of what is not there',
    [run('build', 1, 'failed', 'pending')],
    ['build failed: 1@1 failed'],
    [],
  ],
  [
    'no verification from before the last build',
    [run('build', 1, 'done', 'done'), run('verify', 2, 'done', 'done'), run('build', 3, null, 'done')],
    ['build done: 1@1 done, 2@3 done', 'verify done: 1@2 done'],
  ],
  [
    'a verification that a later build only kept',
    [run('build', 1, 'done'), run('verify', 2, 'done'), run('build', 3, 'kept')],
    ['build done: 1@3 kept', 'verify done: 1@2 done'],
  ],
  [
    'how far an interrupted build came',
    [{ ...run('build', 1, 'done', 'pending'), outcome: 'interrupted' }],
    ['build interrupted: 1@1 done'],
  ],
  [
    'an interrupted build as done where earlier ones made the rest',
    [run('build', 1, 'done', 'done'), { ...run('build', 2, 'done', 'pending'), outcome: 'interrupted' }],
    ['build done: 1@2 done, 2@1 done'],
  ],
  [
    'a failed verification of one volume',
    [run('verify', 1, 'failed', 'done'), run('verify', 2, null, 'done')],
    ['verify failed: 1@1 failed, 2@2 done'],
  ],
  [
    'what was written',
    [run('build', 1, 'done'), run('write', 2, 'done')],
    ['build done: 1@1 done', 'write done: 1@2 done'],
    [1],
  ],
])('the runs of a folder show %s', (_, runs, expected, there) => {
  expect(short(runs, there)).toEqual(expected)
})
