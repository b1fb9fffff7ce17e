import { expect, it } from 'vitest'
import { PHOTOS } from '../../fixtures/fakeEngine/fakeProjects'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, radio } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { finish, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state may misuse React.
const windows = windowsForTests({ checked: true })

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
  const seeAll = async (name: string) => {
    for (const [look, shown] of LOOKS) {
      await showAs(page, shown)
      await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
      await see(page, `project-${look}-${name}`)
    }
    await showAs(page, {})
  }
  await button(page, 'Open the project letters').waitFor()
  await seeAll('1-start')
  await button(page, /^Open the project Photos of the whole/).click()
  await radio(page, 'No').click()
  await page.getByText('Not saved').waitFor()
  await seeAll('2-opened')
  await button(page, 'Project').click()
  await page.getByRole('menuitem', { name: 'Save as…' }).waitFor()
  await seeAll('3-menu')
})

it('the options of folders fit into every window where a plan is made', async () => {
  const option = 'by-folder(Cowering/**=7z-dat,*=7z-t7z-files)'
  const page = await windows.window({
    project: { ...PHOTOS, form: { ...PHOTOS.form, option, encryption: 'none' } },
  })
  await button(page, 'Project').click()
  await page.getByRole('menuitem', { name: 'Open…' }).click()
  await button(page, 'Start survey').click()
  await finish(page)
  await page.keyboard.press('Control+4')
  const rules = page.getByRole('list', { name: 'Rules; the first that matches a file packs it' })
  await rules.waitFor()
  const size = page.getByLabel('Custom size', { exact: true })
  for (const [look, shown] of LOOKS) {
    await showAs(page, shown)
    // Room for a size with its unit.
    expect((await size.boundingBox())?.width).toBeGreaterThan(100)
    await rules.scrollIntoViewIfNeeded()
    await see(page, `plan-by-folder-${look}`)
  }
})
