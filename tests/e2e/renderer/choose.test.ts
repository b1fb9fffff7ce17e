import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { lineOf, walkOrder } from '../../../renderer/src/charts/paretoPicture'
import { placeNameOf } from '../../../renderer/src/steps/choose/candidates/placeName'
import { beatenWords } from '../../../renderer/src/steps/choose/optionWords'
import type { Option, OptionsRequest } from '../../../src/contract/dto/options'
import { typesNotWorthCompressing } from '../../../src/contract/dto/survey'
import { buildSurvey, PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'
import { bestOf, choosing, FOLDERS, listed, markInTable, pickMedium } from './chooseStep'
import { button, radio } from './controls'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const board = (page: Page) => page.getByRole('application', { name: /^Options by size and / })
const table = (page: Page) => page.getByRole('grid', { name: 'All options' })
const cards = (page: Page) => page.getByRole('article')

async function requests(page: Page): Promise<OptionsRequest[]> {
  return (await page.evaluate(() => window.fake.callsOf('options.list'))) as OptionsRequest[]
}

async function saved(page: Page, name: string): Promise<string> {
  await page.waitForFunction((wanted) => window.fake.saved.some((file) => file.name === wanted), name)
  return page.evaluate((wanted) => window.fake.saved.find((file) => file.name === wanted)?.text ?? '', name)
}

it('lists options as soon as everything is read, and asks again as samples make them more precise', {
  tags: 'long',
}, async () => {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, settings: { look: false } })
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await advance(page, 0.5)
  expect(await button(page, 'Choose').isEnabled()).toBe(false)
  await advance(page, 1)
  await button(page, 'Choose').click()
  await page.getByText('Samples are still being compressed.').waitFor()
  await cards(page).first().waitFor()
  await picture(page, 'choose-sharpening')
  const before = (await requests(page)).length
  await advance(page, 1)
  await page.waitForFunction((asked) => window.fake.callsOf('options.list').length > asked, before)
  const during = (await requests(page)).length
  await finish(page)
  await page.waitForFunction((asked) => window.fake.callsOf('options.list').length > asked, during)
  await page.getByText('Samples are still being compressed.').waitFor({ state: 'detached' })
})

it('stores types as they are that the survey finds not worth compressing, once they are marked', {
  tags: 'long',
}, async () => {
  const page = await choosing(windows)
  await page.getByText('More', { exact: true }).click()
  const group = page.getByRole('group', { name: 'Store as they are' })
  const types = typesNotWorthCompressing(buildSurvey(PHOTOGRAPHS).types)
  expect(types).toContain('jpg')
  expect(await group.getByRole('checkbox').count()).toBe(types.length)
  await group.getByText('.jpg', { exact: true }).click()
  await page.waitForFunction(() =>
    (window.fake.callsOf('options.list') as OptionsRequest[]).some(
      ({ storeAsIs }) => storeAsIs?.[0] === 'jpg',
    ),
  )
  await picture(page, 'choose-store-as-is')
  await group.getByText('.jpg', { exact: true }).click()
  await page.waitForFunction(
    () => (window.fake.callsOf('options.list') as OptionsRequest[]).at(-1)?.storeAsIs === undefined,
  )
})

