import { expect, it } from 'vitest'
import { choosePlace, EARLIER, preview, sweeping } from './bandsStep'
import { button } from './controls'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

it('previews what it will write, and sends the form’s settings', { tags: 'long' }, async () => {
  const page = await sweeping(windows)
  await page.getByRole('heading', { name: 'No band sweep yet' }).waitFor()
  expect(await button(page, 'Sweep band sizes').isDisabled()).toBe(true)
  await picture(page, 'bands-1-empty')
  await choosePlace(page)
  await preview(page).getByText('6 rounds, passes of 272 MB').waitFor()
  await preview(page)
    .getByText('A pass covers fewer than two bands of 256 MiB, 512 MiB, 973 MiB', { exact: false })
    .waitFor()
  await picture(page, 'bands-2-preview')
  await page.getByRole('textbox', { name: 'Band sizes' }).fill('2MiB, 8 apples')
  await page.getByText('Not a list of sizes from 1 MiB to 8 GiB.', { exact: false }).waitFor()
  expect(await button(page, 'Sweep band sizes').isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Band sizes' }).fill('2MiB, 8MiB')
  await page.getByText('Sparse image', { exact: true }).click()
  await page.getByText('AES-256', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Full size of the bundle' }).fill('100GB')
  await page.getByRole('textbox', { name: 'Write at most' }).fill('5GB')
  await preview(page)
    .getByText(/\d+ rounds, passes of [\d.]+ MB/)
    .waitFor()
  await button(page, 'Sweep band sizes').and(page.locator(':enabled')).waitFor()
  expect((await page.evaluate(() => window.fake.callsOf('bands.preview'))).at(-1)).toEqual({
    directory: '/mnt/fast',
    bandSizes: [2 ** 21, 2 ** 23],
    kinds: ['UDSB', 'UDSP'],
    encryptions: [null, 256],
    fullBytes: 100e9,
    budgetBytes: 5e9,
    repeats: null,
    requestBytes: 2 ** 20,
    seed: 1,
    through: 'native',
  })
  await page.getByText('None', { exact: true }).click()
  await page.getByText('AES-256', { exact: true }).click()
  await page.getByText('Choose at least one.').waitFor()
  expect(await button(page, 'Sweep band sizes').isDisabled()).toBe(true)
})

it('fills in live and moves nothing, and recommends with its reason at the end', async () => {
  const page = await sweeping(windows, { swept: EARLIER })
  await choosePlace(page)
  await button(page, 'Sweep band sizes').click()
  await advance(page, 0.02)
  const chart = page.getByRole('heading', { name: 'Band sizes', exact: true })
  await page.getByText('Round 1 of 6:', { exact: false }).waitFor()
  await page.getByText('Available after the last round.').waitFor()
  await advance(page, 0.2)
  const before = await chart.boundingBox()
  await advance(page, 0.55)
  await page.getByText('Round 4 of 6:', { exact: false }).waitFor()
  await picture(page, 'bands-3-running')
  expect(await chart.boundingBox()).toEqual(before)
  await button(page, 'Pause').click()
  await button(page, 'Resume').click()
  await finish(page)
  const found = page.getByRole('region', { name: 'Recommendation' })
  await found
    .getByText(/When full \(1\.00 TB\) it has 29,803 bands; a good number is 3,000 to 10,000/)
    .waitFor()
  await found.getByText('32', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Measure, done/ }).waitFor()
  await picture(page, 'bands-4-done')
  await page.getByRole('radio', { name: 'Time', exact: true }).click()
  await picture(page, 'bands-5-time')
  await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 10_000))
  await page.getByText('The device counted', { exact: false }).waitFor()
  await picture(page, 'bands-6-below')
  await button(page, 'Export as JSON').click()
  await button(page, 'Export Band sizes as CSV').click()
  const saved = await page.evaluate(() => window.fake.saved)
  expect(saved.map(({ name }) => name)).toEqual(['band-sweep-b-1.json', 'band-sweep-b-1.csv'])
  expect(JSON.parse(saved[0]?.text ?? '')).toMatchObject({ schema: 'stowage.bandSweep/1' })
  const rows = (saved[1]?.text ?? '').trimEnd().split('\r\n')
  expect(rows[0]).toBe(
    'container,encryption,band_bytes,bands_when_full,write_bytes_per_second,write_low,write_high,write_of_raw,' +
      'read_bytes_per_second,read_low,read_high,read_of_raw,stream_bytes_per_second,stream_low,stream_high,stream_of_raw',
  )
  expect(rows).toHaveLength(14)
})

