import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { SurveyRequest, WalkRequest } from '../../../src/contract/dto/survey'
import { button } from './controls'
import { endWalk, keep, ONE, panel, rowOf, rules, says, tile, tree } from './keptPanel'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function lastPatterns(page: Page): Promise<string[] | undefined> {
  const all = (await page.evaluate(() => window.fake.callsOf('survey.walk'))) as WalkRequest[]
  return all.at(-1)?.rules?.patterns
}

const patternsBecome = (page: Page, patterns: string[]) =>
  expect.poll(() => lastPatterns(page)).toEqual(patterns)

describe('the tree of what is kept', () => {
  it('has the folders by size, and the files that have no row as one', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await says(page, '12,000 files (100 GB) are kept. Nothing is left out.')
    const names = await tree(page).getByRole('row').allTextContents()
    expect(names.map((name) => name.slice(0, 7))).toEqual([
      'NameSiz',
      expect.stringMatching(/^photos/),
      expect.stringMatching(/^2019/),
      expect.stringMatching(/^2020/),
      expect.stringMatching(/^Export/),
      expect.stringMatching(/^\.cache/),
    ])
    await button(page, 'Open 2019').click()
    await button(page, 'Open 01').click()
    await rowOf(page, 'IMG_4100.CR2').waitFor()
    await tree(page)
      .getByText(/^and [\d,]+ smaller files$/)
      .first()
      .waitFor()
  })

  it('leaves a folder out by its check box, and takes it back', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await keep(page, 'Exports').click()
    await says(page, '9,600 files (80.0 GB) are kept; 2,400 files (20.0 GB) are left out by 1 rule.')
    await patternsBecome(page, ['/Exports/'])
    await rowOf(page, 'Exports').getByText('by /Exports/').waitFor()
    expect(await keep(page, 'Exports').getAttribute('aria-checked')).toBe('false')
    await keep(page, 'Exports').click()
    await says(page, /Nothing is left out/)
    await patternsBecome(page, [])
  })

  it('leaves one file out, so that the folders above are kept in part', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await button(page, 'Open 2019').click()
    await button(page, 'Open 01').click()
    await keep(page, 'IMG_4100.CR2').click()
    await patternsBecome(page, ['/2019/01/IMG_4100.CR2'])
    await expect.poll(() => keep(page, '2019').getAttribute('aria-checked')).toBe('mixed')
  })

  it('takes back what a preset leaves out by a rule that keeps it', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await rules(page).locator('summary').click()
    await page.getByText(/^Program caches/).click()
    await rowOf(page, '.cache').getByText('by Program caches').waitFor()
    await keep(page, '.cache').click()
    await patternsBecome(page, ['!/.cache/'])
    await says(page, /Nothing is left out/)
    expect(await keep(page, '.cache').getAttribute('aria-checked')).toBe('true')
  })

  it('takes back a folder that two rules leave out', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await rules(page).locator('summary').click()
    await page.getByText(/^Program caches/).click()
    await page.getByRole('textbox', { name: 'Leave out' }).fill('/.cache/')
    await page.keyboard.press('Enter')
    await rowOf(page, '.cache').getByText('by /.cache/').waitFor()
    await keep(page, '.cache').click()
    await patternsBecome(page, ['!/.cache/'])
    await says(page, /Nothing is left out/)
  })

  it('says that a folder above is left out, and offers to keep that', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await button(page, 'Open 2019').click()
    await rowOf(page, '01').waitFor()
    await page.evaluate(() => {
      // Both in one moment: the walk between them would have closed the folder.
      const press = (name: string) =>
        document.querySelector<HTMLElement>(`[role=checkbox][aria-label="Keep ${name}"]`)?.click()
      press('2019')
      requestAnimationFrame(() => requestAnimationFrame(() => press('02')))
    })
    await page.getByText('02 cannot be kept while its folder 2019 is left out.').waitFor()
    await button(page, 'Keep 2019').click()
    await patternsBecome(page, [])
    await says(page, /Nothing is left out/)
  })

  it('needs no mouse', async () => {
    const page = await windows.window(ONE)
    await rowOf(page, 'Exports').waitFor()
    const { keyboard } = page
    await tree(page).focus()
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowRight')
    await rowOf(page, '01').waitFor()
    await keyboard.press('ArrowRight')
    await keyboard.press('Space')
    await patternsBecome(page, ['/2019/01/'])
    await rowOf(page, '01').getByText('by /2019/01/').waitFor()
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await rowOf(page, '01').waitFor({ state: 'detached' })
    // Past the headings that sort.
    for (const focused of ['Name', 'Size', 'Files', 'Leave out']) {
      await keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(focused)
    }
  })

  it('sorts what is in each folder by its headings, and the keys follow', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await button(page, 'Open 2019').click()
    await rowOf(page, '01').waitFor()
    const heading = (name: string) => tree(page).getByRole('columnheader', { name })
    await heading('Name').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => heading('Name').getAttribute('aria-sort')).toBe('ascending')
    const order = await tree(page)
      .getByRole('checkbox')
      .evaluateAll((all) => all.map((each) => each.ariaLabel))
    expect(order.slice(0, 3)).toEqual(['Keep .cache', 'Keep 2019', 'Keep 01'])
    await rowOf(page, '2019').click()
    await tree(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => rowOf(page, '2019').getAttribute('aria-selected')).toBe('true')
    await heading('Files').getByRole('button').click()
    await expect.poll(() => heading('Files').getAttribute('aria-sort')).toBe('descending')
    expect(await heading('Name').getAttribute('aria-sort')).toBeNull()
  })

  it('shows a folder in the file manager', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await rowOf(page, 'Exports').click()
    await button(page, 'Show in folder').click()
    expect(await page.evaluate(() => window.fake.callsOf('app.showFolder'))).toEqual([
      { path: '/media/photos/Exports' },
    ])
  })
})

