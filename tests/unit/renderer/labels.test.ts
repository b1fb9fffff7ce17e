import { describe, expect, it } from 'vitest'
import {
  discsTyped,
  initialLabels,
  labelsAsked,
  mostDiscs,
} from '../../../renderer/src/steps/building/printing/labelsForm'
import { labelsRequestSchema, MOST_VOLUMES } from '../../../src/contract/dto/labels'
import { planDocument } from '../../support/catalogPlan'

describe('the discs whose labels are printed', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['2', [2]],
    ['1, 3-5', [1, 3, 4, 5]],
    [' 5 ,3 – 4,4', [3, 4, 5]],
    ['7', [7]],
  ])('are read from %j', (text, discs) => {
    expect(discsTyped(text, 7)).toEqual(discs)
  })

  it.each(['0', '8', '1-8', '3-2', '1.5', '-1', '1,', 'two', '1 2', '1e1'])(
    'are none where %j is typed and there are seven',
    (text) => {
      expect(discsTyped(text, 7)).toBe(null)
    },
  )

  it('are those of the plan; of a packed one there may be more', () => {
    const plan = planDocument('p-1', 's-1', 3)
    expect(mostDiscs(plan)).toBe(3)
    expect(mostDiscs({ ...plan, packing: {} as NonNullable<typeof plan.packing> })).toBe(MOST_VOLUMES)
  })
})

describe('what is asked for', () => {
  const whole = { directory: '/set', out: '/labels' }

  it('is what the command line makes without options where nothing is chosen', () => {
    expect(labelsRequestSchema.parse({ ...whole, ...labelsAsked(initialLabels, 7) })).toEqual(
      labelsRequestSchema.parse(whole),
    )
  })

  it('holds discs, copy and case as the contract takes them', () => {
    const asked = labelsAsked({ discs: '1-2', copy: '99', caseKind: 'dvd' }, 7)
    expect(labelsRequestSchema.parse({ ...whole, ...asked })).toMatchObject({
      volumes: [1, 2],
      copy: 99,
      case: 'dvd',
    })
  })

  it.each([
    { discs: '8', copy: '' },
    { discs: '', copy: '0' },
    { discs: '', copy: '1.5' },
    { discs: '', copy: '100' },
  ])('is nothing with $discs and $copy', (typed) => {
    expect(labelsAsked({ ...initialLabels, ...typed }, 7)).toBe(null)
  })
})
