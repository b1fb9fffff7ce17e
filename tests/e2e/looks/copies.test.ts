import { describe, expect, it } from 'vitest'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { now } from '../renderer/checkedVolumes'
import { region } from '../renderer/controls'
import { speakGerman } from '../renderer/speakGerman'
import { textFaults } from '../renderer/textFaults'
import { picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

describe('copies and the verdict on a source', () => {
  it.each([
    ['1440×900', { width: 1440, height: 900 }],
    ['900×600 dark', { width: 900, height: 600, dark: true }],
  ] as const)('cut and cover no text at %s, in German neither', async (size, look) => {
    const first = volumeDue('PHOTOS_01', 1, now, { checkedDays: 20, dueDays: 345 })
    const page = await windows.window(
      {
        history: true,
        checksDue: [first, { ...first, copy: 2 }],
        copies: [volumeCopy(1, 'home'), volumeCopy(2, 'parents’ house')],
      },
      look,
    )
    await page.keyboard.press('Control+6')
    await page
      .getByRole('button', { name: /safe to delete\?$/ })
      .first()
      .click()
    await page.getByText('Iceland is not safe to delete.').waitFor()
    await picture(page, `copies-${size.replace(/\W+/g, '-')}`)
    expect(await textFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Place… of PHOTOS_01, copy 2' }).click()
    await region(page, 'Where is this copy kept?').waitFor()
    await page.getByRole('button', { name: 'Note PHOTOS_01, copy 2, as lost' }).click()
    await page.getByText('Noted as lost: PHOTOS_01, copy 2.').waitFor()
    await picture(page, `copies-place-${size.replace(/\W+/g, '-')}`)
    expect(await textFaults(page)).toEqual([])
    await region(page, 'Discs and images').scrollIntoViewIfNeeded()
    await picture(page, `copies-lost-${size.replace(/\W+/g, '-')}`)
    expect(await textFaults(page)).toEqual([])
    await region(page, 'Surveys').scrollIntoViewIfNeeded()
    await picture(page, `copies-surveys-${size.replace(/\W+/g, '-')}`)
    await speakGerman(page)
    await page.getByText('Iceland sollte nicht gelöscht werden.').waitFor()
    await page.getByText('Wo liegt diese Kopie?').scrollIntoViewIfNeeded()
    expect(await textFaults(page)).toEqual([])
    await picture(page, `copies-german-${size.replace(/\W+/g, '-')}`)
  })
})
