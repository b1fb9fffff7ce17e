import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedPrice } from '../../../../src/domain/media/price'
import { generationAsOf } from '../../../../src/domain/sets/growing/asOf'
import { reportHtml } from '../../../../src/engine/sets/export/reportHtml'
import { asidePath } from '../../../../src/engine/sets/export/setAside'
import { volumeTexts } from '../../../../src/engine/sets/labels/labelTextsOf'
import { isoMinute } from '../../../../src/primitives/spokenTime'
import { planDocument } from '../../../support/catalogPlan'

/** Still the day before in UTC. */
const AFTER_MIDNIGHT = Date.parse('2026-05-30T11:30:00Z')

const zone = process.env.TZ
beforeAll(() => {
  process.env.TZ = 'Pacific/Kiritimati'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('the local day of a moment is shown', () => {
  const plan = { ...planDocument('p-0123456789ab', 's-0123456789ab', 1), createdWallMs: AFTER_MIDNIGHT }

  it('in lists', () => {
    expect(isoMinute(AFTER_MIDNIGHT)).toBe('2026-05-31 01:30')
  })

  it('with a price', () => {
    expect(changedPrice([], 'dvd+r=0.3 USD', AFTER_MIDNIGHT)).toEqual(['dvd+r=0.3 USD 2026-05-31'])
  })

  it('of the first plan of an archive', () => {
    const known = [{ generation: 1, createdWallMs: AFTER_MIDNIGHT }]
    expect(() => generationAsOf('2026-05-30', known)).toThrow('is of 2026-05-31')
    expect(generationAsOf('2026-05-31', known)).toBe(1)
  })

  it('on a label', () => {
    const [volume] = plan.volumes
    if (!volume) throw new Error('no volume')
    const { facts } = volumeTexts(volume, { plan, setId: undefined, copy: undefined, language: 'en' })
    expect(facts.map(([, value]) => value)).toContain('2026-05-31')
  })

  it.each(['en', 'de'] as const)('in the report of a plan in %s', (language) => {
    const html = reportHtml(plan, language)
    expect(html).toContain('2026-05-31 01:30')
    expect(html).not.toContain('UTC')
  })

  it('in the name of a plan folder that was replaced', () => {
    expect(asidePath('/no such folder/plan', AFTER_MIDNIGHT)).toBe('/no such folder/plan.replaced-2026-05-31')
  })
})
