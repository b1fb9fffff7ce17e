import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { OptionsRequest } from '../../../src/contract/dto/options'
import { button, callsOf, card, radio } from './controls'
import { primary, surveyed } from './guidedSteps'
import { endWalk, ONE } from './keptPanel'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function lastRequest(page: Page): Promise<OptionsRequest | undefined> {
  const all = (await page.evaluate(() => window.fake.callsOf('options.candidates'))) as OptionsRequest[]
  return all.at(-1)
}

describe('the five questions', () => {
  it('become the media and the limits of the options, and are still answered on the way back', async () => {
    const page = await windows.window()
    await page.keyboard.press('Control+1')
    for (const question of [
      'What do you want to keep?',
      'Where should it live?',
      'Who must open it, and when?',
      'Is it secret?',
      'How safe must it be?',
    ])
      await page.getByRole('heading', { name: question, level: 2 }).waitFor()
    await surveyed(page, async () => {
      await radio(page, 'Discs').click()
      await button(page, 'Kind of disc: BD-R 25 GB').click()
      await page.getByText('the files need at least 9 discs.', { exact: false }).waitFor()
      await page.getByRole('menuitemradio', { name: 'DVD-R 4.7 GB', exact: true }).click()
      await page.getByText('the files need at least 45 discs.', { exact: false }).waitFor()
      await page.getByText('Windows', { exact: true }).click()
      await radio(page, 'Yes, encrypt it').click()
      await radio(page, 'Readable in 30 years').click()
    })
    await button(page, 'Choose').click()
    await card(page, 'Encrypted vault').waitFor()
    expect(await lastRequest(page)).toMatchObject({
      mediumIds: ['dvd-r'],
      encryption: 'aes-256',
      goal: 'anywhere',
      limits: { readableOn: ['windows'], inPlace: false },
    })
    await card(page, 'Plain discs').getByText('Plain files are not encrypted.').waitFor()
    await button(page, 'Change').click()
    for (const answer of ['Discs', 'Yes, encrypt it', 'Readable in 30 years'])
      expect(await radio(page, answer).isChecked(), answer).toBe(true)
    await button(page, 'Kind of disc: DVD-R 4.7 GB').waitFor()
    await radio(page, 'No').click()
    await page.keyboard.press('Control+3')
    await card(page, 'Plain discs').getByText('Every file as it is', { exact: false }).waitFor()
  })

  it('can be skipped: a disk and the disc that was used last are compared', { tags: 'long' }, async () => {
    const page = await windows.window({ settings: { medium: 'bd-r-50' } })
    await page.keyboard.press('Control+1')
    expect(await radio(page, 'Both').isChecked()).toBe(true)
    await surveyed(page)
    await button(page, 'Choose').click()
    await card(page, 'Plain files').waitFor()
    expect(await lastRequest(page)).toMatchObject({
      mediumIds: ['disk', 'bd-r-50'],
      encryption: 'none',
      goal: 'balanced',
      limits: { readableOn: [], inPlace: false },
    })
    await radio(page, 'BD-R DL 50 GB').click()
    await card(page, 'Plain discs').waitFor()
  })

  it('take a size of one’s own, and say what is wrong with it', { tags: 'long' }, async () => {
    const page = await windows.window()
    await page.keyboard.press('Control+1')
    await radio(page, 'Discs').click()
    const size = page.getByRole('textbox', { name: 'Other size' })
    await size.fill('12 bananas')
    await page.getByText('Not a size.', { exact: false }).waitFor()
    await size.fill('30 GB')
    await surveyed(page)
    await button(page, 'Choose').click()
    await card(page, 'Plain discs').waitFor()
    expect(await lastRequest(page)).toMatchObject({ mediumIds: ['custom:30GB'] })
    await button(page, 'Change').click()
    await size.fill('')
    await button(page, 'Kind of disc: BD-R 25 GB').waitFor()
  })

  it('need no mouse', { tags: 'long' }, async () => {
    const page = await windows.window()
    const { keyboard } = page
    await keyboard.press('Control+o')
    await page.getByText('2 sources, ready').waitFor()
    await radio(page, 'Both').focus()
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Space')
    expect(await radio(page, 'Discs').isChecked()).toBe(true)
    await button(page, 'Start survey').focus()
    await keyboard.press('Enter')
    await finish(page)
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
    await button(page, 'Choose').focus()
    await keyboard.press('Enter')
    await button(page, 'Use this: Plain discs').focus()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    await finish(page)
    await page.getByRole('listbox', { name: '9 discs' }).waitFor()
  })
})

describe('the candidates', () => {
  it('are cards with size, discs, time and software, and one of them is the next step', {
    tags: 'long',
  }, async () => {
    const page = await windows.window()
    await surveyed(page, () => radio(page, 'Discs').click())
    await button(page, 'Choose').click()
    for (const name of ['Plain discs', 'Smallest', 'Encrypted vault'])
      for (const label of [/^Size on the medium: /, /^Discs: /, /^To build, write and verify: /])
        await card(page, name).getByRole('button', { name: label }).waitFor()
    await card(page, 'Plain discs').getByText('nothing to install', { exact: false }).first().waitFor()
    expect(await primary(page).allTextContents()).toEqual(['Use this'])
    await button(page, 'Use this: Encrypted vault').click()
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('plan.start'))).toMatchObject([
      { surveyId: 's1', mediumId: 'bd-r-25', encryption: 'aes-256' },
    ])
  })

  it('leave the trade-off chart and all options one click away', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await button(page, 'Choose').click()
    await button(page, /^Compare all \d+ options$/).click()
    await page.getByRole('application', { name: /^Options by size and / }).waitFor()
    await page.getByRole('grid', { name: 'All options' }).waitFor()
    await radio(page, 'Candidates').click()
    await card(page, 'Smallest').waitFor()
  })
})

