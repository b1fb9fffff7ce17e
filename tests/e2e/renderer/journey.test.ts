import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { FixedBlock } from '../../../src/contract/dto/survey'
import { exportLists } from './controls'
import { counted, SURVEY, unfold } from './surveyStep'
import { leadsThroughEveryStep } from './wholeJourney'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function surveyed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose folders…' }).click()
  await page.getByRole('button', { name: 'Start survey', exact: true }).click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByText('78,579 files read in').waitFor()
}

async function planned(page: Page): Promise<void> {
  await surveyed(page)
  await page.getByRole('button', { name: 'Plan discs' }).click()
  await page.getByRole('button', { name: 'Make the plan' }).click()
  await finish(page)
  await page.getByRole('listbox', { name: '9 discs' }).waitFor()
}

async function exported(page: Page): Promise<void> {
  await planned(page)
  await exportLists(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await page.getByText('/media/backup', { exact: true }).waitFor()
}

describe('from a folder to verified discs', () => {
  it('leads through every step (light-1440)', { tags: 'long' }, async () => {
    await leadsThroughEveryStep(windows, 'light-1440', { width: 1440, height: 900 })
  })

  it('needs no mouse', async () => {
    const page = await windows.window()
    const { keyboard } = page
    await keyboard.press('Control+o')
    await page.getByText('2 sources, ready').waitFor()
    await page.getByRole('button', { name: 'Start survey', exact: true }).focus()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    await finish(page)
    await page.getByText('78,579 files read in').waitFor()
    await keyboard.press('Control+4')
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    await page.getByRole('radio', { name: /^BD-R 25 GB ?24\.8/ }).focus()
    await keyboard.press('ArrowDown')
    await page.getByText('At least 9 discs').waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).focus()
    await keyboard.press('Space')
    await finish(page)
    await page.getByRole('option', { name: /^PHOTOS_01/ }).focus()
    await keyboard.press('End')
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('PHOTOS_09'),
    )
    await page.getByRole('heading', { name: 'PHOTOS_09' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).focus()
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Export lists and scripts…' }).waitFor()
    await keyboard.press('Enter')
    await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
    await finish(page)
    await page.getByRole('button', { name: 'Build it' }).focus()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Build', level: 1 }).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('plan.start'))).toEqual([
      {
        surveyId: 's1',
        beginsArchive: 'Photos 2003–2024',
        mediumId: 'bd-r-25:spare-none',
        protection: 'fill',
      },
    ])
  })

  it('reaches everything by Tab and always shows where the focus is', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await unfold(page, 'Duplicate files')
    await unfold(page, 'Analysis')
    await page.getByRole('table', { name: 'Codecs' }).waitFor()
    const names = new Set<string>()
    for (let press = 0, rounds = 0; press < 240 && rounds < 2; press++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        // The frame of a table shows the focus of the grid in it.
        const shown = element.closest('.table-frame') ?? element
        const style = getComputedStyle(element.matches('.picks') ? shown : element)
        return {
          name: element.getAttribute('aria-label') ?? element.textContent ?? '',
          body: element === document.body,
          ring: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
        }
      })
      if (at.body) {
        rounds += 1
        continue
      }
      expect(at, at.name).toMatchObject({ ring: true })
      names.add(at.name)
    }
    for (const name of [
      /^Source, done/,
      /^Table of Repeats/,
      /^Total size: 211 GB, 211,304,448,913 bytes, Exact/,
      /^Export Types/,
      /^Unique share by block size/,
      /^File types by total size/,
      /^Duplicate files/,
      /^Size of one solid archive/,
    ])
      expect(
        [...names].some((found) => name.test(found)),
        `${name} in ${[...names].join('; ')}`,
      ).toBe(true)
  })
})

