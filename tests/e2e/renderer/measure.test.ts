import { expect, it } from 'vitest'
import { button } from './controls'
import { choosePlace, EARLIER, measuring } from './measureStep'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

it('previews what it will write, where and how much', { tags: 'long' }, async () => {
  const page = await measuring(windows)
  await page.getByRole('heading', { name: 'No measurement yet' }).waitFor()
  expect(await button(page, 'Measure').isDisabled()).toBe(true)
  await picture(page, 'measure-1-empty')
  await choosePlace(page)
  const preview = page.getByRole('region', { name: 'Before it starts' })
  await preview.getByText('/fast', { exact: false }).first().waitFor()
  await preview.getByText('in its own folder, removed afterwards').waitFor()
  await preview.getByText('Samsung SSD 990 PRO 2TB, SSD, NVMe, ext4').waitFor()
  await preview.getByText('at most 860 MB at one time').waitFor()
  await preview.getByText('1.00 GB stay free').waitFor()
  await picture(page, 'measure-2-preview')
  await page.getByRole('textbox', { name: 'Write at most' }).fill('20 apples')
  await page.getByText('Not a size. Enter for example 2GB or 500MB.').waitFor()
  expect(await button(page, 'Measure').isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Write at most' }).fill('200MB')
  await preview.getByText('Reduced to fit the budget:', { exact: false }).waitFor()
  const asked = await page.evaluate(() => window.fake.callsOf('measure.preview'))
  expect(asked[asked.length - 1]).toEqual({
    directory: '/mnt/fast',
    spec: { kind: 'preset', preset: 'quick' },
    budgetBytes: 200_000_000,
    cache: null,
    depth: null,
    codec: null,
    readOnly: false,
    container: null,
  })
})

it('measures inside a container on that disk, and shows what it occupies and how it does when rewritten', {
  tags: 'long',
}, async () => {
  const page = await measuring(windows)
  await choosePlace(page)
  await page.getByText('A sparse bundle (UDSB)').click()
  await page.getByText('AES-256').click()
  await page.getByText('Bands of 8 MiB.', { exact: false }).waitFor()
  await picture(page, 'measure-11-container-form')
  const asked = await page.evaluate(() => window.fake.callsOf('measure.preview'))
  expect(asked[asked.length - 1]).toMatchObject({ container: { kind: 'UDSB', encryption: 256 } })
  await button(page, 'Measure').click()
  await advance(page, 0.5)
  await finish(page)
  const table = page.getByRole('table', { name: 'Inside the container' })
  await table.getByText('Files of random size').waitFor()
  await page
    .getByText('UDSB, bands of 8 MiB, AES-256: written into a new container', { exact: false })
    .waitFor()
  await page
    .getByText('Each range flushed, and the page cache dropped before each read', { exact: false })
    .waitFor()
  await table.scrollIntoViewIfNeeded()
  await picture(page, 'measure-12-container-done')
})

it('compresses between reading and writing where a codec is chosen', { tags: 'long' }, async () => {
  const page = await measuring(windows)
  await choosePlace(page)
  await page.getByText('zstd-3', { exact: true }).click()
  await page.getByText('Also reads, compresses and writes text-like files', { exact: false }).waitFor()
  await picture(page, 'measure-14-codec-form')
  const asked = await page.evaluate(() => window.fake.callsOf('measure.preview'))
  expect(asked[asked.length - 1]).toMatchObject({ codec: 'zstd-3', container: null })
})

it('measures every kind of container and shows them in one table', { tags: 'long' }, async () => {
  const page = await measuring(windows)
  await choosePlace(page)
  await page.getByText('Every kind').click()
  await page.getByText('One table compares them.', { exact: false }).waitFor()
  const asked = await page.evaluate(() => window.fake.callsOf('measure.preview'))
  expect(asked[asked.length - 1]).toMatchObject({
    container: { kind: 'all', encryption: 256 },
    spec: { kind: 'preset', preset: 'stibium' },
  })
  await button(page, 'Measure').click()
  await advance(page, 0.5)
  await page.getByText('The table follows at the end.', { exact: false }).waitFor()
  await finish(page)
  const table = page.getByRole('table', { name: 'Every kind of container' })
  await table.getByText('UDSP, AES-256').first().waitFor()
  expect(await table.getByText('most deleted').count()).toBe(6)
  await page.getByText('UDZO was not measured: read-only', { exact: false }).waitFor()
  await table.scrollIntoViewIfNeeded()
  await picture(page, 'measure-13-every-kind')
  await page.getByText('Band sizes', { exact: true }).first().click()
  await button(page, 'Sweep band sizes').click()
  await finish(page)
  await page.getByText('stay in use after most was deleted.', { exact: false }).waitFor()
  await picture(page, 'measure-15-bands-in-use')
})

it('fills in live and moves nothing, and shows proof and tests at the end', async () => {
  const page = await measuring(windows, { measured: EARLIER })
  await choosePlace(page)
  await button(page, 'Measure').click()
  await advance(page, 0.02)
  await page.getByText('Each point is one timed file.').waitFor()
  const rates = page.getByRole('heading', { name: 'Rate by file size' })
  await page.getByRole('group', { name: 'Device figures' }).getByText('range at the end').first().waitFor()
  const before = await rates.boundingBox()
  await advance(page, 0.3)
  await advance(page, 0.6)
  await page.getByText('about', { exact: false }).first().waitFor()
  await picture(page, 'measure-3-running')
  expect(await rates.boundingBox()).toEqual(before)
  await button(page, 'Pause').click()
  await button(page, 'Resume').click()
  await finish(page)
  await page.getByText('Asked for direct I/O, got direct I/O: the device’s own counters agree.').waitFor()
  await page.getByRole('button', { name: /^Measure, done/ }).waitFor()
  await page.getByRole('table', { name: 'Tests' }).getByText('Files of random size').first().waitFor()
  await picture(page, 'measure-4-done')
  await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 10_000))
  await picture(page, 'measure-4-done-below')
  await button(page, 'Export as JSON').click()
  await button(page, 'Export Rate by file size as CSV').click()
  await button(page, 'Export Tests as CSV').click()
  const saved = await page.evaluate(() => window.fake.saved)
  expect(saved.map(({ name }) => name)).toEqual([
    'measurement-m-1.json',
    'measurement-m-1-samples.csv',
    'measurement-m-1-tests.csv',
  ])
  expect(JSON.parse(saved[0]?.text ?? '')).toMatchObject({ schema: 'stowage.measurement/1' })
  expect(saved[1]?.text.split('\r\n')[0]).toBe(
    'operation,test,repeat,bytes,bytes_per_second,nanoseconds,transfer_nanoseconds,start_milliseconds,mark',
  )
})