it('packs each folder by its own option: rules are added, moved and removed, and planned by', async () => {
  const page = await choosing(windows)
  await page.getByText('More', { exact: true }).click()
  const group = page.getByRole('group', { name: 'Options by folder' })
  const pattern = group.getByRole('textbox', { name: 'Folder or pattern' })
  const rules = group.getByRole('list', { name: 'Rules; the first that matches a file packs it' })
  const asked = (name: string | undefined) =>
    page.waitForFunction(
      (wanted) => (window.fake.callsOf('options.list') as OptionsRequest[]).at(-1)?.byFolder === wanted,
      name,
    )
  await pattern.fill('!Exports')
  await group.getByText('The rule "!Exports=', { exact: false }).waitFor()
  expect(await group.getByRole('button', { name: 'Add' }).isEnabled()).toBe(false)
  await pattern.fill('Exports/**')
  await group.getByRole('button', { name: /^Its option: / }).click()
  await page.getByRole('menuitemradio', { name: /^Every file by zstd -19/ }).click()
  await pattern.press('Enter')
  await asked('by-folder(Exports/**=files-zstd-19,*=7z-groups)')
  await pattern.fill('Raw')
  await group.getByRole('button', { name: 'Add' }).click()
  await asked('by-folder(Exports/**=files-zstd-19,Raw=files-zstd-19,*=7z-groups)')
  await rules.getByRole('button', { name: 'Move the rule Raw up' }).click()
  await rules.getByRole('button', { name: 'Remove the rule Exports/**' }).click()
  await page.keyboard.press('Control+z')
  await asked('by-folder(Raw=files-zstd-19,Exports/**=files-zstd-19,*=7z-groups)')
  await rules.getByRole('button', { name: 'Remove the rule Exports/**' }).click()
  await group.getByRole('button', { name: /^Other files: / }).click()
  await page.getByRole('menuitemradio', { name: /^One TorrentZip for each title/ }).click()
  const name = 'by-folder(Raw=files-zstd-19,*=torrentzip-titles)'
  await asked(name)
  await page.locator('.choose[aria-busy=false]').waitFor()
  await group.scrollIntoViewIfNeeded()
  await picture(page, 'choose-by-folder')
  const { options } = await listed({ mediumIds: ['disk'], byFolder: name })
  const option = options.find(({ variant }) => variant === name)
  expect(option?.plan.form).toBe('many')
  await markInTable(page, /^By folder: /)
  await button(page, /^Use this: By folder: /)
    .first()
    .click()
  const planned = page.getByRole('list', { name: 'Rules; the first that matches a file packs it' })
  await planned.waitFor()
  expect(await planned.getByRole('listitem').allTextContents()).toEqual([
    'Raw=files-zstd-19',
    '*=torrentzip-titles',
  ])
})

it('takes one container where one is wanted, and any again', { tags: 'long' }, async () => {
  const page = await choosing(windows)
  await page.getByText('More', { exact: true }).click()
  const containers = page.getByRole('radiogroup', { name: 'Container' })
  expect(await containers.getByRole('radio', { name: 'Any' }).isChecked()).toBe(true)
  await containers.getByText('7z', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Only 7z' }).waitFor()
  await page.waitForFunction(() =>
    (window.fake.callsOf('options.list') as OptionsRequest[]).some(({ limits }) => limits.container === '7z'),
  )
  await picture(page, 'choose-container')
  await containers.getByText('Any', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Only 7z' }).waitFor({ state: 'detached' })
  expect((await requests(page)).at(-1)?.limits.container).toBe(null)
})

it('explains the empty view before a survey, and compares nothing before a build', {
  tags: 'long',
}, async () => {
  const page = await windows.window()
  await page.keyboard.press('Control+3')
  await page.getByRole('heading', { name: 'No options yet' }).waitFor()
  await radio(page, 'All options').click()
  await page.waitForFunction(() => window.fake.callsOf('options.compare').length > 0)
  expect(await radio(page, 'Forecast vs. actual').count()).toBe(0)
  await button(page, 'Go to Source').click()
  await page.getByRole('heading', { name: 'Source', level: 1 }).waitFor()
  expect(await requests(page)).toEqual([])
})

it('needs no mouse: arrow keys read the best trade-offs first, Enter adds an option to the comparison', async () => {
  const page = await choosing(windows)
  await page.getByRole('button', { name: /^Choose, done/ }).waitFor()
  expect(await cards(page).count()).toBe(1)
  await board(page).focus()
  await page.keyboard.press('Home')
  const { options } = await listed()
  const [first, second] = walkOrder(options, lineOf(options, 'restoreSeconds')) as [Option, Option]
  const said = board(page).locator('[aria-live]')
  await expect.poll(() => said.textContent()).toContain(`${first.name}: Size on the medium `)
  expect(await said.textContent()).toMatch(
    /: Size on the medium \d+ GB \(\d+–\d+\), Modelled; To restore all .*, Assumed; Memory to build .*, Modelled; best trade-off$/,
  )
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: first.name }).waitFor()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => said.textContent()).toContain(`${second.name}: `)
  await page.keyboard.press('End')
  await board(page)
    .getByText(/not recommended: only forecast$/)
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  expect(await cards(page).count()).toBe(3)
  await button(page, `Remove ${first.name} from the comparison`).click()
  expect(await cards(page).count()).toBe(2)
  await button(page, 'Vertical axis: Restore').click()
  await page.getByRole('menuitemradio', { name: 'Memory', exact: true }).click()
  await page.getByRole('application', { name: /^Options by size and Memory to build\. / }).waitFor()

  // Tab goes through it in a few dozen stops, each with a ring.
  await page.getByText('More', { exact: true }).click()
  await radio(page, 'All options').focus()
  const names: string[] = []
  while (names.length < 80) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      const ringed = element.matches('input')
        ? (element.closest('label, .share-thumb, .field') ?? element)
        : element.matches('.picks')
          ? (element.closest('.table-frame') ?? element)
          : element
      const shown = [ringed, element, ...ringed.querySelectorAll('.checkbox-box')].map((each) =>
        getComputedStyle(each),
      )
      return {
        name:
          element.getAttribute('aria-label') ??
          element.closest('label')?.textContent ??
          element.textContent ??
          '',
        ring: shown.some(
          (style) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
        ),
        body: element === document.body,
      }
    })
    if (at.body) break
    expect(at, at.name).toMatchObject({ ring: true })
    names.push(at.name)
  }
  expect(names.length).toBeLessThan(80)
  for (const name of [
    /^Balanced/,
    /^Disk, BD-R 25 GB/,
    /^macOS/,
    /^More/,
    /^Options by size/,
    /^To restore all: .*about /,
    /^Go to Measure/,
    /^Build it here: /,
    /^Export All options/,
    /^All options$/,
  ])
    expect(
      names.some((found) => name.test(found)),
      `${name} in ${names.join('; ')}`,
    ).toBe(true)
})

