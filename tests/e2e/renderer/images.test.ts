import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, radio } from './controls'
import { field, imagesStep, PASSWORD, pick } from './imagesStep'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function openImage(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Existing image' }).click()
  await button(page, 'Open a sparse bundle…').click()
}

/** The parameters of a call, bytes as text: none may be left in clear but in the message itself. */
function callsOf(page: Page, channel: string): Promise<unknown[]> {
  return page.evaluate(
    (name) =>
      window.fake
        .callsOf(name)
        .map((params) =>
          JSON.parse(
            JSON.stringify(params, (_key, value: unknown) =>
              value instanceof Uint8Array ? `bytes: ${new TextDecoder().decode(value)}` : value,
            ),
          ),
        ),
    channel,
  )
}

it('previews a new image and the systems that can open it before anything is written', {
  tags: 'long',
}, async () => {
  const page = await imagesStep(windows)
  await radio(page, /^Grows with its content/)
    .and(page.locator(':checked'))
    .waitFor()
  const plan = page.getByRole('region', { name: 'Preview' })
  await plan.getByText('Opens in Mac OS X 10.5 and later.').waitFor()
  await plan.getByRole('button', { name: /^Bands when full: 5,961 bands/ }).waitFor()
  await plan.getByText('3,000 to 10,000 bands were fastest in published tests.').waitFor()
  await picture(page, 'images-1-new')
  await field(page, 'Size of the disk').fill('10 apples')
  await page.getByText('Not a size. Enter for example 100GB or 8MiB.').waitFor()
  expect(await button(page, 'Create…').isDisabled()).toBe(true)
  await field(page, 'Size of the disk').fill('2TB')
  await field(page, 'Band size').fill('8MiB')
  await plan.getByText('Sparse bundles with more than 100,000 bands have failed', { exact: false }).waitFor()
  await picture(page, 'images-2-too-many-bands')
  await field(page, 'Band size').fill('1kB')
  await page
    .getByText('a sparse bundle’s band', { exact: false })
    .or(page.getByText("a sparse bundle's band", { exact: false }))
    .first()
    .waitFor()
  expect(await button(page, 'Create…').isDisabled()).toBe(true)
  await pick(page, 'Readable almost anywhere')
  await plan.getByText('On Linux it attaches as a loop device', { exact: false }).waitFor()
  await field(page, 'Band size').waitFor({ state: 'detached' })
  await plan.getByRole('button', { name: /^Compatible systems: Opens in every macOS/ }).click()
  await page.getByText('Not tested on your machine. Source: hdiutil(1)', { exact: false }).waitFor()
})

it('creates an encrypted image after the password is repeated, and never stores it', async () => {
  const page = await imagesStep(windows)
  await pick(page, 'Vault')
  await page.getByText('Encrypted: opens in OS X 10.7 and later, with the password.').first().waitFor()
  await field(page, 'New password').fill('short')
  await page.getByText('Short: passwords under 8 characters are quickly guessed.').waitFor()
  await field(page, 'New password').fill(PASSWORD)
  await field(page, 'Repeat password').fill('open sesame, please')
  await page.getByText('The passwords differ.').waitFor()
  expect(await button(page, 'Create…').isDisabled()).toBe(true)
  await field(page, 'Repeat password').fill(PASSWORD)
  await page.getByText('Long enough, if nobody else would think of it.').waitFor()
  await picture(page, 'images-3-vault')
  await button(page, 'Create…').click()
  await advance(page, 0.4)
  await page.getByText('Creating the image. It appears at its location when it is complete.').waitFor()
  await picture(page, 'images-4-making')
  expect(await callsOf(page, 'image.create')).toEqual([
    {
      path: '/media/backup/Untitled.sparsebundle',
      kind: 'UDSB',
      bytes: 100e9,
      band: 'fitted',
      encryption: { keyBits: 256, password: `bytes: ${PASSWORD}` },
      force: false,
    },
  ])
  await finish(page)
  await page.getByText('Created. The disk in it is empty', { exact: false }).waitFor()
  await page
    .getByText('Encrypted with AES-256; password hashed with 600,000 rounds, key wrapped by 3DES.')
    .waitFor()
  expect(
    await page.evaluate((secret) => {
      const inputs = [...document.querySelectorAll('input')].map(({ value }) => value)
      return [...inputs, document.documentElement.outerHTML].some((text) => text.includes(secret))
    }, PASSWORD),
  ).toBe(false)
  expect(await callsOf(page, 'app.saveSettings')).toEqual([])
})