describe('the map of what is kept', () => {
  it('leads down to a file and back, and leaves out what is selected', async () => {
    const page = await windows.window(ONE)
    await page.getByRole('radio', { name: 'Map' }).click()
    // The folders in a folder are drawn in its tile, and read out with it.
    await tile(page, /^2019: .*; in it 01 .*, 02 .*, 03 .* and more$/).waitFor()
    await page.locator('.tile-inner').getByText('01', { exact: true }).first().waitFor()
    await tile(page, /^2019: /).dblclick()
    await tile(page, /^01: /).click()
    const details = page.getByRole('region', { name: 'The selected folder or file' })
    await details.getByRole('heading', { name: '01' }).waitFor()
    await details.getByText(/^[\d,]+ bytes$/).waitFor()
    const map = await page.locator('.treemap-box').boundingBox()
    const right = await details.boundingBox()
    expect(right?.x).toBeGreaterThanOrEqual((map?.x ?? 0) + (map?.width ?? 0))
    await button(page, 'Open').click()
    await tile(page, /^IMG_4100\.CR2: /).click()
    await button(page, 'Leave out').click()
    await patternsBecome(page, ['/2019/01/IMG_4100.CR2'])
    await tile(page, /^IMG_4100\.CR2: .*left out$/).waitFor()
    await button(page, 'Keep').click()
    await patternsBecome(page, [])
    await page
      .getByRole('navigation', { name: 'Folder shown' })
      .getByRole('button', { name: 'photos' })
      .click()
    await tile(page, /^Exports: /).waitFor()
  })

  it('has the colours of types or of years, which tiles, legend and details name', async () => {
    const page = await windows.window(ONE)
    await page.getByRole('radio', { name: 'Map' }).click()
    await tile(page, /^2019: .*, mostly images, 2019–2020, kept; in it /).waitFor()
    const legend = page.locator('.map-legend')
    await legend.getByText('Folder', { exact: true }).waitFor()
    const colourOf = (name: RegExp) =>
      tile(page, name).evaluate((element) => element.style.getPropertyValue('--tile'))
    expect(await colourOf(/^2019: /)).toBe(await colourOf(/^Exports: /))
    // By keys: the switch is one stop, and the arrows move in it.
    await page.getByRole('radiogroup', { name: 'Colours' }).getByRole('radio', { name: 'Folder' }).focus()
    await page.keyboard.press('ArrowRight')
    await legend.getByText('Video', { exact: true }).waitFor()
    await page
      .locator('.tile')
      .getByText(/GB, mostly images$/)
      .first()
      .waitFor()
    expect(await colourOf(/^2019: /)).toBe('var(--class-image)')
    expect(await colourOf(/^Exports: /)).toBe('var(--class-video)')
    await page.keyboard.press('ArrowRight')
    await legend.getByText('2021', { exact: true }).waitFor()
    await page
      .locator('.tile')
      .getByText(/GB, 2020–2021$/)
      .first()
      .waitFor()
    expect(await colourOf(/^2019: /)).not.toBe(await colourOf(/^2020: /))
    await tile(page, /^2019: /).click()
    const details = page.getByRole('region', { name: 'The selected folder or file' })
    await details.getByText(/^images [\d.]+\s%, text [\d.]+\s%/).waitFor()
    await details.getByText(/^2019–2020 /).waitFor()
    await details.getByText('half of the bytes by 2019', { exact: true }).waitFor()
    // The choice stays when another page was open.
    await page.keyboard.press('Control+2')
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    await page.keyboard.press('Control+1')
    await legend.getByText('2021', { exact: true }).waitFor()
  })

  it('shows what is left out without a class or a year', async () => {
    const page = await windows.window(ONE)
    await page.getByRole('radio', { name: 'Map' }).click()
    await page.getByRole('radio', { name: 'Type', exact: true }).click()
    await tile(page, /^Exports: 20\.0\sGB, videos \(.*, 2021, kept/).click()
    await button(page, 'Leave out').click()
    await tile(page, /^Exports: .* files, left out$/).waitFor()
    await page.locator('.map-legend').getByText('Video', { exact: true }).waitFor({ state: 'detached' })
    const details = page.getByRole('region', { name: 'The selected folder or file' })
    await details.getByText('Last changed').waitFor({ state: 'detached' })
  })

  it('is walked by keys', async () => {
    const page = await windows.window(ONE)
    await page.getByRole('radio', { name: 'Map' }).click()
    await tile(page, /^2019: /).waitFor()
    const { keyboard } = page
    await page.getByRole('listbox', { name: /^Folders and files by size/ }).focus()
    await keyboard.press('Home')
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    await tile(page, /^12: /).waitFor()
    await keyboard.press('Backspace')
    await tile(page, /^2020: /).waitFor()
  })
})

describe('the rules', () => {
  it('show the files of each preset before it is chosen', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await rules(page).locator('summary').click()
    const preset = (name: string) => rules(page).locator('.kept-preset').filter({ hasText: name })
    await preset('Program caches').getByText('600 files, 5.00 GB').waitFor()
    await preset('Wastebaskets').getByText('nothing here').waitFor()
    await page.getByText(/^Program caches/).click()
    await says(page, '11,400 files (95.0 GB) are kept; 600 files (5.00 GB) are left out by 1 rule.')
    await preset('Program caches').getByText('600 files, 5.00 GB').waitFor()
  })

  it('are in order, have their effect, and go', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await rules(page).getByText('Nothing is left out').click()
    const field = page.getByRole('textbox', { name: 'Leave out' })
    for (const pattern of ['*.CR2', '!/2019/01/IMG_4100.CR2', '*.tmp']) {
      await field.fill(pattern)
      await page.keyboard.press('Enter')
    }
    const list = page.getByRole('list', { name: 'Patterns' })
    await list.getByText(/^119 files, [\d.]+ GB$/).waitFor()
    await list.getByText('leaves nothing out').waitFor()
    await list.getByText('keeps', { exact: true }).waitFor()
    await button(page, 'Move the rule !/2019/01/IMG_4100.CR2 up').click()
    await patternsBecome(page, ['!/2019/01/IMG_4100.CR2', '*.CR2', '*.tmp'])
    await list.getByText('keeps nothing').waitFor()
    await button(page, 'Remove the rule *.CR2').click()
    await patternsBecome(page, ['!/2019/01/IMG_4100.CR2', '*.tmp'])
    await rules(page).getByText('2 rules', { exact: true }).waitFor()
  })

  it('show what the engine cannot use at the field, and the figures of the rules before', {
    tags: 'long',
  }, async () => {
    const page = await windows.window(ONE)
    await rules(page).locator('summary').click()
    await page.getByRole('textbox', { name: 'Leave out' }).fill('a[b')
    await button(page, 'Add').click()
    await rules(page).getByText('Cannot use the rule "a[b", column 1: "[" has no "]".').waitFor()
    await panel(page).getByText('A rule cannot be used. The figures are for the rules before.').waitFor()
    await button(page, 'Remove the rule a[b').click()
    await rules(page).getByText('Cannot use', { exact: false }).waitFor({ state: 'detached' })
  })

  it('of files larger than a size, and files of rules with faults, are there', { tags: 'long' }, async () => {
    const page = await windows.window({
      ...ONE,
      walk: {
        faults: [{ path: '/media/photos/.stowageignore', message: 'line 2, column 1: "[" has no "]"' }],
      },
    })
    await rules(page).locator('summary').click()
    await rules(page).getByText('Line 2, column 1: "[" has no "]".').waitFor()
    await page.getByRole('textbox', { name: 'Files larger than' }).fill('300MB')
    await rules(page)
      .locator('.kept-larger')
      .getByText(/^\d+ files, [\d.]+ GB$/)
      .waitFor()
    const all = (await page.evaluate(() => window.fake.callsOf('survey.walk'))) as WalkRequest[]
    expect(all.at(-1)?.rules?.largerThanBytes).toBe(300_000_000)
  })

  it('go with the survey, whose figures are out of date once they change', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await keep(page, 'Exports').click()
    await says(page, /left out by 1 rule/)
    await button(page, 'Start survey').click()
    const [request] = (await page.evaluate(() => window.fake.callsOf('survey.start'))) as SurveyRequest[]
    expect(request?.rules?.patterns).toEqual(['/Exports/'])
    await finish(page)
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
    await page.keyboard.press('Control+1')
    await keep(page, 'Exports').click()
    await page.getByRole('button', { name: /^Survey, .*out of date/ }).waitFor()
  })
})

