import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { STATES } from './everyState'
import { unfold } from './surveyStep'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const SMALLER = /^The source would be about \d+ % smaller/

async function reading(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose folders…' }).click()
  await page.getByRole('button', { name: 'Start survey', exact: true }).click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
}

const FOLDERS = [{ path: '/media/photos/2011', kind: 'folder', name: '2011' }] as const

describe('running work', () => {
  it('fills the survey in while it reads, and moves nothing', async () => {
    const page = await windows.window()
    await reading(page)
    await advance(page, 0.02)
    await page.getByText('1,572 of 78,579 files', { exact: true }).waitFor()
    expect(await page.getByText(/^about .* left$/).count()).toBe(0)
    const title = page.getByRole('heading', { name: 'Contents' })
    const before = await title.boundingBox()
    await advance(page, 0.6)
    await page.getByText('47,147 of 78,579 files', { exact: true }).waitFor()
    await page.getByText('about 2 min left', { exact: true }).waitFor()
    expect(await title.boundingBox()).toEqual(before)
    await finish(page)
    await page.getByText(SMALLER).waitFor()
    expect(await title.boundingBox()).toEqual(before)
  })

  it('is visible in every step, can pause and resume', async () => {
    const page = await windows.window()
    await reading(page)
    await advance(page, 0.3)
    await page.keyboard.press('Control+6')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await picture(page, 'paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    const calls = await page.evaluate(() => window.fake.calls.map(({ channel }) => channel))
    expect(calls.filter((channel) => /^job\.(pause|resume)$/.test(channel))).toEqual([
      'job.pause',
      'job.resume',
    ])
  })

  it('shows the whole name of the volume that is worked on', { tags: 'long' }, async () => {
    const building = STATES['build']?.loading
    const page = await windows.window(building?.scenario)
    await building?.reach(page)
    const name = page.locator('.strip-current .path-tail')
    await name.waitFor()
    const [text, isCut] = await name.evaluate((element) => [
      element.textContent,
      element.scrollWidth > element.clientWidth,
    ])
    expect([text, isCut]).toEqual(['PHOTOS_04', false])
  })

  it('counts every second while no report comes', { tags: 'long' }, async () => {
    const page = await windows.windowOfOwnTime()
    await reading(page)
    await advance(page, 0.3)
    const clock = page.locator('.strip-clock')
    await clock.waitFor()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const secondsOf = async (): Promise<number> => {
      const [, hours = 0, minutes = 0, seconds = 0] =
        /(?:(\d+):)?(\d+):(\d\d)/.exec((await clock.textContent()) ?? '') ?? []
      return 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)
    }
    await page.clock.runFor(250)
    const first = await secondsOf()
    for (let second = 1; second <= 12; second++) {
      await page.clock.runFor(1000)
      expect(await secondsOf()).toBe(first + second)
    }
  })

  it('explains why it cannot pause, and keeps the button focusable', { tags: 'long' }, async () => {
    const page = await windows.window()
    await reading(page)
    await page.evaluate(() => window.fake.advance(0.6, false))
    const pause = page.getByRole('button', { name: 'Pause' })
    const reason = 'Only reading can be paused. The current step ends on its own.'
    await page.locator('.strip [aria-disabled="true"]').waitFor()
    expect(await pause.getAttribute('title')).toBe(reason)
    await pause.focus()
    expect(await pause.evaluate((button) => document.activeElement === button)).toBe(true)
    const described = await pause.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(reason)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => window.fake.callsOf('job.pause'))).toEqual([])
    await page.evaluate(() => window.fake.advance(0.7, true))
    await page.locator('.strip [aria-disabled="false"]').waitFor()
    expect(await pause.getAttribute('title')).toBeNull()
  })

  it('keeps what is known when it is cancelled', async () => {
    const page = await windows.window()
    await reading(page)
    await advance(page, 0.5)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Stopped early: the figures cover only the files read so far.').waitFor()
    await page.getByText('39,290 files read in').waitFor()
    await page.getByText('survey stopped early').waitFor()
    expect(await page.getByText('every file was read').count()).toBe(0)
    await page.getByRole('button', { name: 'Catalog, done' }).waitFor()
    await page.getByText('Nothing is running', { exact: true }).first().waitFor()
    await picture(page, 'survey-stopped-early')
  })

  it('reports a cancel before anything was read', { tags: 'long' }, async () => {
    const page = await windows.window()
    await reading(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'The survey stopped before it had results' }).waitFor()
  })

  it('announces every tenth to a screen reader, not every report', { tags: 'long' }, async () => {
    const page = await windows.window()
    await reading(page)
    await advance(page, 0.31)
    const status = page.locator('.strip [aria-live="polite"]')
    await status.getByText('24,359 of 78,579 files').waitFor({ state: 'attached' })
    await advance(page, 0.34)
    await page.getByText('26,717 of 78,579 files', { exact: true }).waitFor()
    expect(await status.textContent()).toContain('24,359 of 78,579 files')
    await advance(page, 0.41)
    await status.getByText('32,217 of 78,579 files').waitFor({ state: 'attached' })
  })

  it('begins at once with what the command line gave', { tags: 'long' }, async () => {
    const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true })
    await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
    expect(await page.evaluate(() => window.fake.callsOf('survey.start'))).toEqual([
      {
        paths: ['/media/photos/2011'],
        sha256: true,
        samples: 'normal',
        full: false,
        maxMemoryBytes: 512 * 1024 ** 2,
      },
    ])
  })
})

