import { expect, it } from 'vitest'
import german from '../../../assets/copy/de/burn.json' with { type: 'json' }
import english from '../../../assets/copy/en/burn.json' with { type: 'json' }
import { burnText } from '../../../src/contract/burnText'
import type { BurnTimes } from '../../../src/domain/sets/planDocument'
import { messagesPerLanguage } from '../../../src/language/messages'

const { en, de } = messagesPerLanguage({ en: english, de: german })

const burn: BurnTimes = {
  from: 'files',
  seconds: { value: 600, low: 480, high: 900, confidence: 0.95, provenance: 'assumed', basis: 'a test' },
  bottleneck: 'writer',
  bufferBytes: 65_536,
  disc: { index: 1, seconds: 500, unbufferedSeconds: 501, smallFirstSeconds: 500, smallLastSeconds: 502 },
}

it('is one sentence where neither buffer nor order matters', () => {
  expect(burnText(burn, en.say)).toBe(
    'Burned without an image on disk: 8 min to 15 min (assumed); the drive is the bottleneck; a buffer of 64.0 KiB is enough.',
  )
})

it('says what a buffer saves, and which order is faster', () => {
  const disc = {
    index: 3,
    seconds: 500,
    unbufferedSeconds: 700,
    smallFirstSeconds: 650,
    smallLastSeconds: 400,
  }
  expect(
    burnText(
      { ...burn, from: 'images', bottleneck: 'starvation', bufferBytes: 32 * 1024 ** 2, disc },
      en.say,
    ),
  ).toBe(
    'Burned from the images: 8 min to 15 min (assumed); files and drive wait for each other in turn; a buffer of 32.0 MiB is enough. ' +
      'Without it, disc 3 takes about 10 min instead of about 8 min. With its small files last, about 7 min.',
  )
})

it('is written in the language of the words', () => {
  expect(burnText({ ...burn, bottleneck: 'source' }, de.say)).toMatch(
    /^Gebrannt ohne Abbild auf der Festplatte: .*\(angenommen\); das Lesen der Dateien begrenzt; ein Puffer von .* genügt\.$/,
  )
})
