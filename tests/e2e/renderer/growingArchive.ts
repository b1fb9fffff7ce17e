import type { Page } from 'playwright-core'
import { button } from './controls'
import type { Look, Windows } from './windowUnderTest'

/** The Plan step with the settings of a project whose first plan was built. */
export async function archivePlan(windows: Windows, look: Look = {}): Promise<Page> {
  const page = await windows.window(
    {
      history: true,
      project: { atStart: true },
      sets: [
        {
          id: 'p-first',
          project: { id: 'pr-0123456789ab', name: 'photos' },
          directory: '/media/backup/Photos plan',
          built: 9,
          runs: ['build'],
        },
      ],
    },
    look,
  )
  await page.keyboard.press('Control+4')
  const settings = button(page, /^(Medium and settings…|Hide the settings)$/)
  await settings.waitFor()
  if ((await settings.textContent()) === 'Medium and settings…') await settings.click()
  return page
}
