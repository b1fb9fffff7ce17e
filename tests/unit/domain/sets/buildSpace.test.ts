import { expect, test } from 'vitest'
import { buildSpace } from '../../../../src/domain/sets/buildSpace'

type Plan = Parameters<typeof buildSpace>[0]

function planOf(volumes: number[], packing?: object): Plan {
  return {
    medium: { sectorBytes: 10, capacitySectors: 100 },
    volumes: volumes.map((sectors) => ({ sectors })),
    ...(packing && { packing }),
  } as unknown as Plan
}

const bytes = { low: 1000, value: 1200, high: 1500 }

test.each([
  ['plain files', planOf([90, 30]), false, 0],
  [
    'archives that may be tried three times',
    planOf([90, 30], { arrangement: 'independent', bytes }),
    false,
    3500,
  ],
  ['an archive of one volume', planOf([90], { arrangement: 'independent', bytes }), false, 1500],
  ['one archive across volumes', planOf([90, 30], { arrangement: 'joined', bytes }), false, 1500],
  ['streamed archives', planOf([90, 30], { arrangement: 'independent', bytes }), true, 900],
])('%s need work space for what is there at once', (_, plan, stream, work) => {
  const volumes = plan.volumes.reduce((sum, { sectors }) => sum + sectors * 10, 0)
  expect(buildSpace(plan, stream)).toEqual({ volumes, work })
})
