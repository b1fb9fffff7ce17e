import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DIRECTORY } from '../../fixtures/fakeEngine/places'
import { button, callsOf } from './controls'
import { labelsDialog, openLabels } from './labelsPanel'
import { picture, showAs, windowsForTests } from './windowUnderTest'
import { exported } from './writtenSet'

const windows = windowsForTests()

const make = (page: Page) => button(page, 'Make the labels…')
const line = (page: Page, name: string) => labelsDialog(page).getByRole('textbox', { name, exact: true })
const asked = (page: Page) => callsOf(page, 'plan.labels')

describe('labels and case inserts', () => {
  it('are made of all discs, on the usual paper and for the case of the medium, where nothing is chosen', async () => {
    const page = await exported(windows)
    await openLabels(page)
    await make(page).click()
    await labelsDialog(page).waitFor({ state: 'detached' })
    expect(await asked(page)).toEqual([
      {
        directory: expect.any(String),
        out: DIRECTORY,
        force: false,
        paper: 'a4',
        language: 'en',
        volumes: [],
      },
    ])
    await page.getByText('One name has letters that the PDF’s font lacks', { exact: false }).waitFor()
  })

  it('are chosen by keyboard alone; paper and font are remembered', { tags: 'long' }, async () => {
    const page = await exported(windows)
    await openLabels(page)
    await line(page, 'Discs').press('Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitemradio]:focus').waitFor()
    await page.getByRole('menuitemradio', { name: 'DVD keep case', exact: true }).press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Case: DVD keep case')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await labelsDialog(page).getByTitle('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc').waitFor()
    await line(page, 'Discs').fill('1, 3-4')
    await make(page).press('Enter')
    await labelsDialog(page).waitFor({ state: 'detached' })
    expect(await asked(page)).toMatchObject([
      {
        paper: 'letter',
        volumes: [1, 3, 4],
        copy: 2,
        case: 'dvd',
        font: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
      },
    ])
    expect(await callsOf(page, 'app.saveSettings')).toEqual([{ paper: 'letter' }])
    // What was chosen is there again, the paper and the font in the Plan step too.
    await openLabels(page)
    expect(await line(page, 'Discs').inputValue()).toBe('1, 3-4')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+4')
    await openLabels(page)
    expect(await line(page, 'Discs').inputValue()).toBe('')
    expect(await labelsDialog(page).getByRole('radio', { name: 'Letter' }).isChecked()).toBe(true)
    await labelsDialog(page).getByText('NotoSansCJK-Regular.ttc', { exact: false }).first().waitFor()
  })

  it('are those of the selected discs', { tags: 'long' }, async () => {
    const page = await exported(windows)
    await page.getByRole('checkbox', { name: /PHOTOS_2$|PHOTOS_02/ }).press('Space')
    await openLabels(page)
    expect(await line(page, 'Discs').inputValue()).toBe('2')
  })

  it('are not made while a number is wrong, which says why', { tags: 'long' }, async () => {
    const page = await exported(windows)
    await openLabels(page)
    for (const [name, wrong, why] of [
      ['Discs', '10', 'Numbers from 1 to 9, such as 1, 3-5.'],
      ['Copy', '1.5', 'A whole number from 1 to 99.'],
    ] as const) {
      await line(page, name).fill(wrong)
      await labelsDialog(page).getByText(why, { exact: true }).waitFor()
      expect(await make(page).isDisabled()).toBe(true)
      await line(page, name).fill('')
      expect(await make(page).isDisabled()).toBe(false)
    }
  })

  it('replace earlier ones only when that is said, and the dialog says why they were not made', {
    tags: 'long',
  }, async () => {
    const message = '/media/backup/PHOTOS_1-disc.svg is already there (--force replaces it)'
    const page = await exported(windows, {}, { fails: { 'plan.labels': { code: 'exists', message } } })
    await openLabels(page)
    await make(page).click()
    const why = labelsDialog(page).getByRole('alert')
    await why.getByText('/media/backup/PHOTOS_1-disc.svg is already there', { exact: false }).waitFor()
    await showAs(page, { width: 900, height: 600, dark: true })
    await picture(page, 'labels, refused')
    await why.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect.poll(async () => (await asked(page)).length).toBe(2)
    expect(await asked(page)).toMatchObject([{ force: false }, { force: true }])
    // Another choice makes the refusal a thing of the past.
    await line(page, 'Copy').fill('2')
    await expect.poll(() => why.innerText()).toBe('')
  })
})
