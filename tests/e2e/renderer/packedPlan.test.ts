import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bestOf, choosing, listed, pickMedium } from './chooseStep'
import { button, callsOf, radio } from './controls'
import { choosing7z, opened, optionBecomesSet, planned, SECRET, stored } from './packedJourney'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function onlyContainer(page: Page, name: string): Promise<void> {
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Container' }).getByText(name, { exact: true }).click()
}

describe('an option becomes a set', () => {
  it('with its recipe, its medium and its encryption, from Choose to verified volumes (light-1440)', {
    tags: 'long',
  }, async () => {
    await optionBecomesSet(windows, 'light-1440', { width: 1440, height: 900 })
  })

  it('volume by volume where that is chosen', { tags: 'long' }, async () => {
    const page = await choosing(windows)
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await planned(page)
    await opened(page)
    await page
      .getByRole('checkbox', { name: /^Pack and build one volume after another/ })
      .check({ force: true })
    await picture(page, 'build-stream')
    await button(page, 'Build all').click()
    await finish(page)
    expect(await callsOf(page, 'run.build')).toEqual([
      { directory: '/media/backup/Photos plan', volumes: [], force: false, changed: 'ask', stream: true },
    ])
    expect(await page.getByRole('checkbox', { name: /^Pack and build one/ }).count()).toBe(0)
  })

  it('as one archive over all discs where that is chosen, which makes another plan', {
    tags: 'long',
  }, async () => {
    const page = await choosing(windows)
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await planned(page)
    await page.getByRole('heading', { name: 'PHOTOS_01' }).waitFor()
    await button(page, 'Medium and settings…').click()
    await stored(page).getByText('One packed file across all discs').click()
    await page
      .getByText('The settings have changed. Make the plan again to update it.', { exact: false })
      .waitFor()
    await planned(page)
    await page.getByText('The settings have changed.', { exact: false }).waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { name: 'PHOTOS_01' }).count()).toBe(0)
    await picture(page, 'packed-joined')
    expect(await callsOf(page, 'plan.start')).toMatchObject([{ joined: false }, { joined: true }])
    await opened(page)
    await button(page, 'Build all').click()
    await finish(page)
    await page.getByText('actual minus forecast').waitFor()
    // Packing again makes other archives, so every volume is built again.
    await page.getByRole('checkbox', { name: 'Select PHOTOS_02' }).check({ force: true })
    await button(page, 'Build again').click()
    await finish(page)
    expect(await callsOf(page, 'run.build')).toMatchObject([
      { volumes: [], force: false },
      { volumes: [], force: true },
    ])
  })

  it('as plain files again, and in one folder on a disk', { tags: 'long' }, async () => {
    const page = await choosing(windows)
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await page.getByRole('radio', { name: 'One folder on a disk' }).focus()
    await page.keyboard.press('Space')
    await stored(page).getByText('Everything is in one folder and restores from it.').waitFor()
    await planned(page)
    await page.getByText('One folder on a disk.', { exact: true }).waitFor()
    await page.getByRole('option', { name: /^PHOTOS_01: [\d.]+ GB; files / }).waitFor()
    await picture(page, 'packed-disk')
    await button(page, 'Medium and settings…').click()
    await button(page, 'Store files as they are').click()
    await stored(page).getByText('Files as they are', { exact: true }).waitFor()
    await planned(page)
    expect(await callsOf(page, 'plan.start')).toMatchObject([
      { mediumId: 'disk', recipe: expect.stringMatching(/^7z/) as string },
      { mediumId: 'disk' },
    ])
    expect((await callsOf(page, 'plan.start'))[1]).not.toHaveProperty('recipe')
  })

  it('with its forecast for the files it was chosen for, and not for those of another survey', {
    tags: 'long',
  }, async () => {
    const page = await choosing(windows, { history: true })
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    const forecast = stored(page).getByText('Forecast size', { exact: true })
    await forecast.waitFor()
    await page.keyboard.press('Control+6')
    await page
      .getByRole('region', { name: 'Surveys' })
      .getByRole('button', { name: /^Open / })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    await page.keyboard.press('Control+4')
    await stored(page).getByText('Any system reads them directly.').waitFor()
    expect(await forecast.count()).toBe(0)
  })

  it('only where that is possible; otherwise the reason is given', { tags: 'long' }, async () => {
    const page = await choosing(windows)
    await pickMedium(page, 'One volume on a disk')
    await onlyContainer(page, 'borg')
    const { impossible } = await listed({ mediumIds: ['bd-r-25'], limits: { container: 'borg' } })
    expect(impossible?.because).toMatch(/must be on one volume$/)
    await page
      .getByRole('region', { name: 'No option meets these limits' })
      .getByText(`${impossible?.because.slice(1)}.`, { exact: false })
      .waitFor()
    await page.getByRole('radiogroup', { name: 'Container' }).getByText('Any', { exact: true }).click()
    await radio(page, 'Readable anywhere in 30 years').click()
    await button(page, 'Use this').click()
    await stored(page).getByText('Any system reads them directly.').waitFor()
  })

  it('where only a Mac builds it, too', { tags: 'long' }, async () => {
    const page = await choosing(windows)
    await pickMedium(page, 'BD-R 25 GB')
    await onlyContainer(page, 'udsb')
    const best = bestOf(await listed({ mediumIds: ['disk'], limits: { container: 'udsb' } }))
    expect(best).toMatchObject({ plan: { form: 'macImage' }, build: { possible: false } })
    await page.getByText(`Cannot be built here: ${best.build.because}.`).first().waitFor()
    await button(page, `Use this: ${best.name}`).click()
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    await stored(page).getByText(best.variant, { exact: true }).waitFor()
  })

  it('asks for the password again to continue a build that ended early', { tags: 'long' }, async () => {
    const page = await choosing(windows, {
      jobFails: { build: { code: 'no-space', message: 'not enough space' } },
    })
    await choosing7z(page, 'AES-256')
    await button(page, 'Use this').click()
    await planned(page)
    await opened(page)
    await button(page, 'Build all').click()
    for (const name of ['New password', 'Repeat password']) await page.getByLabel(name).fill(SECRET)
    await page.keyboard.press('Enter')
    await page.locator('.strip').getByRole('button', { name: 'Cancel' }).waitFor()
    await finish(page)
    const errors = page.getByRole('list', { name: 'Errors' })
    await errors.waitFor()
    // How long a build takes is known of whole ones only.
    expect(await page.getByRole('button', { name: /^Time to build/ }).count()).toBe(0)
    await button(page, 'Build again').click()
    for (const name of ['New password', 'Repeat password']) await page.getByLabel(name).fill(SECRET)
    expect(await callsOf(page, 'run.build')).toHaveLength(1)
    await page.keyboard.press('Enter')
    await errors.waitFor({ state: 'detached' })
  })
})

describe('a packed plan that cannot be made', { tags: 'long' }, () => {
  it.each([
    [
      'cannot-fit',
      'cannot plan video.mov: even packed it may be larger than a volume',
      'Choose a larger medium, or store one packed file across all discs.',
    ],
    [
      'not-found',
      'survey s1 has no file order: survey again with --full',
      'In Source, under “Survey settings”, select “Read every file again” and start the survey again.',
    ],
    [
      'refused',
      'cannot plan from survey s1: it was stopped early',
      'Choose another option in Choose, or run the survey to its end.',
    ],
  ] as const)('names what to do next (%s)', async (code, message, next) => {
    const page = await choosing(windows, { jobFails: { plan: { code, message } } })
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await button(page, 'Make the plan').click()
    await finish(page)
    const notice = page
      .getByRole('alert')
      .filter({ hasText: message.replace(/: survey again with --full$/, '') })
    expect(await notice.getByText('--full').count()).toBe(0)
    await notice.getByText(next).waitFor()
  })
})
