import type { Page } from 'playwright-core'
import { button, exportLists, radio } from './controls'
import { advance, finish } from './windowUnderTest'

// Ways from a window that was just opened to states of its steps.

export const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

export async function step(page: Page, key: string, name: string): Promise<void> {
  await page.keyboard.press(key)
  await title(page, name)
}

export async function startSurvey(page: Page): Promise<void> {
  await button(page, 'Start survey').click()
  await title(page, 'Survey')
}

export async function surveyed(page: Page): Promise<void> {
  await startSurvey(page)
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
}

/** The survey is stopped half way: its figures are of a part of the source. */
export async function surveyedInPart(page: Page): Promise<void> {
  await startSurvey(page)
  await advance(page, 0.5)
  await button(page, 'Cancel').click()
  await page.getByText('Stopped early', { exact: false }).first().waitFor()
}

/** Another folder is added to the source, so that what is known is of the source before. */
export async function growSource(page: Page): Promise<void> {
  // Elsewhere the window asks which archive it belongs to.
  await step(page, 'Control+1', 'Source')
  await page.evaluate(() => window.fake.give('2012'))
  await page.getByText('2 sources, ready').waitFor()
}

export async function choosing(page: Page): Promise<void> {
  await surveyed(page)
  await step(page, 'Control+3', 'Choose')
  await radio(page, 'All options').click()
  await page.getByText(/^Best of \d+: /).waitFor()
}

export async function startPlan(page: Page): Promise<void> {
  await surveyed(page)
  await step(page, 'Control+4', 'Plan')
  await button(page, 'Make the plan').click()
}

export async function planned(page: Page): Promise<void> {
  await startPlan(page)
  await finish(page)
  await page.getByRole('listbox', { name: /discs?$/ }).waitFor()
}

export async function building(page: Page): Promise<void> {
  await planned(page)
  await exportLists(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await button(page, 'Build it').click()
  await title(page, 'Build')
  await button(page, 'Build all').click()
  await page.waitForFunction(() => window.fake.callsOf('run.build').length === 1)
  await advance(page, 0.43)
  await page.getByRole('button', { name: /^Build, running/ }).waitFor()
}

export async function built(page: Page): Promise<void> {
  await building(page)
  await finish(page)
  await button(page, 'Verify').click()
  await page.waitForFunction(() => window.fake.callsOf('run.verify').length === 1)
  await finish(page)
}

export async function measuring(page: Page): Promise<void> {
  await step(page, 'Control+8', 'Measure')
  await button(page, 'Choose a folder…').click()
  await page.getByText('in its own folder', { exact: false }).first().waitFor()
  await button(page, 'Measure').click()
}

export async function measured(page: Page): Promise<void> {
  await step(page, 'Control+8', 'Measure')
  await page
    .getByRole('button', { name: /^Open Quick/ })
    .first()
    .click()
  await page.getByRole('table', { name: 'Tests' }).waitFor()
}

export async function sweeping(page: Page): Promise<void> {
  await step(page, 'Control+8', 'Measure')
  await page.getByRole('radio', { name: 'Band sizes' }).click()
  await button(page, 'Choose a folder…').click()
  await page.getByText('in its own folder', { exact: false }).first().waitFor()
}

export async function search(page: Page): Promise<void> {
  await step(page, 'Control+6', 'Catalog')
  await page.getByRole('searchbox', { name: 'Find archives, discs, files' }).fill('karelia*.cr2')
  await page.keyboard.press('Enter')
}

export async function openImage(page: Page): Promise<void> {
  await step(page, 'Control+9', 'Images')
  await page.getByRole('radio', { name: 'Existing image' }).click()
  await button(page, 'Open a sparse bundle…').click()
  await button(page, 'Verify').waitFor()
}
