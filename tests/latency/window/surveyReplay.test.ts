import { chromium } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { channelsOf } from '../../../src/contract/defineSchema'
import { rendererSchema } from '../../../src/contract/rendererSchema'
import { EXECUTABLE, SWITCHES } from '../../e2e/renderer/browserStart'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { expectResponsive } from '../../support/responsiveWindow'
import { keptMessages } from '../../support/windowMessages'
import { recordBrowserTasks } from '../../support/windowTasks'

/**
 * What the window was sent while the application surveyed 78,000 files, and after it. Made by
 * `STOWAGE_RECORDING=tests/fixtures/recordings/surveyOfManyFiles.json.gz npx vitest run --project window-cpu-time`.
 */
const RECORDING = 'tests/fixtures/recordings/surveyOfManyFiles.json.gz'

it('a recording of the window is what the contract knows', () => {
  const known = new Map(channelsOf(rendererSchema).map(({ channel, entry }) => [channel, entry]))
  const { events, answers } = keptMessages(RECORDING)
  expect(events.length).toBeGreaterThan(100)
  for (const [, channel, payload] of events) {
    const entry = known.get(channel)
    expect(entry?.kind === 'event' && entry.payload.parse(payload), channel).toBeTruthy()
  }
  for (const [, channel, value] of answers) {
    const entry = known.get(channel)
    expect(entry?.kind === 'call' && entry.result.parse(value), channel).toBeTruthy()
  }
})

it('the window stays responsive while many files are surveyed and when Survey is opened again', {
  tags: 'long',
  retry: 2,
}, async () => {
  const recording = keptMessages(RECORDING)
  const scenario: Scenario = {
    sources: [{ path: '/media/photos', kind: 'folder', name: 'photos' }],
    recording,
  }
  // A browser of its own: the one of other tests does not optimize scripts.
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: SWITCHES })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ timezoneId: 'UTC', locale: 'en-GB' })
  const fake = await fetch(new URL('fake.js', inject('site')))
  await page.addInitScript(`window.scenario = ${JSON.stringify(scenario)}`)
  await page.addInitScript({ content: await fake.text() })
  await page.goto(inject('site'))
  await page
    .getByRole('button', { name: 'Start survey', exact: true })
    .and(page.locator(':enabled'))
    .waitFor()

  await expectResponsive(
    page,
    () => recordBrowserTasks(browser, page),
    () =>
      page.evaluate(async () => {
        // Each in a task of its own, with the frame that it leads to before the next one.
        while (window.fake.replayNext())
          await new Promise((drawn) => {
            requestAnimationFrame(() => setTimeout(drawn))
          })
      }),
  )
  expect(await page.evaluate(() => window.fake.violations)).toEqual([])
  await page.getByText('78,000 files read in').waitFor()
})