it('does not offer to build what is only forecast, and gives the reason', { tags: 'long' }, async () => {
  const page = await choosing(windows)
  const { options } = await listed()
  const forecast = walkOrder(options, lineOf(options, 'restoreSeconds')).at(-1) as Option
  await board(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const card = page.getByRole('article', { name: forecast.name })
  await card.getByText(`Cannot be built here: ${forecast.build.because}`, { exact: false }).waitFor()
  expect(await card.getByRole('button', { name: /^Build it here/ }).isDisabled()).toBe(true)
  expect(await card.getByRole('button', { name: /^Use / }).count()).toBe(0)
  const first = cards(page).first()
  expect(await first.getByRole('button', { name: /^Build it here/ }).isEnabled()).toBe(true)
})

it('answers every change of settings, keeps old figures until then, and shows only the latest answer', {
  tags: 'long',
}, async () => {
  const page = await choosing(windows, { options: { held: [1] } })
  const answer = (goal: string) => page.getByRole('region', { name: `Best for “${goal}”` })
  await answer('Balanced').waitFor()
  const before = await board(page).boundingBox()
  await radio(page, 'Smallest').click()
  await page.locator('.choose[aria-busy=true]').waitFor()
  await answer('Balanced').waitFor()
  await radio(page, 'Fastest to build').click()
  await answer('Fastest to build').waitFor()
  expect(await page.locator('.choose').getAttribute('aria-busy')).toBe('false')
  await page.evaluate(() => window.fake.letGo())
  await answer('Fastest to build').waitFor()
  expect(await board(page).boundingBox()).toEqual(before)
  await radio(page, 'AES-256').click()
  await pickMedium(page, 'BD-R 25 GB')
  const { options } = await listed({ mediumIds: ['disk'], goal: 'fastestBuild', encryption: 'aes-256' })
  await page.getByText(`Best of ${options.length}: `, { exact: false }).waitFor()
  await radio(page, 'Custom').click()
  const slider = page.getByRole('slider', { name: 'Compatibility' })
  await slider.focus()
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight')
  await page.getByText('80 %', { exact: true }).waitFor()
  await page.waitForFunction(
    () => (window.fake.callsOf('options.list').at(-1) as OptionsRequest).weights?.portability === 0.8,
  )
  expect((await requests(page)).at(-1)).toMatchObject({
    mediumIds: ['disk'],
    goal: 'own',
    encryption: 'aes-256',
    calibrate: false,
    tableEntryBytes: 320,
  })
})

it('checks limits as they are typed, shows the nearest option to impossible ones, and relaxes them', {
  tags: 'long',
}, async () => {
  const page = await choosing(windows)
  await page.getByText('More', { exact: true }).click()
  const memory = page.getByRole('textbox', { name: 'Memory' })
  const count = (await requests(page)).length
  await memory.fill('12 bananas')
  await page.getByText('Not a size. Enter for example 4 GB.').waitFor()
  await page.waitForTimeout(150)
  expect((await requests(page)).length).toBe(count)
  await memory.fill('10 MB')
  await page.getByRole('textbox', { name: 'Build and write' }).fill('1 min')
  const limits = { ramBytes: 10e6, seconds: 60 }
  const impossible = await listed({ limits })
  await page.getByText(`None of ${impossible.options.length} options meets these limits.`).waitFor()
  const nothing = page.getByRole('region', { name: 'No option meets these limits' })
  await nothing.getByText('Nearest option').waitFor()
  for (const { text } of impossible.impossible?.relax ?? [])
    await nothing.getByText(`${text.slice(1)}.`, { exact: false }).waitFor()
  await picture(page, 'choose-impossible')
  await button(page, /^Relax the limit of memory: /).click()
  await button(page, /^Relax the limit of time: /).click()
  await page.getByText(/^Best of \d+: /).waitFor()
  const relaxed = Object.fromEntries((impossible.impossible?.relax ?? []).map(({ limit, to }) => [limit, to]))
  const { ramBytes, seconds } = (await requests(page)).at(-1)?.limits ?? {}
  expect(ramBytes).toBe(relaxed.ramBytes)
  // Typed times are whole minutes.
  expect(seconds).toBe(Math.ceil((relaxed.seconds ?? 0) / 60) * 60)
  await table(page).focus()
  // Only the rows in view are drawn: those that meet the limits come first.
  await page.keyboard.press('End')
  await table(page).getByText('exceeds limits: time, memory').first().waitFor()
})

it('sorts and filters its table, explains each figure, and exports CSV, JSON and a report', {
  tags: 'long',
}, async () => {
  const page = await choosing(windows)
  const document = await listed()
  const rowCount = `${document.options.length + 1}`
  expect(await table(page).getAttribute('aria-rowcount')).toBe(rowCount)
  await table(page).getByRole('button', { name: 'Size', exact: true }).click()
  await table(page).getByRole('button', { name: 'Size', exact: true }).click()
  const bySize = document.options.toSorted((a, b) => a.estimate.bytes.value - b.estimate.bytes.value)
  expect(await table(page).getByRole('row').nth(1).textContent()).toContain(bySize[0]?.name)
  await table(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await button(page, 'Table of Trade-offs').click()
  const instead = page.getByRole('grid', { name: 'Trade-offs' })
  expect(await instead.getAttribute('aria-rowcount')).toBe(rowCount)
  await button(page, 'Table of Trade-offs').click()
  expect(await cards(page).count()).toBe(2)
  await button(page, 'Show: All').click()
  await page.getByRole('menuitemradio', { name: 'Best trade-offs', exact: true }).click()
  const front = Number(await table(page).getAttribute('aria-rowcount')) - 1
  expect(front).toBeGreaterThan(3)
  expect(front).toBeLessThan(50)
  await button(page, 'Show: Best trade-offs').click()
  await page.getByRole('menuitemradio', { name: 'All', exact: true }).click()
  const beaten = bySize.find(({ beatenBy }) => beatenBy !== null) as Option
  await table(page)
    .getByTitle(beatenWords(beaten, document) ?? '', { exact: true })
    .first()
    .waitFor()
  const best = bestOf(document)
  await page
    .getByRole('button', { name: `${best.name}, To restore all: ` })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'How do we know?' })
  await dialog.getByText(best.estimate.restoreSeconds.basis.slice(1, 40), { exact: false }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Export All options as CSV').click()
  const rows = (await saved(page, 'options.csv')).trimEnd().split('\r\n')
  expect(rows).toHaveLength(document.options.length + 1)
  expect(rows[0]).toMatch(/^id,name,family,variant,medium,.*,bytes,bytes_low,bytes_high,bytes_provenance,/)
  expect(rows[1]).toContain(`${best.id},`)
  expect(rows[1]).toContain(`,${best.estimate.bytes.value},`)
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: 'All figures as JSON' }).click()
  expect(JSON.parse(await saved(page, 'options-s1.json'))).toMatchObject({ schema: 'stowage.options/1' })
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: 'Printable report (HTML)' }).click()
  const report = await saved(page, 'options-s1.html')
  expect(report.match(/<tr>/g)).toHaveLength(document.options.length + 1)
  expect(report).toContain(`Chosen: ${best.name}.`)
})

