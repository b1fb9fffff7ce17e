import { describe, expect, it } from 'vitest'
import {
  type BandsForm,
  bandSizesOf,
  initialBands,
  pointGroups,
  reduceBands,
  sweepRequestOf,
} from '../../../renderer/src/steps/measure/bands/bandsState'
import { bandSweepRequestSchema } from '../../../src/contract/dto/bands'
import { FakeSweeps } from '../../fixtures/fakeEngine/fakeSweeps'

const form: BandsForm = { ...initialBands.form, place: { path: '/mnt/fast', mayWrite: true } }

describe('the form of a band sweep', () => {
  it('requests the defaults of the contract when nothing is set', () => {
    const request = sweepRequestOf(form)
    expect(request).toEqual(bandSweepRequestSchema.parse({ directory: '/mnt/fast' }))
  })

  it.each<[string, Partial<BandsForm>]>([
    ['no place', { place: null }],
    ['no container', { kinds: [] }],
    ['no encryption', { encryptions: [] }],
    ['a wrong size', { fullSize: '20 apples' }],
    ['a full size below a band', { fullSize: '1kB' }],
    ['a wrong budget', { budget: 'much' }],
    ['bands below 1 MiB', { sizes: '64KiB' }],
  ])('asks for nothing with %s', (_what, change) => {
    expect(sweepRequestOf({ ...form, ...change })).toBeNull()
  })

  it.each([
    ['2MiB, 8MiB', [2 ** 21, 2 ** 23]],
    ['2MiB 8 MiB;64MiB', [2 ** 21, 2 ** 23, 2 ** 26]],
    [' ', null],
    ['8 apples', undefined],
    ['9GiB', undefined],
  ])('reads "%s" as a list of sizes', (text, sizes) => {
    expect(bandSizesOf(text)).toEqual(sizes)
  })

  it('forgets what it looked at when something changes', () => {
    const problem = { code: 'io', message: 'the disk went away' } as const
    const looked = { ...reduceBands(initialBands, { type: 'problem', problem }), agreed: true }
    expect(reduceBands(looked, { type: 'set', form: { budget: '5GB' } })).toMatchObject({
      problem: null,
      agreed: false,
      form: { budget: '5GB' },
    })
  })
})

it('points are drawn by container and encryption, those without bands not at all', () => {
  const kinds = ['UDSB', 'UDRW'] as const
  const sweeps = new FakeSweeps({}, [{ request: { kinds: [...kinds], encryptions: [null, 256] } }])
  const { get } = sweeps.handlers(
    () => ({ jobId: 'j' }),
    () => {},
  )
  const document = get({ sweepId: 'b-before-0' })
  if (document instanceof Promise) throw new Error('the fake answers at once')
  expect(pointGroups(document.points).map(({ key, points }) => [key, points.length])).toEqual([
    ['UDSB none', 12],
    ['UDSB 256', 12],
  ])
})