describe('a walk', () => {
  it('is not in the way of the survey', { tags: 'long' }, async () => {
    const page = await windows.window({ ...ONE, walk: { held: true } })
    await panel(page).getByText('Listing names and sizes: 0 files so far.').waitFor()
    await button(page, 'Start survey').click()
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('survey.start'))).toMatchObject([
      { paths: ['/media/photos'] },
    ])
    await finish(page)
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  })

  it('is cancelled and begun anew when the sources change', { tags: 'long' }, async () => {
    const page = await windows.window({ ...ONE, walk: { held: true } })
    await page.waitForFunction(() => window.fake.callsOf('survey.walk').length === 1)
    await page.evaluate(() => window.fake.give('more'))
    await page.waitForFunction(() => window.fake.callsOf('survey.walk').length === 2)
    expect(await page.evaluate(() => window.fake.callsOf('job.cancel'))).toHaveLength(1)
    await endWalk(page)
    await says(page, /are kept/)
  })

  it('that fails says so, and can be tried again', { tags: 'long' }, async () => {
    const page = await windows.window({
      ...ONE,
      jobFails: {
        walk: { code: 'permission-denied', message: 'cannot read /media/photos: permission denied' },
      },
    })
    await panel(page)
      .getByText(/could not be listed: Cannot read/)
      .waitFor()
    await button(page, 'List again').click()
    await page.waitForFunction(() => window.fake.callsOf('survey.walk').length === 2)
  })
})

