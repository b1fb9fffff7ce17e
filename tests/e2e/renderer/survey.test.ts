import { describe, expect, it } from 'vitest'
import { type Chunked, type TypeRow } from '../../../src/contract/dto/survey'
import { PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'
import { analysed, counted, reading, SURVEY, surveyed, unfold } from './surveyStep'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

describe('compression and deduplication together', { tags: 'long' }, () => {
  it('shows the table memory for the chosen or typed bytes per entry', async () => {
    const page = await analysed(windows)
    const panel = page.getByRole('region', { name: 'Compression and deduplication together' })
    await panel.first().scrollIntoViewIfNeeded()
    const smallest = panel.getByRole('row').nth(1)
    const memory = async () => {
      const text = (await smallest.getByRole('cell').last().textContent()) ?? ''
      const [, number = '', unit = ''] = /([\d.]+)\s*([kMG]?B)/.exec(text.replaceAll(',', '')) ?? []
      return Number(number) * ({ B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? Number.NaN)
    }
    const usual = await memory()
    await panel.getByRole('radio', { name: '112 B, OpenZFS 2.3' }).click()
    expect((await memory()) / usual).toBeCloseTo(112 / 320, 1)
    const own = panel.getByRole('textbox', { name: 'custom, in bytes' })
    await own.fill('640')
    expect((await memory()) / usual).toBeCloseTo(2, 1)
    await own.fill('none')
    await panel.getByText('A whole number of bytes').waitFor()
    expect((await memory()) / usual).toBeCloseTo(2, 1)
  })

  it('offers every way of storing and sorts its rows', async () => {
    const page = await analysed(windows)
    const panel = page.getByRole('region', { name: 'Compression and deduplication together' })
    await panel.getByRole('radio', { name: 'ZFS, 4 KiB sectors' }).click()
    const first = panel.getByRole('row').nth(1)
    await panel.getByRole('columnheader', { name: 'Record', exact: true }).getByRole('button').click()
    await first.getByText('1 MiB', { exact: true }).waitFor()
    // Ascending at the second press.
    await panel.getByRole('columnheader', { name: 'Record', exact: true }).getByRole('button').click()
    await first.getByText('4 KiB', { exact: true }).waitFor()
    await panel.getByRole('radio', { name: 'Compressed files' }).click()
    await first.getByText('each file').waitFor()
  })
})

describe('what is in it', () => {
  it('is divided by types, or by folders and years, also when the page is opened again', async () => {
    const page = await surveyed(windows)
    const contents = page.getByRole('region', { name: 'Contents' })
    const height = async () => (await contents.boundingBox())?.height ?? 0
    const before = await height()
    await contents.getByRole('radio', { name: 'Types' }).focus()
    await page.keyboard.press('ArrowRight')
    const folders = contents.getByRole('list', { name: 'Largest folders' })
    await folders.getByRole('listitem').filter({ hasText: 'Lightroom' }).waitFor()
    expect(await folders.locator('.given-name').allTextContents()).toEqual(['Photos 2003–2024', 'Lightroom'])
    await contents
      .getByRole('img', { name: /^Bytes by the year of their last change: 2019: .*, 2023: / })
      .waitFor()
    expect(await height()).toBe(before)
    // The choice keeps the focus: it can be taken back at once.
    await page.keyboard.press('ArrowLeft')
    await contents.getByRole('listbox', { name: /^File types by total size/ }).waitFor()
    await page.keyboard.press('ArrowRight')
    await folders.waitFor()
    await page.keyboard.press('Control+1')
    await page.getByRole('heading', { name: 'Source', level: 1 }).waitFor()
    await page.keyboard.press('Control+2')
    await contents.getByRole('button', { name: 'Table of Contents' }).click()
    const table = contents.getByRole('table', { name: 'Contents' })
    await table.getByRole('row').filter({ hasText: 'Lightroom' }).waitFor()
    await table.getByRole('row').filter({ hasText: '2023' }).waitFor()
  })

  it('has no folders of other sources than its own', async () => {
    const page = await surveyed(windows)
    await page.keyboard.press('Control+1')
    await page.evaluate(() => window.fake.give('2012'))
    await page.getByText('3 sources, ready').waitFor()
    await page.keyboard.press('Control+2')
    await page.getByRole('radio', { name: 'Folders and years' }).click()
    const contents = page.getByRole('region', { name: 'Contents' })
    await contents.getByText(/^There is no listing of the sources of this survey/).waitFor()
    expect(await contents.getByRole('listitem').count()).toBe(0)
  })

  it('shows the exact figure at the focus again once the page was scrolled', async () => {
    const page = await analysed(windows)
    const ratio = page.getByRole('button', { name: /^Compression ratio of \.cr2/ })
    await ratio.focus()
    const shown = page.getByRole('tooltip').getByText(/^1\.00/)
    await shown.waitFor()
    const isAtFigure = async () => {
      const [figure, value] = await Promise.all([ratio.boundingBox(), shown.boundingBox().catch(() => null)])
      return figure !== null && value !== null && Math.abs(value.y - figure.y) < 2 * figure.height
    }
    const at = await page.getByRole('heading', { name: 'Survey', level: 1 }).boundingBox()
    await page.mouse.move(at?.x ?? 0, (await ratio.boundingBox())?.y ?? 0)
    for (const by of [-60, 60]) {
      const before = await ratio.boundingBox()
      await page.mouse.wheel(0, by)
      await expect.poll(async () => (await ratio.boundingBox())?.y).not.toBe(before?.y)
      await expect.poll(isAtFigure).toBe(true)
    }
    await picture(page, 'figure-at-focus')
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
  })

  it('has the ratio of each type, its range on focus, and marks types that compressing does not help', {
    tags: 'long',
  }, async () => {
    const page = await analysed(windows)
    const types = page.getByRole('grid', { name: 'Types' })
    const photos = types.getByRole('row', { name: /^\.cr2/ })
    await photos.getByText('no gain').waitFor()
    const ratio = photos.getByRole('button', { name: /^Compression ratio of \.cr2: 1\.00/ })
    await ratio.focus()
    await page
      .getByRole('tooltip')
      .getByText(/^1\.00\d? \(\d\.\d\d–1\.\d\d\)/)
      .waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^\d\.\d\d–1\.\d\d$/).waitFor()
    await dialog.getByText('Not worth compressing: no codec that was tried saves 3 %.').waitFor()
    // The tooltip, where it is still there, goes first.
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape')
        return dialog.count()
      })
      .toBe(0)
    expect(
      await types
        .getByRole('row', { name: /^\.iso/ })
        .getByText('no gain')
        .count(),
    ).toBe(0)
    await types
      .getByRole('row', { name: /^\.iso/ })
      .getByRole('button', { name: /^Compression ratio of \.iso: 0\.\d\d/ })
      .waitFor()
    await picture(page, 'survey-type-ratios')
  })

  it('is walked by the arrow keys, picked by Enter, and the others follow', async () => {
    const page = await analysed(windows)
    const map = page.getByRole('listbox', { name: /^File types by total size/ })
    await map.focus()
    const active = () =>
      map.evaluate(
        (box) =>
          document
            .getElementById(box.getAttribute('aria-activedescendant') ?? '')
            ?.getAttribute('aria-label') ?? '',
      )
    const [first, second] = SURVEY.types as [TypeRow, TypeRow]
    const share = ({ bytes }: TypeRow) => ((100 * bytes) / PHOTOGRAPHS.bytes).toFixed(1)
    expect(await active()).toMatch(
      new RegExp(
        `^\\.${first.extension}: [\\d.]+ GB \\(${counted(first.bytes)} bytes\\), Image, ${share(first)} %; ${counted(first.files)} files; exact$`,
      ),
    )
    await page.keyboard.press('ArrowRight')
    expect(await active()).toContain(`.${second.extension}: `)
    await page.keyboard.press('ArrowRight')
    const right = await active()
    expect(right).toMatch(/^\.\w+: /)
    expect(right).not.toContain(`.${second.extension}: `)
    await page.keyboard.press('ArrowDown')
    expect(await active()).toMatch(/^\.\w+: /)
    expect(await active()).not.toBe(right)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(
        `${counted(second.files)} files, ${(second.bytes / 1e9).toFixed(1)} GB, ${share(second)} % of the bytes`,
      )
      .waitFor()
    const table = page.getByRole('grid', { name: 'Types' })
    expect(await table.getByRole('row', { selected: true }).textContent()).toContain(`.${second.extension}`)
    await page.getByText(`solid: .${second.extension}; pale: all files`).waitFor()
    await picture(page, 'survey-picked-type')
    await page.keyboard.press('Escape')
    await page.getByText('Area shows bytes.').waitFor()
    expect(await table.getByRole('row', { selected: true }).count()).toBe(0)
  })

  it('is narrowed to a class from its name, and widened again', { tags: 'long' }, async () => {
    const page = await analysed(windows, {}, { dark: true })
    await page.getByRole('button', { name: /^Video/ }).click()
    const table = page.getByRole('grid', { name: 'Types' })
    await page.getByText('2 of 16 types, largest first.').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('3')
    await picture(page, 'survey-picked-class')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('17')
  })

  it('is narrowed to a size from the histogram by the keyboard', { tags: 'long' }, async () => {
    const page = await analysed(windows)
    const chart = page.getByRole('application', { name: /^Files and bytes by file size/ })
    await chart.focus()
    await page.keyboard.press('End')
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByText(/^solid: .* MiB to .* MiB; pale: all files$/).waitFor()
    const rows = Number(await page.getByRole('grid', { name: 'Types' }).getAttribute('aria-rowcount'))
    expect(rows).toBeGreaterThan(1)
    expect(rows).toBeLessThan(17)
    await picture(page, 'survey-picked-size')
    await page.keyboard.press('Enter')
    await page.getByText('16 types, largest first.').waitFor()
  })

  it('is picked in the table by the arrow keys', { tags: 'long' }, async () => {
    const page = await analysed(windows)
    const table = page.getByRole('grid', { name: 'Types' })
    await table.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('status').getByText('.mov').waitFor()
    expect(await page.getByRole('option', { selected: true }).getAttribute('aria-label')).toMatch(/^\.mov: /)
  })
})

