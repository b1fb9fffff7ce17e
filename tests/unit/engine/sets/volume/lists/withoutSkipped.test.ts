import { expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../../src/contract/dto/plan'
import { restOf } from '../../../../../../src/engine/sets/volume/lists/withoutSkipped'
import { plannedVolumes } from '../../../../../../src/engine/sets/volume/planned/plannedVolume'
import { planDocument } from '../../../../../support/catalogPlan'

test('a volume without a file of two names has its bytes less once', () => {
  const file = (path: string, more: Partial<PlanEntry> = {}): PlanEntry =>
    ({
      kind: 'file',
      path,
      source: `/archive/${path}`,
      bytes: 5,
      sha256: 'ab'.repeat(32),
      ...more,
    }) as PlanEntry
  const entries = [file('a'), file('b', { linkOf: 'a' }), file('c')]
  const [volume] = plannedVolumes(planDocument('p-1', 's-1', 1).volumes, 'STOWAGE', () => entries)
  if (!volume) throw new Error('a plan without volumes')
  const rest = restOf(
    { ...volume, files: 3, bytes: 10 },
    new Map([
      ['a', 'changed'],
      ['b', 'changed'],
    ]),
  )
  expect(rest).toMatchObject({ files: 1, bytes: 5, entries: [{ path: 'c' }] })
})