describe('a survey that fails', { tags: 'long' }, () => {
  const failure = {
    code: 'not-found',
    message: 'cannot read /media/photos/2012: no such file or directory',
  } as const

  it('shows no figures of the source before it, and can be started again', async () => {
    const page = await windows.window()
    await reading(page)
    await finish(page)
    await page.getByText(SMALLER).waitFor()
    await page.evaluate((fails) => window.fake.failNext(fails), failure)
    await page.keyboard.press('Control+1')
    await page.evaluate(() => window.fake.give('2012'))
    await page.getByRole('button', { name: 'Survey, out of date' }).waitFor()
    await page.keyboard.press('Control+2')
    await page.getByText('not for the current source').waitFor()
    await picture(page, 'survey-stale')
    await page.getByRole('button', { name: 'Start survey', exact: true }).click()
    await finish(page)
    await page.getByRole('heading', { name: 'The survey failed' }).waitFor()
    await page.getByText('cannot read /media/photos/2012: no such file or directory').waitFor()
    expect(await page.getByText('every file was read').count()).toBe(0)
    expect(await page.getByText(SMALLER).count()).toBe(0)
    await page.getByRole('button', { name: 'Survey, failed' }).waitFor()
    await picture(page, 'survey-failed')
    await page.getByRole('button', { name: 'Start survey again' }).click()
    await page.getByRole('button', { name: 'Survey, running' }).waitFor()
    await finish(page)
    await page.getByRole('button', { name: 'Survey, done' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start survey again' }).count()).toBe(0)
  })

  it('marks figures of the same source as older', async () => {
    const page = await windows.window()
    await reading(page)
    await finish(page)
    await page.getByText(SMALLER).waitFor()
    await page.evaluate((fails) => window.fake.failNext(fails), failure)
    await page.keyboard.press('Control+1')
    await page.getByRole('button', { name: 'Start survey', exact: true }).click()
    await finish(page)
    await page.getByText('The last survey failed. These figures are from').waitFor()
    await page.getByRole('button', { name: 'Survey, failed' }).waitFor()
    await page.getByRole('button', { name: 'Start survey again' }).waitFor()
    await picture(page, 'survey-failed-again')
  })
})

describe('failures', () => {
  it('are one line: what, which and what now, without the code', { tags: 'long' }, async () => {
    const page = await windows.window({
      fails: {
        'survey.start': {
          code: 'permission-denied',
          message: 'cannot read /media/photos: permission denied',
        },
      },
    })
    await page.getByRole('button', { name: 'Choose folders…' }).click()
    await page.getByRole('button', { name: 'Start survey', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'permission denied' })
    await alert.getByText('Grant yourself access, or leave it out.').waitFor()
    await alert.getByText('Cannot read /media/photos: permission denied.', { exact: true }).waitFor()
    expect(await alert.textContent()).not.toContain('permission-denied')
    await picture(page, 'error')
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await alert.waitFor({ state: 'detached' })
  })

  it('of a job are shown in its own step', { tags: 'long' }, async () => {
    const page = await windows.window({
      history: true,
      jobFails: { plan: { code: 'tool-missing', message: 'xorriso is not installed' } },
    })
    await page.keyboard.press('Control+6')
    await page
      .getByRole('button', { name: /^Open Photos/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Make again' }).click()
    await page.keyboard.press('Control+1')
    await finish(page)
    await page.getByText('Nothing is running', { exact: true }).first().waitFor()
    expect(await page.getByText('xorriso is not installed').count()).toBe(0)
    await page.keyboard.press('Control+4')
    await page.getByText('xorriso is not installed').waitFor()
    await page.getByText('Install this program, then try again.').waitFor()
  })

  it('of the engine give the reason, the restart and the interrupted work', async () => {
    const page = await windows.window()
    await reading(page)
    await advance(page, 0.4)
    await page.evaluate(() => window.fake.crash())
    await page.getByText('The engine stopped and is restarting.').waitFor()
    await page.getByText('Reason: it ended with signal SIGKILL.').waitFor()
    await page.getByText('The survey was interrupted').waitFor()
    expect(await page.getByRole('button', { name: 'Start survey again' }).isDisabled()).toBe(true)
    await picture(page, 'engine-lost')
    await page.evaluate(() => window.fake.restart())
    await page.getByText('The engine stopped').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Start survey again' }).click()
    await finish(page)
    await page.getByText(SMALLER).waitFor()
  })
})

describe('what is there or not', { tags: 'long' }, () => {
  it('is said of SHA-256 before the plan is made, and no longer once it is', async () => {
    const page = await windows.window({
      survey: { missingSha256: { files: 12_034, bytes: 2_980_000_000_000 } },
    })
    await reading(page)
    await finish(page)
    await page.getByRole('button', { name: 'Plan discs' }).click()
    const said = page.getByText('Making the plan reads 2.98 TB of 12,034 files once for SHA-256')
    await said.waitFor()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await finish(page)
    await said.waitFor({ state: 'detached' })
  })

  it('is plain when a source holds no files', async () => {
    const page = await windows.window({ survey: { files: 0, bytes: 0 } })
    await reading(page)
    await finish(page)
    await page.getByRole('heading', { name: 'No files were found' }).waitFor()
    await picture(page, 'no-files')
    expect(await page.getByRole('button', { name: 'Plan discs' }).isDisabled()).toBe(true)
  })

  it('is plain for one file', async () => {
    const page = await windows.window({ survey: { files: 1, bytes: 24_117_248 } })
    await reading(page)
    await finish(page)
    await page.getByText('1 file read in').waitFor()
    await unfold(page, 'Analysis')
    await page.getByText('No block repeats at any size.').waitFor()
    await picture(page, 'one-file')
  })

  it('stays quick with a million files, a thousand skips and seven thousand discs', async () => {
    const page = await windows.window({
      survey: { files: 1_204_331, bytes: 5_412_300_112_871, skipped: 1412, longPaths: true, sketched: true },
      settings: { medium: 'cd-700' },
    })
    await reading(page)
    await finish(page)
    await unfold(page, '1,412 files were not read')
    const skipped = page.getByRole('table', { name: '1,412 files were not read' })
    await skipped.waitFor()
    expect(await skipped.getAttribute('aria-rowcount')).toBe('1413')
    expect(await skipped.getByRole('row').count()).toBeLessThan(60)
    await skipped.scrollIntoViewIfNeeded()
    await picture(page, 'million-skipped')
    await skipped.locator('xpath=..').evaluate((body) => body.scrollTo(0, body.scrollHeight))
    await skipped.getByText('#1411.CR2').waitFor()
    await page.getByRole('button', { name: 'Plan discs' }).click()
    await page.getByRole('button', { name: 'Make the plan' }).click()
    await finish(page)
    const shelf = page.getByRole('listbox', { name: /^7,\d{3} discs$/ })
    await shelf.waitFor()
    expect(await shelf.getByRole('option').count()).toBeLessThan(250)
    await shelf.getByRole('option', { selected: true }).focus()
    await page.keyboard.press('End')
    await shelf.getByRole('option', { name: /^PHOTOS_7\d{3}/, selected: true }).waitFor()
    await picture(page, 'million-plan')
  })

  it('shows hostile paths on one line within its column', async () => {
    const page = await windows.window(
      { survey: { skipped: 20, longPaths: true } },
      { width: 900, height: 600 },
    )
    await reading(page)
    await finish(page)
    await unfold(page, '20 files were not read')
    const path = page.locator('.skipped .path-text').first()
    await path.waitFor()
    const fits = await path.evaluate((element) => {
      const cell = element.parentElement as HTMLElement
      return (
        element.getBoundingClientRect().right <= cell.getBoundingClientRect().right + 1 &&
        element.clientHeight < 24
      )
    })
    expect(fits).toBe(true)
    expect(await path.getAttribute('title')).toContain('Karten=alt␇')
  })
})

describe('a drop', () => {
  it('anywhere hands the real files over as sources', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'Karelia'))
      return data
    })
    await page.dispatchEvent('.rail', 'dragenter', { dataTransfer: transfer })
    await page.getByText('Drop to archive').waitFor()
    await picture(page, 'drop')
    await page.dispatchEvent('.rail', 'drop', { dataTransfer: transfer })
    await page.getByText('/media/dropped').waitFor()
    await page.getByText('1 source, ready for the survey.').waitFor()
    expect(await page.evaluate(() => window.fake.dropped)).toEqual(['Karelia'])
    await page.getByRole('button', { name: 'Remove Karelia from the sources' }).click()
    await page.getByText('Drop a folder here').waitFor()
  })

  it('of text is left alone', { tags: 'long' }, async () => {
    const page = await windows.window()
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'words')
      return data
    })
    await page.dispatchEvent('.rail', 'dragenter', { dataTransfer: transfer })
    expect(await page.getByText('Drop to add to the source').count()).toBe(0)
  })
})

describe('the look', () => {
  it('follows the person’s choice over the system’s', async () => {
    const page = await windows.window({ settings: { theme: 'dark' } }, { dark: false })
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await page.keyboard.press('Control+,')
    await page.getByText('Light', { exact: true }).click()
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
  })

  it('follows the system while it is asked to', { tags: 'long' }, async () => {
    const page = await windows.window({}, { dark: true })
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'light')
  })

  it('keeps the steps’ names at hand when the rail is only icons', { tags: 'long' }, async () => {
    const page = await windows.window({}, { width: 900, height: 600 })
    const label = page.locator('.rail ol .rail-label').first()
    expect(await label.isVisible()).toBe(false)
    await page.getByRole('button', { name: /^Source, / }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await label.waitFor({ state: 'visible' })
  })
})