describe('forecasts', () => {
  it('label each chunker once at the line and read it out with its range', async () => {
    const page = await analysed(windows)
    const chart = page.getByRole('application', { name: /^Unique share by block size/ })
    await chart.focus()
    await page.keyboard.press('End')
    const last = SURVEY.chunked.toSorted((a, b) => a.averageSize - b.averageSize).at(-1) as Chunked
    await chart
      .getByText(
        new RegExp(
          `^${last.chunker}, about .*: [\\d.]+ % unique; \\d+ GB \\(${counted(last.uniqueBytes)} bytes\\); range \\d+ GB to \\d+ GB; Modelled$`,
        ),
      )
      .waitFor({ state: 'attached' })
    await picture(page, 'survey-chunker-read-out')
  })

  it('explain what the range of casync does not include', { tags: 'long' }, async () => {
    const page = await analysed(windows)
    const panel = page.getByRole('region', { name: 'Repeats by block size' })
    await panel.getByRole('button', { name: 'Table of Repeats by block size' }).click()
    await panel.getByRole('button', { name: /^casync: / }).click()
    const dialog = page.getByRole('dialog', { name: 'How do we know?' })
    await dialog.getByText('its chunks span files').waitFor()
    await picture(page, 'survey-chunker-basis')
  })

  it('sort the codecs by size at the record size chosen, and mark the smallest and the fastest', {
    tags: 'long',
  }, async () => {
    const page = await analysed(windows)
    const table = page.getByRole('table', { name: 'Codecs' })
    await table.scrollIntoViewIfNeeded()
    const whole = SURVEY.compression.filter(({ recordSize }) => recordSize === null)
    expect(await table.getByRole('row').nth(1).textContent()).toContain('smallest')
    expect(await table.getByRole('row').count()).toBe(whole.length + 1)
    expect(await table.getByRole('row', { name: /lz4/ }).textContent()).toMatch(/^lz4≈?fastest/)
    const before = await table.getByRole('row').nth(1).textContent()
    await page.getByRole('radio', { name: 'Records of 4 KiB' }).click()
    expect(await table.getByRole('row').nth(1).textContent()).not.toBe(before)
    await page.getByRole('region', { name: 'Codecs' }).evaluate((region) => region.scrollIntoView())
    await picture(page, 'survey-codecs-at-4k')
    await table.getByRole('button', { name: /^Speed of zstd -3: [\d.]+ MB\/s, Measured/ }).click()
    await page
      .getByRole('dialog', { name: 'How do we know?' })
      .getByText('one core of this machine')
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export Codecs as CSV' }).click()
    await page.waitForFunction(() => window.fake.saved.length === 1)
    const text = (await page.evaluate(() => window.fake.saved[0]))?.text.split('\r\n') ?? []
    expect(text[0]).toBe(
      'codec,scope,record_size_bytes,predicted_bytes,low_bytes,high_bytes,provenance,share_of_raw,bytes_per_second,sampled_bytes',
    )
    expect(text).toHaveLength(1 + SURVEY.compression.length + 1)
  })

  it('report a source that is already compressed', { tags: 'long' }, async () => {
    const page = await analysed(windows, { survey: { alreadyCompressed: true } })
    await page.getByText(/^Already compressed: even .* saves only [\d.]+ %\.$/).waitFor()
  })

  it('draw a line for each order of a solid archive, readable point by point and as a table', {
    tags: 'long',
  }, async () => {
    const page = await analysed(windows)
    const chart = page.getByRole('application', { name: /^Size of one solid archive/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await chart
      .getByText(/^by path, 1 MiB dictionary: \d+ GB .*; range .*; Modelled$/)
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Table of One solid archive, LZMA2 -9' }).click()
    const table = page.getByRole('table', { name: 'One solid archive, LZMA2 -9' })
    expect(await table.getAttribute('aria-rowcount')).toBe('19')
  })

  it('keep their space while they are expected, and come once everything is read', {
    tags: 'long',
  }, async () => {
    const page = await reading(windows, {}, { dark: true })
    const expected = page.getByText('Available after the first samples.')
    await advance(page, 0.1)
    await unfold(page, 'Analysis')
    for (const share of [0.2, 0.95]) {
      await advance(page, share)
      await expect.poll(() => expected.count()).toBe(2)
    }
    await picture(page, 'survey-live-early')
    await advance(page, 1)
    const table = page.getByRole('table', { name: 'Codecs' })
    await table.scrollIntoViewIfNeeded()
    await table.getByRole('row').nth(1).waitFor()
    expect(await expected.count()).toBe(0)
    await picture(page, 'survey-live-late')
  })

  it('are one calm line where a survey has none', { tags: 'long' }, async () => {
    const page = await analysed(windows, { survey: { forecasts: false } })
    await page.getByText('Not part of this survey.').waitFor()
    expect(await page.getByRole('heading', { name: 'Codecs' }).count()).toBe(0)
    expect(await page.getByText('Diamonds:').count()).toBe(0)
    await page.getByRole('region', { name: 'Compression' }).scrollIntoViewIfNeeded()
    await picture(page, 'survey-no-forecasts')
  })

  it('do not pretend to be expected by a quick survey', { tags: 'long' }, async () => {
    const page = await reading(windows, { settings: { samples: 'quick' }, survey: { forecasts: false } })
    await advance(page, 0.1)
    expect(await page.getByText('Available after the first samples.').count()).toBe(0)
    expect(await page.evaluate(() => window.fake.callsOf('survey.start'))).toMatchObject([
      { samples: 'quick' },
    ])
  })
})

describe('the choice of samples', () => {
  it('is made in plain words by the keyboard and remembered', { tags: 'long' }, async () => {
    const page = await windows.window()
    await page.keyboard.press('Control+1')
    await page.getByText('Survey settings', { exact: true }).focus()
    await page.keyboard.press('Enter')
    const chosen = page.getByRole('radio', { name: /^Normal/ })
    await chosen.focus()
    await page.keyboard.press('ArrowDown')
    await page
      .getByRole('radio', { name: /^Thorough About a minute and a half/, checked: true })
      .waitFor({ state: 'attached' })
    expect(await page.evaluate(() => window.fake.callsOf('app.saveSettings'))).toEqual([
      { samples: 'thorough' },
    ])
    await picture(page, 'survey-samples-choice')
  })
})

describe('duplicate files', () => {
  it('are sorted by benefit and open to their paths by the keyboard', async () => {
    const page = await surveyed(windows)
    await unfold(page, 'Duplicate files')
    const list = page.getByRole('treegrid', { name: 'Duplicate files' })
    await list.focus()
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
    const count = Number(await list.getAttribute('aria-rowcount'))
    await page.keyboard.press('Enter')
    expect(Number(await list.getAttribute('aria-rowcount'))).toBe(count + 20)
    expect(await list.getByRole('row', { expanded: true }).textContent()).toContain('contact sheet.jpg')
    await list.locator('..').evaluate((frame) => frame.scrollTo(0, 300))
    await list.getByText('and 14 more').waitFor()
    await picture(page, 'survey-duplicates-open')
    expect(await list.getByRole('row').count()).toBeLessThan(60)
    await page.keyboard.press('Enter')
    expect(Number(await list.getAttribute('aria-rowcount'))).toBe(count)
    expect(await page.evaluate(() => window.fake.callsOf('survey.duplicates'))).toEqual([
      { surveyId: 's1', limit: 1000 },
    ])
  })

  it('are exported as CSV, a line for each path', { tags: 'long' }, async () => {
    const page = await surveyed(windows)
    await unfold(page, 'Duplicate files')
    await page.getByRole('treegrid', { name: 'Duplicate files' }).waitFor()
    await page.getByRole('button', { name: 'Export Duplicate files as CSV' }).click()
    await page.waitForFunction(() => window.fake.saved.length === 1)
    const text = (await page.evaluate(() => window.fake.saved[0]))?.text ?? ''
    expect(text.startsWith('group,bytes_each,copies,saved_bytes,path\r\n1,')).toBe(true)
  })
})

describe('folders of Stowage in the source', { tags: 'long' }, () => {
  const folders = {
    leftOut: [{ path: '/media/photos/plan', files: 12, bytes: 3_100_000 }],
    otherSets: ['/media/photos/2011/set', '/media/photos/2012/set', '/media/photos/2013/set', '/a', '/b'],
  }

  it.each([
    ['in a source with files', {}],
    ['in a source without others', { files: 0 }],
  ])('are named, %s', async (_, found) => {
    const page = await reading(windows, { survey: { folders, ...found } })
    await finish(page)
    const list = page.getByRole('list', { name: 'Folders of Stowage in the source' })
    await list.getByText('Left out, Stowage’s own (12 files, 3.10 MB):').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(5)
    expect(await list.getByText('Surveyed like any folder, made by Stowage:').count()).toBe(3)
    await list.getByText('2 more folders made by Stowage').waitFor()
    await picture(page, `survey-own-folders-${'files' in found ? 'empty' : 'files'}`)
  })
})

describe('skipped files', { tags: 'long' }, () => {
  it('load while scrolling, and are exported as CSV completely', async () => {
    const page = await surveyed(windows, { survey: { skipped: 3500, longPaths: true } })
    await unfold(page, '3,500 files were not read')
    const list = page.getByRole('table', { name: '3,500 files were not read' })
    expect(await page.evaluate(() => window.fake.callsOf('survey.skips'))).toEqual([])
    await list.locator('xpath=..').evaluate((body) => body.scrollTo(0, body.scrollHeight))
    await list.getByText('#3499.CR2').waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('survey.skips'))).toEqual([
      { surveyId: 's1', offset: 3000, limit: 1000 },
    ])
    await page.getByRole('button', { name: 'Export 3,500 files were not read as CSV' }).click()
    await page.waitForFunction(() => window.fake.saved.length === 1)
    const text = (await page.evaluate(() => window.fake.saved[0]))?.text ?? ''
    expect(text.trimEnd().split('\r\n')).toHaveLength(3501)
  })
})

describe('files whose content alone changed', { tags: 'long' }, () => {
  it('are shown until the person says that they know of them', async () => {
    const silentChanges = {
      surveyId: 's-0',
      createdWallMs: Date.UTC(2026, 2, 3),
      files: 12,
      bytes: 34_000_000,
      paths: Array.from({ length: 12 }, (_, at) => `/media/photos/2011/Karelia/_MG_40${10 + at}.CR2`),
    }
    const page = await surveyed(windows, { survey: { folders: { silentChanges } } })
    const panel = page.getByRole('region', { name: 'Content changed, size and time did not' })
    await panel
      .getByText('12 files (34.0 MB) have other content than on 3 Mar 2026', { exact: false })
      .waitFor()
    await panel.getByText('and 4 more').waitFor()
    await picture(page, 'silent-changes')
    await panel.getByRole('button', { name: 'I know of these files' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+6')
    await page
      .getByRole('region', { name: 'Surveys' })
      .getByRole('button', { name: /^Open / })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    expect(await panel.count()).toBe(0)
  })
})
