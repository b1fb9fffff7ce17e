import { expect, test } from 'vitest'
import { planDocumentSchema } from '../../../src/contract/dto/plan'

const volume = {
  index: 1,
  label: 'PHOTOS_01',
  sectors: 1,
  capacitySectors: 1,
  files: 1,
  bytes: 1,
  reserveBytes: 0,
  shares: [],
}

test.each(['../precious', '/etc', '..', '', 'A/B', 'a\n'])(
  'a plan whose volume is labelled %j is not taken: volumes are written to a folder under their labels',
  (label) => {
    const { volumes } = planDocumentSchema.shape
    expect(volumes.safeParse([volume]).success).toBe(true)
    expect(volumes.safeParse([{ ...volume, label }]).success).toBe(false)
  },
)