describe('figures', () => {
  it('explain their origin on Enter, and close on Escape', { tags: 'long' }, async () => {
    const page = await windows.window({ survey: { sketched: true } })
    await surveyed(page)
    const figure = page.getByRole('button', { name: /^Smallest forecast: / })
    await figure.focus()
    await page
      .getByRole('tooltip')
      .getByText(/bytes$/)
      .waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'How do we know?' })
    await dialog.getByText('Modelled').waitFor()
    await dialog.getByText(/^1\d\d–1\d\d GB$/).waitFor()
    await picture(page, 'how-do-we-know')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await figure.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('change their unit at once and save the setting', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await page.keyboard.press('Control+,')
    await page.getByRole('radio', { name: /^GB/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+2')
    await page.getByText('197', { exact: true }).first().waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('app.saveSettings'))).toEqual([{ units: 'binary' }])
  })

  it('are shown as a curve that the arrow keys read out, and as a table', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await unfold(page, 'Analysis')
    const chart = page.getByRole('application', { name: /^Unique share by block size/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const unique = SURVEY.fixedBlocks.find(({ blockSize }) => blockSize === 4096)?.uniqueBytes ?? 0
    await chart
      .getByText(new RegExp(`^4 KiB: [\\d.]+ % unique; 1\\d\\d GB \\(${counted(unique)} bytes\\); Exact$`))
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Table of Repeats by block size' }).click()
    const table = page.getByRole('table', { name: 'Repeats by block size' })
    expect(await table.getByRole('row').count()).toBe(1 + 10 + 8)
    const cuts = [...SURVEY.fixedBlocks, ...SURVEY.chunked]
    const largest = cuts.reduce((most, each) => (each.uniqueBytes > most.uniqueBytes ? each : most))
    await table.getByRole('button', { name: 'Unique', exact: true }).click()
    expect(
      await table.getByRole('columnheader', { name: 'Unique', exact: true }).getAttribute('aria-sort'),
    ).toBe('descending')
    expect(await table.getByRole('row').nth(1).textContent()).toContain(
      'chunker' in largest ? largest.chunker : `${largest.blockSize / 2 ** 20} MiB`,
    )
  })

  it('are exported as CSV with exact bytes', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await unfold(page, 'Analysis')
    await page.getByRole('button', { name: 'Export Repeats by block size as CSV' }).click()
    await page.waitForFunction(() => window.fake.saved.length === 1)
    const saved = await page.evaluate(() => window.fake.saved[0])
    expect(saved?.name).toBe('dedup-by-block-size.csv')
    const [header, first] = (saved?.text ?? '').split('\r\n')
    expect(header).toBe(
      'cut_by,block_size_bytes,unique_bytes,low_bytes,high_bytes,unique_share,unique_blocks,zero_bytes,provenance',
    )
    const { uniqueBytes } = SURVEY.fixedBlocks.find(({ blockSize }) => blockSize === 2048) as FixedBlock
    expect(first).toContain(`fixed,2048,${uniqueBytes},${uniqueBytes},${uniqueBytes},0.`)
    expect(first).toMatch(/^fixed,2048,\d+,\d+,\d+,0\.7\d*,\d+,\d+,exact$/)
  })
})

