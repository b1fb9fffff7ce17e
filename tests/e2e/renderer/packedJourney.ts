import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { choosing, pickMedium } from './chooseStep'
import { button, callsOf, exportLists, radio } from './controls'
import { detailsOf } from './plannedDiscs'
import { advance, finish, type Look, picture, type Windows } from './windowUnderTest'

export const SECRET = 'open sesame, please do'

export const stored = (page: Page) => page.getByRole('region', { name: 'Stored as' })

/** Only 7z archives on BD-R, the smallest first. */
export async function choosing7z(page: Page, encryption: 'None' | 'AES-256'): Promise<void> {
  await pickMedium(page, 'One volume on a disk')
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Container' }).getByText('7z', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Only 7z' }).waitFor()
  if (encryption !== 'None') await radio(page, encryption).click()
  await radio(page, 'Smallest').click()
  await page.getByText(/^Best of \d+: .*7z.* on BD-R 25\sGB/).waitFor()
}

export async function planned(page: Page): Promise<void> {
  await button(page, /^Make (the plan|again)$/).click()
  await finish(page)
  await page.getByRole('listbox').waitFor()
}

export async function opened(page: Page): Promise<void> {
  await exportLists(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await button(page, 'Build it').click()
  await page.getByRole('heading', { name: 'Build', level: 1 }).waitFor()
}

/** An encrypted 7z archive, from Choose to verified volumes. */
export async function optionBecomesSet(windows: Windows, name: string, look: Look): Promise<void> {
  const page = await choosing(windows, {}, look)
  await choosing7z(page, 'AES-256')
  await picture(page, `packed-${name}-1-choose`)
  await button(page, 'Use this').click()
  await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
  await stored(page).getByText('7z-solid-', { exact: false }).waitFor()
  await stored(page)
    .getByText(/Encrypted with AES-256, file names included\./)
    .waitFor()
  await radio(page, 'Each disc restores alone One packed file on each disc.').waitFor({ state: 'attached' })
  await picture(page, `packed-${name}-2-plan-empty`)
  await planned(page)
  await page.getByText('forecast; the build gives the final sizes').waitFor()
  await picture(page, `packed-${name}-3-plan`)
  await detailsOf(page)
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
      changed: 'ask',
      password: new TextEncoder().encode(SECRET),
    },
  ])
  expect(await page.getByLabel('New password').count()).toBe(0)
  await finish(page)
  await page.getByText('actual minus forecast').waitFor()
  await button(page, 'Verify').click()
  await finish(page)
  await page.getByText('Built and verified: every packed file reads back unchanged.').waitFor()
  await picture(page, `packed-${name}-6-verified`)
  expect(await callsOf(page, 'run.verify')).toEqual([{ directory: '/media/backup/Photos plan', volumes: [] }])
  expect(await page.evaluate((wanted) => document.documentElement.outerHTML.includes(wanted), SECRET)).toBe(
    false,
  )
}
