import Pdf from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { shortened } from '../../../../../src/domain/sets/labels/drawing'
import { fontRuns, labelFonts, measureBy, withCodes } from '../../../../../src/engine/sets/labels/fonts'

const fonts = await labelFonts(null)
const FAMILY = '👨‍👩‍👧'

describe('the text of a label', () => {
  it.each(['رحلة عائلية إلى الإسكندرية', 'AVATAR office', 'חופשה בים', '2020 Москва'])(
    'is measured as the PDF draws it: %s',
    (text) => {
      const document = new Pdf({ font: fonts.regular.data as unknown as string })
      const drawn = document.fontSize(1).widthOfString(text, { features: [] })
      expect(measureBy(fonts)(text, 1, false)).toBeCloseTo(drawn, 6)
    },
  )

  it('has numbers between Arabic letters from left to right', () => {
    expect(fontRuns('رحلة 2020', false, fonts).map(({ text }) => text)).toEqual(['2020', 'رحلة '])
  })

  it('has one code for a picture of several signs, and none for what only changes its look', () => {
    expect(withCodes(`${FAMILY} 2020`, fonts)).toBe('[1F468 200D 1F469 200D 1F467] 2020')
    expect(withCodes('旅行', fonts)).toBe('[65C5 884C]')
    expect(withCodes('a\u{e0100}', fonts)).toBe('a')
  })

  it('is never cut within a picture or its code', () => {
    const text = `${FAMILY.repeat(6)} Sommer ${FAMILY.repeat(6)}`
    const measure = measureBy(fonts)
    for (let room = 1; room < measure(text, 3, false); room += 7) {
      const shown = shortened(text, room, 3, measure)
      expect(shown.replaceAll(FAMILY, '')).toMatch(/^[ Somer…]*$/)
      if (shown !== '…') expect(measure(shown, 3, false)).toBeLessThanOrEqual(room)
    }
  })
})