describe('the plan', () => {
  it('judges a size of one’s own as it is typed', { tags: 'long' }, async () => {
    const page = await windows.window()
    await surveyed(page)
    await page.getByRole('button', { name: 'Plan discs' }).click()
    const field = page.getByRole('textbox', { name: 'Custom size' })
    await field.fill('12 bananas')
    await page.getByText('Not a size.').waitFor()
    expect(await page.getByRole('button', { name: 'Make the plan' }).isDisabled()).toBe(true)
    await field.fill('64 GB')
    await page.getByText('64,000,000,000 bytes').waitFor()
    await page.getByText('At least 4 discs').waitFor()
    await page.getByRole('textbox', { name: 'Disc names' }).fill('my-photos')
    await page.getByText('The first disc is named MY_PHOTOS_01.').waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    expect(await page.evaluate(() => window.fake.callsOf('plan.start'))).toEqual([
      {
        surveyId: 's1',
        mediumId: 'custom:64GB',
        labelPrefix: 'MY_PHOTOS',
        protection: 'fill',
        beginsArchive: 'Photos 2003–2024',
      },
    ])
  })

  it('cannot be exported while a problem blocks the export', { tags: 'long' }, async () => {
    const page = await windows.window({
      problems: [
        {
          code: 'name-unsupported',
          message: 'a name is too long for the medium',
          path: '/a',
          blocking: true,
        },
      ],
    })
    await planned(page)
    await page.getByText('blocks the export', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Build and verify' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0)
  })

  it('overwrites nothing without confirmation', async () => {
    const page = await windows.window({
      jobFails: { export: { code: 'exists', message: '/media/backup/Photos plan is not empty' } },
    })
    await planned(page)
    await exportLists(page)
    await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
    await finish(page)
    await page.getByText('This folder is not empty:').waitFor()
    await page.getByRole('button', { name: 'Plan, waits for your decision' }).waitFor()
    expect(await page.getByText('/media/backup/Photos plan is not empty').count()).toBe(0)
    await picture(page, 'export-refused')
    await page.getByText('The old plan folder is renamed and kept with everything in it.').waitFor()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await page.getByText('Exported to').waitFor()
    await page.getByText('The plan that was here (3.40 MB) is now in').waitFor()
    await page.getByTitle('/media/backup/Photos plan.replaced-2026-11-25').waitFor()
    await page.getByRole('button', { name: 'Plan, done' }).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('plan.export'))).toEqual([
      { planId: 'p3', directory: '/media/backup/Photos plan', force: false, language: 'en' },
      { planId: 'p3', directory: '/media/backup/Photos plan', force: true, language: 'en' },
    ])
  })

  it('shows the folder it went to', { tags: 'long' }, async () => {
    const page = await windows.window()
    await exported(page)
    await page.getByRole('button', { name: 'Show folder' }).click()
    expect(await page.evaluate(() => window.fake.callsOf('app.showFolder'))).toEqual([
      { path: '/media/backup/Photos plan' },
    ])
  })

  it.each([
    ['/media/backup', 1],
    ['/media/back', 0],
  ])('says when the folder lies inside the source (%s)', { tags: 'long' }, async (path, notes) => {
    const page = await windows.window({ sources: [{ path, kind: 'folder', name: 'backup' }] })
    await page.getByRole('button', { name: 'Start survey', exact: true }).click()
    await finish(page)
    await page.getByRole('button', { name: 'Plan discs' }).click()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await finish(page)
    await exportLists(page)
    await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
    await finish(page)
    await page.getByText('Exported to').waitFor()
    expect(await page.getByText('This folder lies inside the source.').count()).toBe(notes)
  })

  it('builds only the volumes that are picked', { tags: 'long' }, async () => {
    const page = await windows.window({ failingVolumes: [3] })
    await exported(page)
    await page.getByRole('button', { name: 'Build it' }).click()
    await page.getByRole('checkbox', { name: 'Select PHOTOS_03' }).check({ force: true })
    await page.getByRole('checkbox', { name: 'Select PHOTOS_02' }).check({ force: true })
    await page.getByRole('button', { name: 'Build 2 volumes' }).click()
    await finish(page)
    await page.getByRole('button', { name: 'Verify 2 volumes' }).click()
    await finish(page)
    await page.getByText('PHOTOS_03: 2 files differ from the plan').waitFor()
    await picture(page, 'verification-failed')
    expect(await page.evaluate(() => window.fake.callsOf('run.build'))).toEqual([
      { directory: '/media/backup/Photos plan', volumes: [2, 3], force: false, changed: 'ask' },
    ])
  })

  it('opens again from the catalog, with its survey', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    await page
      .getByRole('button', { name: /^Open Photos/ })
      .first()
      .click()
    await page.getByRole('listbox', { name: '5 discs' }).waitFor()
    await page.getByText('Exported to').waitFor()
    await page.getByRole('button', { name: /^Survey, done/ }).click()
    await page.getByText('78,579 files read in').waitFor()
  })

  it('leaves the catalog when the person says so twice, but not while it is open', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ history: true })
    const plans = page.getByRole('region', { name: 'Plans' })
    const removed = () => page.evaluate(() => window.fake.callsOf('catalog.remove'))
    await page.keyboard.press('Control+6')
    await plans.getByText('planned').first().waitFor()
    const rows = plans.getByRole('row')
    const before = await rows.count()
    await plans
      .getByRole('button', { name: /^Remove Photos/ })
      .first()
      .click()
    await plans.getByText(/^Remove the plan of Photos/).waitFor()
    await picture(page, 'catalog-remove')
    await page.keyboard.press('Enter')
    await plans.getByText(/^Remove the plan of Photos/).waitFor({ state: 'detached' })
    expect(await removed()).toEqual([])
    await plans
      .getByRole('button', { name: /^Remove Photos/ })
      .first()
      .click()
    await plans.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(before - 1)
    expect(await removed()).toEqual([{ id: expect.any(String) as string }])
    const left = await plans.getByRole('button', { name: /^Remove Photos/ }).count()
    await plans
      .getByRole('button', { name: /^Open Photos/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    await page.keyboard.press('Control+6')
    await expect.poll(() => plans.getByRole('button', { name: /^Remove Photos/ }).count()).toBe(left - 1)
  })
})
