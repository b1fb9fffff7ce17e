import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { advance, finish, type Look, picture, WindowsUnderTest } from './windowUnderTest'

let windows: WindowsUnderTest

beforeAll(async () => {
  windows = await WindowsUnderTest.open()
})
afterEach(async () => {
  expect(await windows.endTest()).toEqual([])
})
afterAll(async () => {
  await windows.close()
})

const FOLDERS = [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos' }] as const
const SECRET = 'open sesame, please do'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const stored = (page: Page) => page.getByRole('region', { name: 'Stored as' })
const callsOf = (page: Page, channel: string) => page.evaluate((name) => window.fake.callsOf(name), channel)

/** The Choose step with the options of a survey that has just ended. */
async function choosing(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, ...scenario }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+4')
  await radio(page, 'All options').click()
  await page.getByText(/^Best of 100: /).waitFor()
  return page
}

/** Only 7z archives on BD-R, the smallest first. */
async function choosing7z(page: Page, encryption: 'None' | 'AES-256'): Promise<void> {
  await page.getByRole('group', { name: 'Media' }).getByText('One volume on a disk', { exact: true }).click()
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Container' }).getByText('7z', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Only 7z' }).waitFor()
  if (encryption !== 'None') await radio(page, encryption).click()
  await radio(page, 'Smallest').click()
  await page.getByText(/^Best of \d+: 7z, .* on BD-R 25 GB/).waitFor()
}

async function planned(page: Page): Promise<void> {
  await button(page, /^Make (the plan|again)$/).click()
  await finish(page)
  await page.getByRole('listbox').waitFor()
}

async function opened(page: Page): Promise<void> {
  await button(page, 'Export…').click()
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await button(page, 'Build it').click()
  await page.getByRole('heading', { name: 'Build', level: 1 }).waitFor()
}

const LOOKS = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
] as const

