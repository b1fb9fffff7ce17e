import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { type Density, densityOf } from './density'
import { HOME } from './keptSets'
import { openedSet } from './restorePanel'
import { built, choosing, planned, surveyed } from './waysToStates'
import { picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const LOOK = { width: 1440, height: 900 }

const PHOTOS = {
  sources: [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos 2003–2024' }],
} as const

/** Nine discs, and the files of the first one. */
async function plannedWithFiles(page: Page): Promise<void> {
  await planned(page)
  await page.locator('.disc-files').getByRole('row').nth(1).waitFor()
}

async function surveyedByFolders(page: Page): Promise<void> {
  await surveyed(page)
  await page.getByRole('radio', { name: 'Folders and years' }).click()
  await page.getByRole('img', { name: /^Bytes by the year/ }).waitFor()
}

/** The most that a page may show at once, and the way to it. */
const PAGES: readonly (readonly [name: string, reach: (page: Page) => Promise<unknown>, most: Density])[] = [
  // Before it had a layer of its own for analysis: 77 and 102.
  ['Survey', surveyed, { controls: 25, figures: 25 }],
  ['Survey by folders', surveyedByFolders, { controls: 25, figures: 25 }],
  // Nine discs; before its figures, volumes and times were folded: 35 and 157.
  ['Plan', plannedWithFiles, { controls: 30, figures: 60 }],
  // Before the number of files and the disc of each row were left to the details: 7 and 74.
  ['Restore', openedSet, { controls: 8, figures: 45 }],
  // Before its settings and the figures of a lone card were folded: 81 and 76.
  ['All options', choosing, { controls: 40, figures: 40 }],
  // Nine discs, built and verified; before sizes that agree became one column: 31 and 58.
  ['Build', built, { controls: 25, figures: 50 }],
]

it.each(PAGES)('%s shows few controls and figures at once', async (name, reach, most) => {
  const page = await windows.window({ ...PHOTOS, history: name === 'Restore' }, LOOK)
  await reach(page)
  const found = await densityOf(page)
  console.log(`${name}: ${found.controls} controls, ${found.figures} figures`)
  expect(found.controls).toBeLessThanOrEqual(most.controls)
  expect(found.figures).toBeLessThanOrEqual(most.figures)
})

/** One archive of nine volumes, two copies of each at two places, verified on one day. */
function nineVolumes(): Scenario {
  const copies = Array.from({ length: 9 }, (_, at) => at + 1).flatMap((volume) =>
    ['home', 'the studio'].map((place, at) =>
      volumeCopy(at + 1, place, { planId: 'p-verified', volume, label: `LETTERS_0${volume}` }),
    ),
  )
  const checksDue = copies.map(({ label, volume, copy }) =>
    Object.assign(volumeDue(label, volume, Date.now(), { checkedDays: 20, dueDays: 345 }), {
      planId: 'p-verified',
      copy,
    }),
  )
  return { sets: HOME.sets?.slice(0, 1) ?? [], copies, checksDue }
}

it('Home shows few controls and figures with the nine volumes of an archive unfolded', async () => {
  const page = await windows.window(nineVolumes(), LOOK)
  await page.getByRole('button', { name: /^Sets and discs of/ }).click()
  const discs = page.getByRole('table', { name: 'Discs and images' })
  await discs.getByText('LETTERS_01 to LETTERS_09', { exact: true }).first().waitFor()
  expect(await discs.getByRole('row').count()).toBe(3)
  const found = await densityOf(page)
  console.log(`Home: ${found.controls} controls, ${found.figures} figures`)
  await picture(page, 'home-nine-volumes')
  expect(found.controls).toBeLessThanOrEqual(25)
  expect(found.figures).toBeLessThanOrEqual(40)
})
