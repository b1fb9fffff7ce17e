import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killAndLook } from '../../support/containers/killedWriter'
import { MEBI, VARIETIES } from '../../support/containers/varieties'
import { temporaryFolder } from '../../support/temporaryFolder'
import { contentOf, faultIn, SLOT_BYTES, stepsOf } from './writingProcess'

it('the check finds what was lost and what was never written', () => {
  const steps = [
    { offset: 0, bytes: SLOT_BYTES, flushes: true },
    { offset: 0, bytes: SLOT_BYTES, flushes: false },
  ]
  expect(faultIn(contentOf(0, SLOT_BYTES), steps, 1, 2)).toBeNull()
  expect(faultIn(contentOf(1, SLOT_BYTES), steps, 1, 2)).toBeNull()
  expect(faultIn(contentOf(1, SLOT_BYTES), steps, 1, 1)).toBe('slot 0 holds step 2, flushed was 1')
  expect(faultIn(Buffer.alloc(SLOT_BYTES), steps, 1, 2)).toBe('slot 0 holds step 0, flushed was 1')
  expect(stepsOf(1, 10 * MEBI, 5)).toEqual(stepsOf(1, 10 * MEBI, 5))
})

// One seed each here; tests/bench/speed/operations.ts does it over and over.
it.each(VARIETIES.filter((variety) => variety.keyBits !== 128))(
  'a $name keeps what was flushed when its writer is killed',
  async (variety) => {
    const path = join(await temporaryFolder(), 'disk')
    const how = { seed: 11, diskBytes: 6 * MEBI + 512, bandBytes: MEBI, killAfter: 60 }
    expect(await killAndLook(variety, path, how)).toBeNull()
  },
)