it('marks a run that the page cache answered and leaves it out of averages', { tags: 'long' }, async () => {
  const page = await measuring(windows, { measured: EARLIER, measure: { isCached: true, stallEvery: 9 } })
  await choosePlace(page)
  await button(page, 'Measure').click()
  await finish(page)
  await page.getByText('not plausible', { exact: true }).first().waitFor()
  await page.getByText(/Asked for direct I\/O, got direct I\/O: not plausible\. \d checks suggest/).waitFor()
  await page.getByText('The page cache may have answered instead of the device.').waitFor()
  await page.getByText(/^Write: \d+ of \d+ samples took much longer than the rest/).waitFor()
  await page.getByText(/the median of 1 plausible run here\. 2 marked runs left out\.$/).waitFor()
  await picture(page, 'measure-5-warnings')
})

it('keeps what it has when it is cancelled', { tags: 'long' }, async () => {
  const page = await measuring(windows)
  await choosePlace(page)
  await button(page, 'Measure').click()
  await advance(page, 0.5)
  await button(page, 'Cancel').click()
  await page.getByText('Stopped early: the figures are from the completed part.', { exact: false }).waitFor()
})

it('lays an earlier run under the shown one, and runs it again', { tags: 'long' }, async () => {
  const page = await measuring(windows, { measured: EARLIER })
  await page
    .getByRole('button', { name: /^Open Quick/ })
    .first()
    .click()
  await page.getByRole('radio', { name: 'All devices' }).click()
  await page
    .getByRole('button', { name: /^Compare with Quick/ })
    .last()
    .click()
  const ratios = page.getByRole('table', { name: 'Compared with Quick, Samsung T7' })
  await ratios.getByText('faster').first().waitFor()
  await page.getByText('These are two different devices.').waitFor()
  await picture(page, 'measure-6-compared')
  await button(page, 'End comparison').click()
  await ratios.waitFor({ state: 'detached' })
  await button(page, 'Repeat with this setup').click()
  await page
    .getByRole('radio', { name: /^As before: Quick/ })
    .and(page.locator(':checked'))
    .waitFor()
  expect((await page.evaluate(() => window.fake.callsOf('measure.preview'))).at(-1)).toMatchObject({
    directory: '/mnt/fast',
    spec: { kind: 'again' },
  })
})