describe('where no candidate can be had', { tags: 'long' }, () => {
  it('each card says why, and all options are the next step', async () => {
    const page = await windows.window()
    await surveyed(page, () => radio(page, 'Discs').click())
    await page.keyboard.press('Control+3')
    await radio(page, 'All options').click()
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Memory' }).fill('1 kB')
    await page.getByRole('region', { name: 'No option meets these limits' }).waitFor()
    await radio(page, 'Candidates').click()
    await card(page, 'Smallest').getByText('No option meets the limits.').waitFor()
    expect(await primary(page).allTextContents()).toEqual([
      expect.stringMatching(/^Compare all \d+ options$/),
    ])
    await picture(page, 'guided-none')
  })

  it('a failure of the engine is shown', async () => {
    const page = await windows.window({
      fails: { 'options.candidates': { code: 'not-found', message: 'no survey s1 in the catalog' } },
    })
    await surveyed(page)
    await button(page, 'Choose').click()
    await page.getByRole('alert').getByText('no survey s1 in the catalog').waitFor()
  })
})

describe('one accent a page', () => {
  it('leads from the folder to the images of the set', async () => {
    const page = await windows.window()
    const expectNext = async (name: string) =>
      expect.poll(async () => (await primary(page).allTextContents()).join()).toBe(name)
    await expectNext('Choose folders…')
    await surveyed(page, () => radio(page, 'Discs').click())
    await expectNext('Choose')
    await button(page, 'Choose').click()
    await expectNext('Use this')
    await button(page, 'Use this: Plain discs').click()
    await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 1)
    await finish(page)
    await expectNext('Build and verify')
    await page.getByText('/home/anna/Documents/Stowage/', { exact: false }).first().waitFor()
    await button(page, 'Build and verify').click()
    for (const channel of ['plan.export', 'run.build', 'run.verify']) {
      await expect.poll(async () => (await callsOf(page, channel)).length).toBe(1)
      await finish(page)
    }
    const [exported] = await callsOf(page, 'plan.export')
    const { directory } = exported as { directory: string }
    expect(directory).toMatch(/^\/home\/anna\/Documents\/Stowage\/./)
    expect(await callsOf(page, 'run.verify')).toEqual([{ directory, volumes: [] }])
    await page.getByText('Built and verified').waitFor()
    await expectNext('Burn or copy…')
    await button(page, 'Show the images').click()
    expect(await page.evaluate(() => window.fake.callsOf('app.showFolder'))).toEqual([{ path: directory }])
  })

  it('takes another place than the one that is shown', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page, () => radio(page, 'Discs').click())
    await button(page, 'Choose').click()
    await button(page, 'Use this: Plain discs').click()
    await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 1)
    await finish(page)
    await button(page, 'Elsewhere…').click()
    await page.getByText('/media/backup', { exact: false }).first().waitFor()
    await button(page, 'Build and verify').click()
    await expect.poll(async () => (await callsOf(page, 'plan.export')).length).toBe(1)
    expect(await callsOf(page, 'plan.export')).toMatchObject([
      { directory: '/media/backup/Photos plan', force: false },
    ])
    await finish(page)
    await expect.poll(async () => (await callsOf(page, 'run.build')).length).toBe(1)
  })

  it('goes no further where a build fails', { tags: 'long' }, async () => {
    const page = await windows.window({
      jobFails: { build: { code: 'no-space', message: 'no space left on /home' } },
    })
    await surveyed(page, () => radio(page, 'Discs').click())
    await button(page, 'Choose').click()
    await button(page, 'Use this: Plain discs').click()
    await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 1)
    await finish(page)
    await button(page, 'Build and verify').click()
    for (const channel of ['plan.export', 'run.build']) {
      await expect.poll(async () => (await callsOf(page, channel)).length).toBe(1)
      await finish(page)
    }
    await page.getByRole('alert').getByText('no space left', { exact: false }).waitFor()
    expect(await callsOf(page, 'run.verify')).toEqual([])
  })
})

it('in the smallest window at 200 % the whole page scrolls, so that its head leaves room for the step', async () => {
  const page = await windows.window({}, { width: 450, height: 300 })
  const choose = button(page, 'Choose folders…')
  await choose.scrollIntoViewIfNeeded()
  const seen = await page.evaluate(() => {
    const main = document.querySelector('.page') as HTMLElement
    return { scrolls: main.scrollHeight > main.clientHeight, share: main.clientHeight / innerHeight }
  })
  expect(seen.scrolls).toBe(true)
  expect(seen.share).toBeGreaterThan(0.5)
  await choose.click({ trial: true })
})

it('the answer for discs has their cost where a price of them is noted, in room that is kept', async () => {
  const page = await windows.window({
    ...ONE,
    settings: { prices: ['bd-r-25=1.5 EUR 2026-11-27'] },
    walk: { held: true },
  })
  await radio(page, 'Discs').click()
  const note = page.locator('.question').first().locator('.field-note')
  const height = async () => (await note.boundingBox())?.height
  const before = await height()
  await endWalk(page)
  await note.getByText('at least 5 discs: 7.50 EUR for one copy, at 1.50 EUR a disc.').waitFor()
  expect(await height()).toBe(before)
  await picture(page, 'source-price')
  await button(page, 'Kind of disc: BD-R 25 GB').click()
  await page.getByRole('menuitemradio', { name: 'DVD-R 4.7 GB', exact: true }).click()
  await note.getByText(/at least \d+ discs\.$/).waitFor()
})