it('100,000 folders in one are shown by their largest', { tags: 'long' }, async () => {
  const page = await windows.window({
    ...ONE,
    survey: { files: 240_000, bytes: 1e12 },
    walk: { folders: 100_000 },
  })
  await rowOf(page, 'Exports').waitFor()
  await button(page, 'Open Exports').click()
  await tree(page)
    .getByText(/Job 000001/)
    .waitFor()
  expect(await tree(page).getByRole('row').count()).toBeLessThan(60)
  await tree(page).focus()
  await page.keyboard.press('End')
  await tree(page)
    .getByText(/^and [\d,]+ smaller files$/)
    .waitFor()
})

describe('the survey', () => {
  it('says in one line what was left out, with a table by rule behind it', { tags: 'long' }, async () => {
    const page = await windows.window({
      ...ONE,
      survey: {
        files: 12_000,
        folders: {
          excluded: {
            files: 12,
            bytes: 3_100_000,
            folders: 4,
            counted: false,
            rules: [
              { from: 'given', pattern: '*.tmp', files: 12, bytes: 3_100_000, folders: 0 },
              { from: 'preset', preset: 'trash', pattern: '.Trash/', files: 0, bytes: 0, folders: 1 },
              { from: 'preset', preset: 'trash', pattern: '.Trashes/', files: 0, bytes: 0, folders: 3 },
            ],
            paths: [],
            unused: [],
            faults: [],
          },
        },
      },
    })
    await button(page, 'Start survey').click()
    await finish(page)
    const line = 'Left out by 2 rules: 4 folders with all in them and 12 files (3.10 MB).'
    await page.getByText(line).click()
    const table = page.getByRole('table', { name: 'Left out by rule' })
    await table
      .getByRole('row')
      .filter({ hasText: 'Wastebaskets' })
      .getByText('not counted')
      .first()
      .waitFor()
    await table.getByRole('cell', { name: '*.tmp' }).waitFor()
    await picture(page, 'kept-survey')
  })
})