it('builds an option: target, size, progress, then forecast vs. actual', async () => {
  const page = await choosing(windows)
  await radio(page, 'Smallest').click()
  const best = bestOf(await listed({ goal: 'smallest' }))
  const size = `${Math.round(best.estimate.bytes.value / 1e9)} GB`
  await page.getByText(new RegExp(`^Best of \\d+: .*, ${size.replace(' ', '\\s')}`)).waitFor()
  await button(page, 'Build it here…').first().click()
  const panel = page.getByRole('region', { name: `Build ${best.name}` })
  await panel.getByText(`Writes about ${size} and takes about `, { exact: false }).waitFor()
  expect(await page.evaluate(() => window.fake.callsOf('options.build'))).toEqual([])
  await panel.getByText('Only measure: remove it after the build').click()
  await button(page, 'Start the build').click()
  await advance(page, 0.4)
  await page.getByRole('button', { name: /^Choose, running/ }).waitFor()
  await page.locator('.strip').getByText('Building', { exact: true }).waitFor()
  await picture(page, 'choose-building')
  await button(page, 'Cancel').click()
  await button(page, 'Start the build').and(page.locator(':enabled')).click()
  const asked = (await requests(page)).length
  await finish(page)
  await panel
    .getByText(/^Built 3 Mar 2026, 14:05 by .* 24\.09\. It was removed; only its figures are kept/)
    .waitFor()
  const fact = page.getByRole('table', { name: 'Forecast and actual figures' })
  expect(await fact.getByRole('row').nth(1).textContent()).toMatch(
    new RegExp(`^Size${size} ?\\d+–\\d+ ?\\d{3} GB[+−]\\d\\.\\d %[✓✗] `),
  )
  await page.waitForFunction((count) => window.fake.callsOf('options.list').length > count, asked)
  expect(await page.evaluate(() => window.fake.callsOf('options.build'))).toEqual(
    Array.from({ length: 2 }, () => ({
      surveyId: 's1',
      optionId: best.id,
      path: `/media/backup/${placeNameOf(best, [FOLDERS[0].path])}`,
      force: false,
      discard: true,
      encryption: 'none',
      password: null,
      protection: 0,
    })),
  )
  await picture(page, 'choose-built')
  await button(page, 'Close').click()
  await panel.waitFor({ state: 'detached' })
})