it('unlocks an image, verifies it and shows its digest', { tags: 'long' }, async () => {
  const page = await imagesStep(windows, { image: { keyBits: 256 } })
  await openImage(page)
  await page.getByText('Unlock it to see its kind and size.').waitFor()
  await picture(page, 'images-5-locked')
  await field(page, 'Password of this image').fill('guess')
  await button(page, 'Unlock').click()
  await page.getByRole('alert').getByText('the password is wrong', { exact: false }).waitFor()
  await field(page, 'Password of this image').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sparse bundle (UDSB)' }).waitFor()
  await page.getByRole('button', { name: /^Bands stored: 2,980 bands/ }).waitFor()
  await page.getByText('SHA-256 of the whole disk').first().click()
  await button(page, 'Verify').click()
  await advance(page, 0.5)
  await picture(page, 'images-6-verifying')
  await finish(page)
  await page.getByText('No problems found.').waitFor()
  await page.getByText('9f86d081884c7d65', { exact: false }).waitFor()
  await picture(page, 'images-7-verified')
  await pick(page, 'Change the password')
  await field(page, 'New password').fill('another one, and longer')
  await field(page, 'Repeat password').fill('another one, and longer')
  await button(page, 'Change the password').click()
  await finish(page)
  await page.getByText('The password is changed. The old one no longer opens the image.').waitFor()
  expect(await field(page, 'Password of this image').inputValue()).toBe('')
})

it('converts, resizes, compacts and changes bands, and explains refusals', { tags: 'long' }, async () => {
  const page = await imagesStep(windows, { image: { problems: ['band 3f cannot be read'] } })
  await openImage(page)
  await button(page, 'Verify').click()
  await finish(page)
  await page.getByText('1 problem found.').waitFor()
  await page.getByText('band 3f cannot be read').waitFor()
  await pick(page, 'Change the band size')
  await field(page, 'Band size').fill('16MiB')
  await button(page, 'Change the band size').click()
  await finish(page)
  await page.getByText('The band size is changed.').waitFor()
  await page.getByRole('button', { name: /^Bands when full: 29,803 bands/ }).waitFor()
  await pick(page, 'Resize')
  expect(await button(page, 'Resize').isDisabled()).toBe(true)
  await field(page, 'New size of the disk').fill('1TB')
  await button(page, 'Resize').click()
  await finish(page)
  await page.getByRole('button', { name: /^Disk size: .*1,000,000,000,000 bytes/ }).waitFor()
  await pick(page, 'Compact')
  await button(page, 'Compact').click()
  await button(page, 'Cancel').click()
  await page
    .getByText('Inspect, verify or convert an image', { exact: false })
    .or(page.getByText('Resized.', { exact: false }))
    .first()
    .waitFor()
  await pick(page, 'Convert')
  await page
    .getByText('On Windows 7-Zip reads it, on Linux 7-Zip, dmg2img or qemu-img.', { exact: false })
    .waitFor()
  await pick(page, 'Smallest with zlib')
  await picture(page, 'images-8-convert')
  await button(page, 'Convert…').click()
  await finish(page)
  await page.getByRole('heading', { name: 'Compressed read-only image (UDZO)' }).waitFor()
  await page.getByText('It is read-only. Convert it to a writable image to change it.').waitFor()
  expect(await callsOf(page, 'image.convert')).toEqual([
    expect.objectContaining({
      target: '/media/backup/Photos 2003–2024.dmg',
      kind: 'UDZO',
      level: 9,
      encryption: 'same',
      password: null,
    }),
  ])
  await page.getByRole('radio', { name: /^Resize/ }).waitFor({ state: 'detached' })
})

it('takes a dropped image to be read, and anything else as a source', async () => {
  const page = await imagesStep(windows)
  const drop = (...names: string[]) =>
    page.evaluate((given) => {
      const sources = given.map((name) => ({ path: `/media/dropped/${name}`, kind: 'file', name }))
      window.fake.emit('app.sourcesGiven', sources)
    }, names)
  await drop('Photos.dmg')
  await page.getByText('A dropped image is opened read-only. Open it with the dialog to change it.').waitFor()
  expect(await radio(page, /^(Verify|Convert)/).count()).toBe(2)
  expect(await radio(page, /^(Resize|Compact|Change)/).count()).toBe(0)
  await button(page, 'Open a sparse bundle…').click()
  await radio(page, /^Resize/).waitFor()
  await drop('Photos.dmg', 'letters')
  await page.getByRole('heading', { name: 'Source', level: 1 }).waitFor()
  await page.getByText('letters', { exact: true }).first().waitFor()
})

it('shows a failed job in plain words and keeps the form', { tags: 'long' }, async () => {
  const page = await imagesStep(windows, {
    jobFails: {
      image: { code: 'cannot-fit', message: 'cannot resize /x: there is data beyond the new size' },
    },
  })
  await openImage(page)
  await pick(page, 'Resize')
  await field(page, 'New size of the disk').fill('1GB')
  await button(page, 'Resize').click()
  await finish(page)
  await page.getByRole('alert').getByText('there is data beyond the new size.', { exact: false }).waitFor()
  await page.getByText('Nothing was changed. Choose a larger size', { exact: false }).waitFor()
  await button(page, 'Resize').and(page.locator(':enabled')).waitFor()
  await picture(page, 'images-9-failed')
})
