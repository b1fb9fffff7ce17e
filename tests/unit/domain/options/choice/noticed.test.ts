import { describe, expect, it } from 'vitest'
import { optionsRequestSchema } from '../../../../../src/contract/dto/options'
import { isNoticeablySmaller, noticedGain } from '../../../../../src/domain/options/choice/noticed'
import { FakeOptions } from '../../../../fixtures/fakeEngine/fakeOptions'

const { list } = new FakeOptions({}, { id: 's1', roots: ['/a'], files: 10, bytes: 60e9 }).handlers(() => ({
  jobId: 'j',
}))
const [some] = (await list(optionsRequestSchema.parse({ surveyId: 's1', mediumIds: ['bd-r-25'] }))).options
if (!some) throw new Error('the list is empty')

/** An option of these exact figures: bytes, volumes, seconds to build and to restore. */
function option(bytes: number, volumes = 3, build = 600, restore = 600, portability = 1) {
  const { estimate } = some as NonNullable<typeof some>
  const at = (figure: keyof typeof estimate, value: number) => ({
    ...estimate[figure],
    value,
    low: value,
    high: value,
  })
  return {
    portability,
    estimate: {
      ...estimate,
      bytes: at('bytes', bytes),
      volumes: at('volumes', volumes),
      buildSeconds: at('buildSeconds', build),
      writeSeconds: at('writeSeconds', 0),
      restoreSeconds: at('restoreSeconds', restore),
    },
  }
}

describe('what a person notices', () => {
  const plain = option(60e9)

  it.each([
    ['nothing of the same figures', option(60e9), null],
    ['nothing of two per cent', option(58.9e9), null],
    ['a size that is clearly less', option(55e9), 'bytes'],
    ['a disc less before a size', option(49e9, 2), 'volumes'],
    ['a build that ends minutes earlier', option(60e9, 3, 400), 'buildSeconds'],
    ['nothing of half a minute of building', option(60e9, 3, 570), null],
    ['a restore that ends earlier', option(60e9, 3, 600, 500), 'restoreSeconds'],
    ['nothing that is worse', option(70e9, 4, 900, 900), null],
  ] as const)('is %s', (_, other, gain) => {
    expect(noticedGain(other, plain)).toBe(gain)
    expect(isNoticeablySmaller(other, plain)).toBe(gain === 'bytes' || gain === 'volumes')
  })

  it('is that more systems read it', () => {
    expect(noticedGain(plain, option(60e9, 3, 600, 600, 0.5))).toBe('portability')
  })
})