it('leads to the plan for plain files on discs, and recovers after a failed build', {
  tags: 'long',
}, async () => {
  const page = await choosing(windows, {
    settings: { medium: 'bd-r-50' },
    jobFails: { option: { code: 'no-space', message: 'only 2.00 GB are free in /media/backup' } },
  })
  await button(page, 'Build it here…').first().click()
  await button(page, 'Start the build').click()
  await finish(page)
  await page.getByRole('alert').getByText('only 2.00 GB are free', { exact: false }).waitFor()
  await button(page, 'Start the build').and(page.locator(':enabled')).waitFor()
  await pickMedium(page, 'One volume on a disk')
  await radio(page, 'Readable anywhere in 30 years').click()
  await button(page, 'Use this').click()
  await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
  await page.getByRole('radio', { name: /^BD-R DL 50 GB/, checked: true }).waitFor({ state: 'attached' })
})

it('asks for the password of an encrypted build twice, and never stores it', { tags: 'long' }, async () => {
  const secret = 'open sesame, please do'
  const page = await choosing(windows)
  await radio(page, 'AES-256').click()
  const encrypted = bestOf(await listed({ encryption: 'aes-256' }))
  await page.getByText(new RegExp(`^Best of \\d+: ${encrypted.name.split(',')[0]}`)).waitFor()
  await button(page, 'Build it here…').first().click()
  const panel = page.getByRole('region', { name: /^Build / })
  await panel.getByText('Encrypted with AES-256, file names included.').waitFor()
  const field = (label: string) => panel.getByLabel(label, { exact: true })
  expect(await button(page, 'Start the build').isDisabled()).toBe(true)
  await field('New password').fill(secret)
  await field('Repeat password').fill('open sesame, please')
  await panel.getByText('The passwords differ.').waitFor()
  expect(await button(page, 'Start the build').isDisabled()).toBe(true)
  await field('Repeat password').fill(secret)
  await picture(page, 'choose-encrypted')
  // What is set for the next list leaves this build as it was set up.
  await radio(page, 'None').click()
  await page.getByText(new RegExp(`^Best of \\d+: ${bestOf(await listed()).name.split(',')[0]}`)).waitFor()
  await panel.getByText('Encrypted with AES-256, file names included.').waitFor()
  await button(page, 'Start the build').click()
  await advance(page, 0.4)
  await page.getByRole('button', { name: /^Choose, running/ }).waitFor()
  expect(await page.evaluate(() => window.fake.callsOf('options.build'))).toMatchObject([
    { encryption: 'aes-256', password: new TextEncoder().encode(secret) },
  ])
  expect(await field('New password').count()).toBe(0)
  await finish(page)
  await panel.getByText(/^Built /).waitFor()
  expect(
    await page.evaluate((wanted) => {
      const inputs = [...document.querySelectorAll('input')].map(({ value }) => value)
      return [...inputs, document.documentElement.outerHTML].some((text) => text.includes(wanted))
    }, secret),
  ).toBe(false)
})

