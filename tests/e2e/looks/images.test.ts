import { expect, it } from 'vitest'
import { button } from '../renderer/controls'
import { field, imagesStep, PASSWORD, pick } from '../renderer/imagesStep'
import { picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

it.each([
  ['narrow', { width: 900, height: 600 }],
  ['dark', { width: 1280, height: 800, dark: true }],
  ['narrow-dark', { width: 900, height: 600, dark: true }],
  ['forced', { width: 1280, height: 800, forced: true }],
] as const)('fits a %s window', async (name, look) => {
  const path = `/media/backup/${'a very long folder name, '.repeat(8)}/Photos 2003–2024.sparsebundle`
  const page = await imagesStep(windows, { image: { path, keyBits: 128 } }, look)
  await page.getByRole('button', { name: /^Bands when full/ }).waitFor()
  await picture(page, `images-${name}-1-new`)
  await pick(page, 'Vault')
  await field(page, 'New password').fill(PASSWORD)
  await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 10_000))
  await picture(page, `images-${name}-2-vault`)
  await page.getByRole('radio', { name: 'Existing image' }).click()
  await picture(page, `images-${name}-3-none`)
  await button(page, 'Open an image file…').click()
  await field(page, 'Password of this image').fill(PASSWORD)
  await button(page, 'Unlock').click()
  await page.getByRole('heading', { name: 'Sparse bundle (UDSB)' }).waitFor()
  await pick(page, 'Convert')
  await picture(page, `images-${name}-4-open`)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(wide).toBe(false)
})