describe('an option becomes a set', () => {
  it.each(LOOKS)(
    'with its recipe, its medium and its encryption, from Choose to verified volumes (%s)',
    async (name, look) => {
      const page = await choosing({}, look)
      await choosing7z(page, 'AES-256')
      await picture(page, `packed-${name}-1-choose`)
      await button(page, 'Use this').click()
      await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
      await stored(page).getByText('7z-solid-', { exact: false }).waitFor()
      await stored(page)
        .getByText(/Encrypted with AES-256, file names included\./)
        .waitFor()
      await radio(page, 'Each disc restores alone One archive on each disc.').waitFor({ state: 'attached' })
      await picture(page, `packed-${name}-2-plan-empty`)
      await planned(page)
      await page.getByText('forecast; the build gives the final sizes').waitFor()
      await picture(page, `packed-${name}-3-plan`)
      const times = page.getByRole('region', { name: 'Time', exact: true })
      await times.getByText(/^Burned from the images: .*a buffer of 32.0 MiB is enough/).waitFor()
      for (const step of ['Pack', 'Build', 'Write', 'Verify', 'Restore'])
        await times.getByRole('row', { name: new RegExp(`^${step} \\d.* to \\d`) }).waitFor()
      await times.scrollIntoViewIfNeeded()
      await picture(page, `packed-${name}-3-times`)
      const [request] = await callsOf(page, 'plan.start')
      expect(request).toMatchObject({
        mediumId: 'bd-r-25',
        recipe: expect.stringMatching(/^7z-solid-/) as string,
        encryption: 'aes-256',
        joined: false,
      })
      await opened(page)
      await button(page, 'Build all').click()
      const form = page.getByRole('form', { name: 'Password of this set' })
      await form.getByLabel('New password', { exact: true }).fill(SECRET)
      expect(await button(page, 'Start the build').isDisabled()).toBe(true)
      await form.getByLabel('Repeat password', { exact: true }).fill(SECRET)
      await picture(page, `packed-${name}-4-password`)
      expect(await callsOf(page, 'run.build')).toEqual([])
      await page.keyboard.press('Enter')
      await advance(page, 0.3)
      await page.locator('.strip').getByText('step 1 of 2').waitFor()
      await page.locator('.strip').getByText('Packing', { exact: true }).waitFor()
      await advance(page, 0.6)
      await page.locator('.strip').getByText('step 2 of 2').waitFor()
      await page.getByText('working').waitFor()
      await picture(page, `packed-${name}-5-building`)
      expect(await callsOf(page, 'run.build')).toEqual([
        {
          directory: '/media/backup/Photos plan',
          volumes: [],
          force: false,
          password: new TextEncoder().encode(SECRET),
        },
      ])
      expect(await page.getByLabel('New password').count()).toBe(0)
      await finish(page)
      await page.getByText('actual minus forecast').waitFor()
      await button(page, 'Verify').click()
      await finish(page)
      await page.getByText('Built and verified: every archive reads back unchanged.').waitFor()
      await picture(page, `packed-${name}-6-verified`)
      expect(await callsOf(page, 'run.verify')).toEqual([
        { directory: '/media/backup/Photos plan', volumes: [] },
      ])
      expect(
        await page.evaluate((wanted) => document.documentElement.outerHTML.includes(wanted), SECRET),
      ).toBe(false)
    },
  )

  it('volume by volume where that is chosen', async () => {
    const page = await choosing()
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
      { directory: '/media/backup/Photos plan', volumes: [], force: false, stream: true },
    ])
    expect(await page.getByRole('checkbox', { name: /^Pack and build one/ }).count()).toBe(0)
  })

  it('as one archive over all discs where that is chosen, which makes another plan', async () => {
    const page = await choosing()
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await planned(page)
    await page.getByRole('heading', { name: 'PHOTOS_01' }).waitFor()
    await stored(page).getByText('One archive across all discs').click()
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

  it('as plain files again, and in one folder on a disk', async () => {
    const page = await choosing()
    await choosing7z(page, 'None')
    await button(page, 'Use this').click()
    await page.getByRole('radio', { name: 'One folder on a disk' }).focus()
    await page.keyboard.press('Space')
    await stored(page).getByText('Everything is in one folder and restores from it.').waitFor()
    await planned(page)
    await page.getByText('One folder on a disk.', { exact: true }).waitFor()
    await page.getByRole('option', { name: /^PHOTOS_01: [\d.]+ GB$/ }).waitFor()
    await picture(page, 'packed-disk')
    await button(page, 'Store files as they are').click()
    await stored(page).getByText('Files as they are', { exact: true }).waitFor()
    await planned(page)
    expect(await callsOf(page, 'plan.start')).toMatchObject([
      { mediumId: 'disk', recipe: expect.stringMatching(/^7z/) as string },
      { mediumId: 'disk' },
    ])
    expect((await callsOf(page, 'plan.start'))[1]).not.toHaveProperty('recipe')
  })

  it('only where that is possible; otherwise the reason is given', async () => {
    const page = await choosing()
    await page
      .getByText(/^Cannot be planned on Disk: a plan cannot share duplicate files yet; choose plain files\.$/)
      .first()
      .waitFor()
    expect(await button(page, 'Use this').count()).toBe(0)
    await radio(page, 'Smallest').click()
    await page
      .getByText('Cannot be planned on BD-R 25 GB: it may have 156 GB and must be on one volume.')
      .first()
      .waitFor()
    expect(await button(page, /^Use /).count()).toBe(0)
    expect(await button(page, 'Build it here…').isEnabled()).toBe(true)
    await radio(page, 'Readable anywhere in 30 years').click()
    await button(page, /^Use Plain files/)
      .first()
      .click()
    await stored(page).getByText('Any system reads them directly.').waitFor()
  })

  it('asks for the password again to continue a build that ended early', async () => {
    const page = await choosing({
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

describe('a packed plan that cannot be made', () => {
  it.each([
    [
      'cannot-fit',
      'cannot plan video.mov: even packed it may be larger than a volume',
      'Choose a larger medium, or store one archive across all discs.',
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
    const page = await choosing({ jobFails: { plan: { code, message } } })
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

describe('restoring an encrypted set', () => {
  it('asks for the password once the set turns out to be encrypted, and again when it is wrong', async () => {
    const page = await windows.window({ setPassword: SECRET })
    await page.keyboard.press('Control+7')
    await button(page, 'Restore files…').click()
    await button(page, 'Add images…').click()
    await button(page, 'Choose a folder…').click()
    const restore = button(page, 'Restore')
    const field = page.getByLabel('Password', { exact: true })
    expect(await field.count()).toBe(0)
    await restore.click()
    await finish(page)
    await page.getByText('This set is encrypted. Enter its password and restore again.').waitFor()
    expect(await restore.isDisabled()).toBe(true)
    await field.fill('guessed')
    await picture(page, 'restore-password')
    await page.keyboard.press('Enter')
    await finish(page)
    await page.getByText('The password is wrong.', { exact: false }).waitFor()
    expect(await field.inputValue()).toBe('')
    await field.fill(SECRET)
    await restore.click()
    await finish(page)
    await page.getByText('1,200 files restored and checked in', { exact: false }).waitFor()
    expect(await callsOf(page, 'restore.start')).toMatchObject([
      {},
      { password: new TextEncoder().encode('guessed') },
      { password: new TextEncoder().encode(SECRET) },
    ])
    expect((await callsOf(page, 'restore.start'))[0]).not.toHaveProperty('password')
  })
})
