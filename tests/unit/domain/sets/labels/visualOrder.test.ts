import { describe, expect, it } from 'vitest'
import { visualOrder } from '../../../../../src/domain/sets/labels/visualOrder'

describe('a text of both directions', () => {
  it.each([
    ['Photos 2020', ['> Photos 2020']],
    ['رحلة عائلية', ['< رحلة عائلية']],
    ['رحلة 2020', ['> 2020', '< رحلة ']],
    ['رحلة 2020-05-31, البحر', ['< , البحر', '> 2020-05-31', '< رحلة ']],
    ['2020 رحلة', ['> 2020 ', '< رحلة']],
    ['IMG رحلة 12 of 34', ['> IMG ', '> 12', '< رحلة ', '>  of 34']],
    ['רחלה رحلة 2020 (صيف)', ['<  )صيف(', '> 2020', '< רחלה رحلة ']],
    ['(رحلة) a', ['> (', '< رحلة', '> ) a']],
    ['חוף (ים) 7', ['> 7', '< חוף )ים( ']],
    ['رحلة/صور/a.jpg', ['< رحلة/صور', '> /a.jpg']],
    ['١٢ صورة ٣٤', ['> ٣٤', '<  صورة ', '> ١٢']],
  ])('%s is drawn from left to right', (text, parts) => {
    expect(visualOrder(text).map((part) => `${part.isRightToLeft ? '<' : '>'} ${part.text}`)).toEqual(parts)
  })
})
