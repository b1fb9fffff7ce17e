import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { WalkRequest } from '../../../src/contract/dto/survey'
import { DIRECTORY } from '../../fixtures/fakeEngine/places'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { keep, ONE, rules, says } from './keptPanel'
import { type Look, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const saved = (page: Page) => page.evaluate(() => window.fake.callsOf('app.saveSettings'))
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

async function opened(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await button(page, 'Settings').click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  return page
}

describe('the page of settings', () => {
  it('is reached from the rail, by its key and from the menu, and is marked as the current page', async () => {
    const page = await opened()
    expect(await button(page, 'Settings').getAttribute('aria-current')).toBe('page')
    await page.keyboard.press('Control+1')
    await page.getByRole('heading', { name: 'Source', level: 1 }).waitFor()
    await page.keyboard.press('Control+,')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.keyboard.press('Control+2')
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    await page.evaluate(() => window.fake.emit('app.settingsWanted', null))
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('shows what is set and in which file that is kept', { tags: 'long' }, async () => {
    const page = await opened({ settings: { units: 'binary', medium: 'bd-r-50', 'max-memory': '1GiB' } })
    expect(await page.getByRole('radio', { name: /^GiB/ }).last().isChecked()).toBe(true)
    await button(page, /^Usual medium: BD-R/).waitFor()
    const memory = page.getByRole('textbox', { name: 'Memory for duplicate blocks' })
    expect(await memory.inputValue()).toBe('1GiB')
    await page.getByText('1,073,741,824 bytes.', { exact: false }).last().waitFor()
    await page.getByTitle('/home/anna/.config/stowage/settings.yaml').waitFor()
  })

  it('saves each change at once, with the keyboard alone', async () => {
    const page = await opened({}, { width: 900, height: 600 })
    const units = page.getByRole('radiogroup', { name: 'Unit of sizes' })
    await units.getByRole('radio', { name: /^GB/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => saved(page)).toEqual([{ units: 'binary' }, { theme: 'light' }])
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'BD-R DL 50 GB', exact: true }).focus()
    await picture(page, 'settings-media')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ medium: 'bd-r-50' })
    await page.getByRole('checkbox', { name: /^Compute SHA-256/ }).focus()
    await page.keyboard.press('Space')
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ sha256: false })
  })

  it('speaks another language at once, and writes its numbers', { tags: 'long' }, async () => {
    const page = await opened({}, { width: 900, height: 600 })
    await page.getByText('Deutsch', { exact: true }).click()
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
    await page.getByText('1.073.741.824 Bytes', { exact: false }).first().waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ language: 'de' })
    await page.getByText('English', { exact: true }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('saves the memory of surveys when it is left or Enter is pressed, and only a size that fits', {
    tags: 'long',
  }, async () => {
    const page = await opened()
    const memory = page.getByRole('textbox', { name: 'Memory for duplicate blocks' })
    await memory.fill('1k')
    await page.getByText('At least 16MiB.', { exact: true }).waitFor()
    await memory.press('Enter')
    await memory.fill('lots')
    await page.getByText('Not a size. Write for example 512MiB or 2GB.', { exact: true }).waitFor()
    await memory.blur()
    await memory.fill('64 MiB')
    await memory.press('Enter')
    await memory.fill('128MiB')
    await memory.press('Tab')
    await expect.poll(() => saved(page)).toEqual([{ 'max-memory': '64 MiB' }, { 'max-memory': '128MiB' }])
  })
})

describe('prices', { tags: 'long' }, () => {
  it('are noted for each disc with the day, and only as an amount with a currency', async () => {
    const page = await opened({}, { width: 900, height: 600 })
    const price = page.getByRole('textbox', { name: 'BD-R 25 GB', exact: true })
    await price.fill('cheap')
    await page.getByText('Write an amount and a currency, such as 0.85 EUR.').waitFor()
    await price.press('Enter')
    await price.fill('0.85 eur')
    await price.press('Enter')
    await expect
      .poll(() => saved(page))
      .toEqual([{ prices: [expect.stringMatching(/^bd-r-25=0\.85 EUR \d{4}-\d\d-\d\d$/)] }])
    await page.getByText(/^Given on \d{4}-\d\d-\d\d\.$/).waitFor()
    expect(await price.inputValue()).toBe('0.85 EUR')
    await picture(page, 'settings-prices')
    await price.fill('')
    await price.press('Enter')
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ prices: [] })
  })
})