it('draws one container at a time and has all of them in its table', { tags: 'long' }, async () => {
  const page = await sweeping(windows, {
    swept: [
      { seed: 9, request: { kinds: ['UDSB', 'UDSP', 'UDRW'], encryptions: [null, 256], fullBytes: 100e9 } },
    ],
  })
  await page.getByRole('button', { name: /^Open the band sweep of/ }).click()
  await page.getByRole('radio', { name: 'Sparse bundle, AES-256' }).click()
  await picture(page, 'bands-7-groups')
  await page.getByRole('button', { name: 'Table of Band sizes' }).click()
  const table = page.getByRole('table', { name: 'Band sizes' })
  await table.getByText('Raw file').waitFor()
  await page.getByRole('region', { name: /^Band sizes, .* scrolls$/ }).press('End')
  await table.getByText('Sparse image, AES-256').first().waitFor()
  await picture(page, 'bands-8-table')
})

it('marks a sweep that the page cache answered', { tags: 'long' }, async () => {
  const page = await sweeping(windows, { swept: EARLIER.slice(1) })
  await page.getByRole('button', { name: /^Open the band sweep of/ }).click()
  await page.getByText('Not plausible: the page cache may have answered.', { exact: false }).first().waitFor()
  await page.getByText('The page cache may have answered instead of the device:', { exact: false }).waitFor()
})

it('keeps complete rounds when it is cancelled, shows refusals and asks before it writes much', {
  tags: 'long',
}, async () => {
  const page = await sweeping(windows, { sweep: { device: { capacityBytes: 400e9, freeBytes: 300e9 } } })
  await choosePlace(page)
  await page.getByText('of the device’s capacity', { exact: false }).waitFor()
  expect(await button(page, 'Sweep band sizes').isDisabled()).toBe(true)
  await page.getByText('Write this amount').click()
  await button(page, 'Sweep band sizes').click()
  await advance(page, 0.7)
  await button(page, 'Cancel').click()
  await page.getByText('Stopped early: the figures are from 4 rounds.', { exact: false }).waitFor()
  const full = await sweeping(windows, {
    sweep: {
      refusal: { code: 'no-space', message: 'cannot sweep band sizes in /mnt/fast: only 1.00 GB are' },
    },
  })
  await button(full, 'Choose a folder…').click()
  await full.getByText('Cannot start:').waitFor()
  expect(await button(full, 'Sweep band sizes').isDisabled()).toBe(true)
})

it('needs no mouse: arrow keys read the points', async () => {
  const page = await sweeping(windows, { swept: EARLIER })
  await page
    .getByRole('button', { name: /^Open the band sweep of/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const chart = page.getByRole('application', { name: /^Rate by band size\. Arrow keys/ })
  await chart.focus()
  await page.keyboard.press('Home')
  await chart
    .getByText(/^Write, bands of 2 MiB: .*\/s; .*–.*; .* s for 1 GB; 476,838 bands when full$/)
    .waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await chart.getByText(/^Read, bands of 2 MiB: /).waitFor({ state: 'attached' })
  await page.keyboard.press('End')
  await chart.getByText(/^Copy, bands of 973 MiB: /).waitFor({ state: 'attached' })
})