it('shows forecast vs. actual of every build', { tags: 'long' }, async () => {
  const page = await choosing(windows, { options: { built: 12 } })
  await radio(page, 'Forecast vs. actual').click()
  await page.getByRole('button', { name: /^Median error: Size: \d\.\d % over 12 builds, Measured/ }).waitFor()
  const builds = page.getByRole('table', { name: 'Builds' })
  expect(await builds.getAttribute('aria-rowcount')).toBe('13')
  const first = builds.getByRole('row').nth(4)
  expect(await first.textContent()).toMatch(/[+−]?\d\.\d\s%/)
  const chart = page.getByRole('application', { name: /^Forecast vs\. actual: Size\. / })
  await chart.focus()
  await page.keyboard.press('Home')
  await chart
    .getByText(/: forecast .* GB; actual .* GB; error [+−]?\d\.\d %; range (within|outside)$/)
    .waitFor({
      state: 'attached',
    })
  await picture(page, 'choose-accuracy')
  await button(page, 'Export Builds as CSV').click()
  expect((await saved(page, 'option-builds.csv')).split('\r\n')[0]).toContain(
    'forecast_bytes,forecast_bytes_low,forecast_bytes_high,actual_bytes,error_bytes,uncalibrated_error_bytes,held_bytes',
  )
})

it('shows why there is no answer, and keeps the previous one', { tags: 'long' }, async () => {
  const page = await windows.window({
    sources: FOLDERS,
    history: true,
    fails: { 'options.list': { code: 'not-found', message: 'no survey s1 in the catalog' } },
  })
  await page.keyboard.press('Control+6')
  await page
    .getByRole('button', { name: /^Open the survey of|^Open Photos/ })
    .first()
    .click()
  await page.keyboard.press('Control+3')
  await page.getByRole('alert').getByText('no survey s1 in the catalog').waitFor()
  await page.getByText('Run the survey again.', { exact: false }).waitFor()
  await picture(page, 'choose-error')
})