it('shows refusals plainly, and takes a test of one’s own', {
  tags: 'long',
}, async () => {
  const page = await measuring(windows, {
    measure: { refusal: { code: 'no-space', message: 'cannot measure /mnt/fast: only 1.00 GB are free' } },
  })
  await choosePlace(page)
  await page.getByText('Cannot start:').waitFor()
  await page.getByText('cannot measure /mnt/fast: only 1.00 GB are free.').waitFor()
  expect(await button(page, 'Measure').isDisabled()).toBe(true)
  await picture(page, 'measure-7-refused')
  await page.getByText('Own test', { exact: true }).click()
  const size = page.getByRole('textbox', { name: 'Size of files' })
  await size.fill('100 apples')
  await page.getByText('Not a size or a range of sizes.', { exact: false }).waitFor()
  await picture(page, 'measure-8-own-wrong')
  await size.fill('1MB-8MB')
  await page.getByRole('textbox', { name: 'Number of files' }).fill('12')
  await page.getByText('Random writes', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Requests at once' }).fill('4')
  await page.getByText('Not a size or a range', { exact: false }).waitFor({ state: 'detached' })
  const sent = () => page.evaluate(() => window.fake.callsOf('measure.preview').at(-1))
  await expect.poll(sent).toMatchObject({
    spec: { kind: 'own', test: { from: 1e6, to: 8e6, count: 12, mix: ['write', 'read', 'randomWrite'] } },
    depth: 4,
  })
})

it('only reads a source, and asks before it writes much', { tags: 'long' }, async () => {
  const page = await measuring(windows, {
    sources: [{ path: '/media/photos', kind: 'folder', name: 'photos' }],
    measure: { device: { capacityBytes: 8_000_000_000, freeBytes: 6_000_000_000 } },
  })
  await page.getByText('a source, read only').click()
  await page.getByText('Sources are only read. To write on this disk, choose a folder.').waitFor()
  await page.getByText('nothing is written').waitFor()
  await button(page, 'Measure by reading').and(page.locator(':enabled')).waitFor()
  await choosePlace(page)
  await page.getByText('of the device’s capacity', { exact: false }).waitFor()
  expect(await button(page, 'Measure').isDisabled()).toBe(true)
  await page.getByText('Write this amount').click()
  await button(page, 'Measure').and(page.locator(':enabled')).waitFor()
})

it('needs no mouse: arrow keys read the points, errors are announced', async () => {
  const page = await measuring(windows, {
    fails: { 'measure.start': { code: 'io', message: 'the disk went away' } },
    measured: EARLIER,
  })
  await page
    .getByRole('button', { name: /^Open Quick/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const chart = page.getByRole('application', { name: /^Rate by file size\. Arrow keys/ })
  await chart.focus()
  await page.keyboard.press('End')
  await chart.getByText(/^Read, .* MB: .*\/s; .* ms; /).waitFor({ state: 'attached' })
  await page.keyboard.press('Home')
  await chart.getByText(/^Write, /).waitFor({ state: 'attached' })
  const times = page.getByRole('application', { name: /^Distribution of latencies\. Arrow keys/ })
  await times.focus()
  await page.keyboard.press('ArrowRight')
  await times.getByText(/ to .*: Write \d+; /).waitFor({ state: 'attached' })
  await button(page, 'Choose a folder…').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Measure').and(page.locator(':enabled')).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('the disk went away.').waitFor()
})
