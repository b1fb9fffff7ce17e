import type { Locator, Page } from 'playwright-core'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { FOLDERS } from './chooseStep'
import { button } from './controls'
import { finish, type Look, type Windows } from './windowUnderTest'

const DISC_BYTES = 24.5e9

const nameProblem = (code: string, path: string, reason: string): PlanDocument['problems'][number] => ({
  code,
  message: `${path} ${reason}: restore it with Stowage`,
  path,
  reason,
  blocking: false,
})

/** Names that Windows or a Mac would show otherwise, more than are listed. */
export const READER_NAMES: PlanDocument['problems'] = [
  ...Array.from({ length: 3 }, (_, at) =>
    nameProblem('name-on-windows', `Photos/2009/why ${at}?.jpg`, 'has ? in its name'),
  ),
  {
    code: 'name-on-windows',
    message: '11 more names of this kind are not listed',
    names: 11,
    blocking: false,
  },
  nameProblem(
    'names-differ-in-form',
    'Photos/2009/img.jpg',
    'and Photos/2009/IMG.jpg differ in upper and lower case only',
  ),
]

/**
 * The Plan step while its first plan is made, of about so many Blu-ray discs.
 */
export async function planning(
  windows: Windows,
  discs: number,
  scenario: Scenario = {},
  look: Look = {},
): Promise<Page> {
  const page = await windows.window(
    {
      sources: FOLDERS,
      surveyAtOnce: true,
      survey: { files: 400 * discs, bytes: DISC_BYTES * (discs - 0.4) },
      ...scenario,
    },
    look,
  )
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+4')
  await button(page, 'Make the plan').click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  return page
}

/**
 * The Plan step with a plan of so many Blu-ray discs.
 * @param hasFiles waits for the files of the first one
 */
export async function plannedDiscs(
  windows: Windows,
  discs: number,
  scenario: Scenario = {},
  look: Look = {},
  hasFiles = true,
): Promise<Page> {
  const page = await planning(windows, discs, scenario, look)
  await finish(page)
  await page.getByRole('listbox', { name: /discs?$/ }).waitFor()
  if (hasFiles) await page.locator('.disc-files').getByRole('row').nth(1).waitFor()
  return page
}

/** The details below the discs, unfolded. */
export async function detailsOf(page: Page): Promise<Locator> {
  const details = page.locator('.plan-details')
  if (!(await details.evaluate((element) => (element as HTMLDetailsElement).open)))
    await details.locator('summary').first().click()
  return details
}

/** Chooses another order in the settings, by which the plan is made again; its job runs then. */
export async function planAgain(page: Page, order: string): Promise<void> {
  await button(page, 'Medium and settings…').click()
  await page
    .getByRole('radiogroup', { name: 'Order of filling the discs' })
    .getByRole('radio', { name: new RegExp(`^${order} `) })
    .check({ force: true })
  await page.locator('.shelf-note').getByText('Planning').waitFor()
}