describe('the settings', { tags: 'long' }, () => {
  it('are carried out by the next survey and the next plan', async () => {
    const scenario: Scenario = { sources: [{ path: '/media/photos', kind: 'folder', name: 'photos' }] }
    const page = await opened({ ...scenario, settings: { 'max-memory': '64MiB' } })
    await button(page, /^Usual medium: /).click()
    await page.getByRole('menuitemradio', { name: 'CD-R 700 MB', exact: false }).first().click()
    await page.keyboard.press('Control+1')
    await button(page, 'Start survey').click()
    const surveys = () => page.evaluate(() => window.fake.callsOf('survey.start'))
    await expect.poll(surveys).toMatchObject([{ maxMemoryBytes: 64 * 1024 ** 2 }])
    await page.keyboard.press('Control+4')
    await page
      .getByRole('radio', { name: /^CD-R 700 MB|^700 MB/, checked: true })
      .first()
      .waitFor()
  })

  it('have the next survey read with as many threads as are set', async () => {
    const page = await opened(ONE)
    const threads = page.getByRole('textbox', { name: 'Threads that read' })
    await threads.fill('65')
    await threads.press('Enter')
    await page.getByText('Write auto, or a number from 1 to 64.', { exact: true }).waitFor()
    await threads.fill('3')
    await threads.press('Enter')
    await expect.poll(() => saved(page)).toEqual([{ threads: 3 }])
    await page.keyboard.press('Control+1')
    await button(page, 'Start survey').click()
    const surveys = () => page.evaluate(() => window.fake.callsOf('survey.start'))
    await expect.poll(surveys).toMatchObject([{ threads: 3 }])
  })
})

describe('the folder for temporary files', { tags: 'long' }, () => {
  it('is chosen in a dialog, and given up for the system’s', async () => {
    const page = await opened()
    await page.getByText('In the system’s folder for temporary files.', { exact: true }).waitFor()
    await button(page, 'Choose folder…').click()
    await expect.poll(() => saved(page)).toEqual([{ 'work-folder': DIRECTORY }])
    await page.getByTitle(DIRECTORY).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('app.chooseDirectory'))).toEqual([
      { purpose: 'work' },
    ])
    await button(page, 'Use the system’s').click()
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ 'work-folder': null })
    await page.getByText('In the system’s folder for temporary files.', { exact: true }).waitFor()
  })
})

describe('default rules', { tags: 'long' }, () => {
  const lastRules = async (page: Page, call: 'survey.walk' | 'survey.start') => {
    const asked = await page.evaluate((name) => window.fake.callsOf(name), call)
    return (asked.at(-1) as WalkRequest | undefined)?.rules
  }

  it('leave out of new work what they say, are named there, and of a survey', async () => {
    const page = await windows.window({ ...ONE, settings: { 'exclude-preset': ['caches'] } })
    await says(page, /left out by 1 rule\.$/)
    await rules(page).getByText('1 rule, from your settings', { exact: true }).waitFor()
    await button(page, 'Start survey').click()
    await expect.poll(() => lastRules(page, 'survey.start')).toMatchObject({ presets: ['caches'] })
  })

  it('are followed from the page of settings until a person changes rules', async () => {
    const page = await opened(ONE)
    const caches = page.getByRole('checkbox', { name: /^Program caches/ })
    await caches.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => saved(page)).toEqual([{ 'exclude-preset': ['caches'] }])
    const larger = page.getByRole('textbox', { name: 'Files larger than' })
    await larger.fill('50MB')
    await larger.press('Tab')
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ 'exclude-larger-than': '50MB' })
    await expect
      .poll(() => lastRules(page, 'survey.walk'))
      .toMatchObject({ presets: ['caches'], largerThanBytes: 50_000_000 })
    await picture(page, 'settings-default-rules')
    await page.keyboard.press('Control+1')
    await keep(page, 'Exports').click()
    await expect.poll(() => lastRules(page, 'survey.walk')).toMatchObject({ patterns: ['/Exports/'] })
    await page.keyboard.press('Control+,')
    await page.getByRole('checkbox', { name: /^Wastebaskets/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+1')
    await keep(page, '2019').click()
    await expect
      .poll(() => lastRules(page, 'survey.walk'))
      .toMatchObject({ patterns: ['/Exports/', '/2019/'], presets: ['caches'] })
  })

  it('can be made of the rules at hand, and taken back', async () => {
    const page = await windows.window({ ...ONE, settings: { exclude: ['*.tmp'] } })
    await rules(page).getByText('1 rule, from your settings', { exact: true }).click()
    await keep(page, 'Exports').click()
    await rules(page).getByText('These rules are for this work only.', { exact: true }).waitFor()
    await picture(page, 'default-rules-other')
    await button(page, 'Back to the default rules').click()
    await expect.poll(() => lastRules(page, 'survey.walk')).toMatchObject({ patterns: ['*.tmp'] })
    await keep(page, 'Exports').click()
    await button(page, 'Use for every new survey').click()
    await expect.poll(() => saved(page)).toMatchObject([{ exclude: ['*.tmp', '/Exports/'] }])
    await rules(page).getByText('2 rules, from your settings', { exact: true }).waitFor()
    await page.keyboard.press('Control+,')
    await button(page, 'Remove the rule *.tmp').click()
    await expect.poll(async () => (await saved(page)).at(-1)).toEqual({ exclude: ['/Exports/'] })
  })
})
