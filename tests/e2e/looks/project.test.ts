import { expect, it } from 'vitest'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, radio } from '../renderer/controls'
import { textFaults } from '../renderer/textFaults'
import { type Look, picture, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state may misuse React.
const windows = windowsForTests({ checked: true })

const LOOKS: readonly (readonly [string, Look])[] = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['200-percent', { width: 720, height: 450 }],
  ['forced', { width: 1440, height: 900, forced: true }],
]

const LONG = `/home/anna/${'Archives of the family '.repeat(6)}/photos.stowage.yaml`
const PROJECTS: Scenario = {
  project: {
    name: 'Photos of the whole family since 1958, with all films and the letters of the grandparents',
    form: { medium: 'dvd-r', encryption: 'aes-256', label: 'PHOTOS' },
    missing: [{ name: 'films', path: `/media/anna/${'Stick '.repeat(20)}/Films` }],
    recents: [
      { recent: LONG, name: 'Photos of the whole family since 1958, with all films', problem: null },
      { recent: '/media/stick/films.stowage.yaml', name: 'films', problem: 'no such file or folder' },
      { recent: '/home/anna/letters.stowage.yaml', name: 'letters', problem: null },
    ],
  },
}

it('projects fit into every window', async () => {
  const page = await windows.window(PROJECTS)
  const see = async (name: string) => {
    for (const [look, shown] of LOOKS) {
      await showAs(page, shown)
      await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
      await picture(page, `project-${look}-${name}`)
      expect(await textFaults(page), `${name} ${look}`).toEqual([])
      const isTooWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.page-body')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      )
      expect(isTooWide, `${name} ${look}`).toBe(false)
    }
    await showAs(page, {})
  }
  await button(page, 'Open the project letters').waitFor()
  await see('1-start')
  await button(page, /^Open the project Photos of the whole/).click()
  await radio(page, 'No').click()
  await page.getByText('Not saved').waitFor()
  await see('2-opened')
  await button(page, 'Project').click()
  await page.getByRole('menuitem', { name: 'Save as…' }).waitFor()
  await see('3-menu')
})
