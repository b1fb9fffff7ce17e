import { describe, expect, it } from 'vitest'
import type { Packing } from '../../../renderer/src/steps/plan/planState'
import {
  changeOf,
  packingOfForm,
  type StepValues,
} from '../../../renderer/src/steps/source/project/stepValues'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { NO_RULES } from '../../../src/contract/dto/survey'
import { exact } from '../../../src/primitives/estimate'

const BEFORE: StepValues = {
  rules: NO_RULES,
  layout: null,
  options: { mediumIds: [], encryption: 'none', goal: 'balanced' },
  plan: {
    mediumId: 'bd-r-25',
    packing: null,
    labelPrefix: null,
    protection: 'fill',
    copies: null,
    document: null,
  },
}
const PACKING: Packing = {
  recipe: '7z-files',
  name: null,
  form: 'many',
  encryption: 'aes-256',
  joined: false,
  bytes: exact(1, ''),
  surveyId: 's1',
}
const USUAL = ['disk', 'bd-r-25']

const changed = (
  options: Partial<StepValues['options']>,
  plan: Partial<StepValues['plan']> = {},
  usual = USUAL,
) =>
  changeOf(
    BEFORE,
    { ...BEFORE, options: { ...BEFORE.options, ...options }, plan: { ...BEFORE.plan, ...plan } },
    usual,
  )

describe('a change of the steps', () => {
  it('changes the project in what was changed alone', () => {
    expect(changed({})).toEqual({})
    expect(changed({ encryption: 'aes-128' })).toEqual({ encryption: 'aes-128' })
    expect(changed({ goal: 'smallest' })).toEqual({ goal: 'smallest' })
    expect(changed({ goal: 'own' })).toEqual({})
    expect(changed({}, { labelPrefix: 'PHOTOS' })).toEqual({ label: 'PHOTOS' })
    expect(changed({}, { labelPrefix: 'not one' })).toEqual({ label: null })
    expect(changed({}, { protection: 7.5 })).toEqual({ protection: 7.5 })
    expect(changeOf(BEFORE, { ...BEFORE, layout: 'merged' }, USUAL)).toEqual({ layout: 'merged' })
    const own = { ...BEFORE, plan: { ...BEFORE.plan, protection: 7.5 } }
    expect(changeOf(own, BEFORE, USUAL)).toEqual({ protection: null })
  })

  it('decides on a medium where only one is left, and by the plan', () => {
    expect(changed({ mediumIds: ['dvd-r'] })).toEqual({ medium: 'dvd-r' })
    expect(changed({ mediumIds: ['disk', 'dvd-r'] })).toEqual({ medium: null })
    // Filled in by the window, not by a person.
    expect(changed({ mediumIds: ['disk'] }, {}, ['disk'])).toEqual({ medium: null })
    expect(changed({}, { mediumId: 'dvd-r' })).toEqual({ medium: 'dvd-r' })
  })

  it('takes an option with its encryption and medium, and plain files without encryption', () => {
    expect(changed({}, { packing: PACKING })).toEqual({
      option: '7z-files',
      encryption: 'aes-256',
      medium: 'bd-r-25',
    })
    const packed = { ...BEFORE, plan: { ...BEFORE.plan, packing: PACKING } }
    expect(changeOf(packed, BEFORE, USUAL)).toEqual({ option: null, encryption: 'none', medium: 'bd-r-25' })
  })

  it('is none where an earlier plan is shown again', () => {
    const document = { id: 'p1' } as PlanDocument
    expect(changed({}, { mediumId: 'dvd-r', packing: PACKING, protection: 'none', document })).toEqual({})
  })
})

it.each([
  [null, null],
  ['plain', null],
  ['plain-hardlinks', { recipe: 'plain-hardlinks', form: 'plain' }],
  ['7z-files', { recipe: '7z-files', form: null, encryption: 'aes-256' }],
])('the option %j of a project is the packing %j', (option, packing) => {
  const form = {
    rules: NO_RULES,
    layout: null,
    medium: null,
    encryption: 'aes-256',
    protection: null,
    copies: null,
    label: null,
    goal: 'balanced',
  } as const
  const made = packingOfForm({ ...form, option })
  if (packing === null) expect(made).toBeNull()
  else expect(made).toMatchObject(packing)
})
