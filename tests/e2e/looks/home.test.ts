import { expect, it } from 'vitest'
import { LOOKS, see } from '../renderer/everyLook'
import { archivesFrom, HOME, MANY } from '../renderer/keptSets'
import { speakGerman } from '../renderer/speakGerman'
import { showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state may misuse React.
const windows = windowsForTests({ checked: true })

it.each([
  ['newcomer', {}, 'Drop a folder here'],
  ['sets', HOME, '7 archives. 4 need attention.'],
  ['many', MANY, '300 archives. 1 needs attention.'],
  ['1', archivesFrom(7, 1), '1 archive. Nothing needs attention.'],
  ['12', archivesFrom(7, 12), '12 archives.'],
  ['200', archivesFrom(7, 200), '200 archives.'],
  ['surveys', { history: true, sets: [] }, '1 archive. Nothing needs attention.'],
])('Home fits into every window: %s', async (name, scenario, words) => {
  const page = await windows.window(scenario)
  await page.getByText(words).first().waitFor()
  for (const [look, shown] of LOOKS) {
    await showAs(page, shown)
    await see(page, `home-${name}-${look}`)
  }
  expect(await page.locator('.page-body').isVisible()).toBe(true)
})

const UNFOLDED = {
  english: ['Show all 200', 'Sets and discs of Photos 1911', 'Discs and images'],
  german: ['Alle 200 zeigen', 'Sätze und Discs von Photos 1911', 'Discs und Abbilder'],
} as const

it.each(['english', 'german'] as const)(
  'Home fits into every window with all archives listed and one unfolded, in %s',
  async (language) => {
    const page = await windows.window(archivesFrom(7, 200))
    if (language === 'german') await speakGerman(page)
    const [all, unfold, discs] = UNFOLDED[language]
    await page.getByRole('button', { name: all }).click()
    await page.getByRole('button', { name: unfold }).click()
    await page.getByRole('table', { name: discs }).waitFor()
    for (const [look, shown] of LOOKS) {
      await showAs(page, shown)
      await page.getByRole('button', { name: unfold }).scrollIntoViewIfNeeded()
      await see(page, `home-unfolded-${language}-${look}`)
    }
  },
)
