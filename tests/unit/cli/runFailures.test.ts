import { expect, it } from 'vitest'
import { afterFailure, neededRows } from '../../../src/cli/shape/runFailures'
import type { RunDocument } from '../../../src/contract/dto/run'
import type { AppErrorCode } from '../../../src/primitives/appError'
import { runDocument } from '../../support/catalogPlan'

function failed(kind: RunDocument['kind'], code: AppErrorCode): RunDocument {
  const run = runDocument('b-1', 'p-1', kind, 1, ['done', 'failed'])
  const volumes = run.volumes.map((volume) => ({
    ...volume,
    errors: volume.state === 'failed' ? [{ code, message: 'it failed' }] : [],
  }))
  return { ...run, directory: '/plans/1', outcome: code === 'cancelled' ? 'cancelled' : 'failed', volumes }
}

it.each<[RunDocument['kind'], AppErrorCode, RegExp | null]>([
  ['build', 'changed', /^The source has changed .*plan it again\.$/],
  ['write', 'vanished', /^The source has changed/],
  ['build', 'no-space', /^Once that is fixed: .*stowage.* again$/],
  ['write', 'tool-failed', /^Once that is fixed: /],
  ['verify', 'cancelled', /^To continue: .*again$/],
  ['verify', 'not-found', /^To build it: .*build \/plans\/1$/],
  ['verify', 'verification-failed', null],
])('after %s failed with %s the next step is named where there is one', (kind, code, expected) => {
  const lines = afterFailure(failed(kind, code), ['again'], false)
  if (expected === null) expect(lines).toEqual([])
  else expect(lines.join(' ')).toMatch(expected)
})

it.each([
  ['/source/a', true],
  ['/usb/A_01.iso', false],
  ['/plans/1/images/01.iso', false],
])('leaving files out is offered where %s may not be read or written: %s', (path, isOffered) => {
  const run = failed('write', 'permission-denied')
  for (const { errors } of run.volumes) for (const error of errors) error.path = path
  const how = { tool: null, speed: null, onTheFly: false }
  const target = { kind: 'folder', path: '/usb', ...how } as const
  const lines = afterFailure({ ...run, target }, ['again'], true)
  expect(lines.join(' ').includes('--skip-changed')).toBe(isOffered)
})

it('shows failed volumes whatever their place, in the order of the set', () => {
  const { volumes } = runDocument('b-1', 'p-1', 'build', 1, ['done', 'done', 'done', 'failed'])
  const { shown, rest } = neededRows(volumes, 2)
  expect(shown.map(({ index }) => index)).toEqual([1, 4])
  expect(rest).toEqual(['and 2 more: --json'])
})
