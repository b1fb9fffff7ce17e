import { expect, it } from 'vitest'
import { DATS } from '../../fixtures/fakeEngine/fakeRoms'
import { markInTable } from './chooseStep'
import { button, callsOf, radio } from './controls'
import { plannedDiscs } from './plannedDiscs'
import { step, surveyed } from './waysToStates'
import { picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

it('a survey by the DATs of the source offers one 7z for each parent with its clones', async () => {
  const page = await windows.window(
    {
      sources: [{ path: '/media/roms', kind: 'folder', name: 'roms' }],
      survey: { roots: ['/media/roms'], dats: DATS },
    },
    { width: 1440, height: 900 },
  )
  await page.getByText('DATs for ROM collections', { exact: true }).click()
  await page.getByText('With DATs the survey also forecasts one 7z', { exact: false }).waitFor()
  await button(page, 'Add DATs…').click()
  await page.getByText('DATs for ROM collections: 2', { exact: true }).waitFor()
  await button(page, 'Remove Nintendo - Game Boy (20261101).dat from the DATs').click()
  await page.keyboard.press('Control+z')
  await picture(page, 'source-dats')
  await page.getByText('DATs for ROM collections: 2', { exact: true }).waitFor()
  await page.getByText('Split, where a DAT asks for none.', { exact: true }).waitFor()
  await radio(page, 'Non-merged').click()
  await page.getByText('Each ROM set with all its files', { exact: false }).waitFor()
  await picture(page, 'source-dats-layout')
  await surveyed(page)
  const [asked] = (await callsOf(page, 'survey.start')) as { dats: string[]; layout: string }[]
  expect(asked?.dats.toSorted()).toEqual([...DATS].toSorted())
  expect(asked?.layout).toBe('non-merged')
  await step(page, 'Control+3', 'Choose')
  await radio(page, 'All options').click()
  await radio(page, 'Smallest').click()
  await markInTable(page, /^One solid 7z for each parent with its clones\s*,\s*by DATs/)
  await button(page, /^Use this: One solid 7z for each parent with its clones, by DATs/)
    .first()
    .waitFor()
  await picture(page, 'choose-by-dat')
})

it('a plan by DATs says on its first lines how many parents lie whole on one disc', async () => {
  const survey = { roots: ['/media/roms'], dats: DATS, files: 4000, bytes: 90e9 }
  const page = await plannedDiscs(windows, 4, { survey })
  await page.getByText('1 of 120 parents with clones is on several discs', { exact: true }).waitFor()
  await picture(page, 'plan-rom-sets')
})
