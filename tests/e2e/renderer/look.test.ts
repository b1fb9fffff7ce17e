import { expect, it } from 'vitest'
import { FOLDERS } from './chooseStep'
import { button, callsOf, card, region } from './controls'
import { step, title } from './waysToStates'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

it('says of sources at once what packing and identical files would save, and how long a survey takes', async () => {
  const page = await windows.window({ sources: FOLDERS })
  const look = region(page, 'At a glance')
  await look.getByText('A preliminary estimate from a sample of', { exact: false }).waitFor()
  for (const figure of ['Each file packed', 'Identical files', 'A survey takes'])
    await look.getByText(figure, { exact: true }).waitFor()
  await picture(page, 'look-source')
})

it('compares options of a look, and plans one once the survey has read everything', async () => {
  const page = await windows.window({ sources: FOLDERS })
  await region(page, 'At a glance').getByRole('button', { name: 'Compare options' }).click()
  await title(page, 'Choose')
  await page.getByText('A preliminary estimate from a sample of', { exact: false }).waitFor()
  const plain = card(page, 'Plain files')
  await plain.waitFor()
  // Only a survey tells what these save.
  expect(await page.getByRole('article', { name: /dedup|solid/i }).count()).toBe(0)
  await picture(page, 'look-choose')
  await plain.getByRole('button', { name: 'Survey and plan: Plain files' }).click()
  await title(page, 'Plan')
  await page.getByText('The plan is made as soon as the survey has its forecasts.').waitFor()
  expect(await callsOf(page, 'survey.start')).toHaveLength(1)
  expect(await callsOf(page, 'plan.start')).toHaveLength(0)
  await step(page, 'Control+3', 'Choose')
  await page.getByText('until the survey has read everything', { exact: false }).waitFor()
  await step(page, 'Control+4', 'Plan')
  await finish(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 1)
  await step(page, 'Control+3', 'Choose')
  await page.getByText('A preliminary estimate', { exact: false }).waitFor({ state: 'detached' })
})

it('drafts the discs of files as they are before anything is surveyed, and surveys for a plan', async () => {
  const page = await windows.window({ sources: FOLDERS })
  await region(page, 'At a glance').getByRole('button', { name: 'Compare options' }).waitFor()
  await step(page, 'Control+4', 'Plan')
  const draft = region(page, 'Draft of the discs')
  await draft
    .getByText('As they are, 78,580 files (211 GB) take 9 discs (modelled): BD-R 25 GB.', { exact: false })
    .waitFor()
  expect(await draft.getByRole('option').count()).toBe(9)
  await draft.getByRole('listbox').press('End')
  await picture(page, 'look-draft')
  expect(await callsOf(page, 'plan.start')).toHaveLength(0)
  await button(page, 'Survey and plan').click()
  await page.getByText('The plan is made as soon as the survey has its forecasts.').waitFor()
  await finish(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 1)
})

it('says where the survey lies outside the range of the estimate', { tags: 'long' }, async () => {
  const page = await windows.window({ sources: FOLDERS, lookOff: 2 })
  await region(page, 'At a glance').getByRole('button', { name: 'Compare options' }).waitFor()
  await button(page, 'Start survey').click()
  await finish(page)
  await page.getByText('Outside the preliminary estimate').click()
  await page
    .getByText(/^Preliminary estimate, .*: \d+–\d+\sGB\. The survey says \d+\sGB\.$/)
    .first()
    .waitFor()
  await page.getByText('outside the range of the preliminary estimate', { exact: false }).waitFor()
  await picture(page, 'look-corrected')
})

it('looks at nothing where the setting says so', { tags: 'long' }, async () => {
  const page = await windows.window({ sources: FOLDERS, settings: { look: false } })
  await page.getByText('source, ready', { exact: false }).waitFor()
  expect(await region(page, 'At a glance').count()).toBe(0)
  expect(await callsOf(page, 'survey.look')).toHaveLength(0)
  await step(page, 'Control+3', 'Choose')
  await page.getByRole('heading', { name: 'No options yet' }).waitFor()
  expect(await button(page, 'Go to Source').count()).toBe(1)
})
