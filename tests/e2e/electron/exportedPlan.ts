import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright-core'
import oneButtonCopy from '../../../assets/copy/en/oneButton.json' with { type: 'json' }
import writeCopy from '../../../assets/copy/en/write.json' with { type: 'json' }
import { seededRandom } from '../../../src/primitives/seededRandom'
import { answerFolderDialogs, answerSaveDialog, words } from './appWindow'

/** Folders that each fill most of a volume of 1.7 MB. */
export async function makeSeasons(
  folder: string,
  names: readonly string[] = ['Summer', 'Winter'],
): Promise<void> {
  const random = seededRandom(23)
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true })
    const content = Buffer.alloc(900_000)
    random.fillBytes(content)
    await writeFile(join(folder, name, 'picture.jpg'), content)
  }
}

/**
 * Plans volumes of 1.7 MB of the source that the window was started with, and exports them into an
 * empty folder. At its end the Build step is shown: the menus of the Plan step are gone.
 */
export async function exportPlan(app: ElectronApplication, page: Page, target: string): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button(words('survey.toPlan')).and(page.locator(':enabled')).click()
  await page.getByLabel(words('medium.own'), { exact: true }).fill('1700KB')
  await button(words('plan.make')).click()
  await answerFolderDialogs(app, target)
  await exportLists(page)
  await page.getByText(words('plan.exported')).waitFor()
  await button(words('plan.toBuild')).click()
  await page.getByRole('heading', { name: words('step.build'), level: 1 }).waitFor()
}

/** Chooses a file in place of the discs of a drive. */
export async function chooseDiscFile(app: ElectronApplication, page: Page, disc: string): Promise<void> {
  await answerSaveDialog(app, disc)
  await page.getByRole('button', { name: writeCopy['build.burn'], exact: true }).click()
  await page.getByRole('button', { name: writeCopy['write.otherDrive'], exact: true }).click()
  await page.getByRole('menuitem', { name: writeCopy['write.file.choose'], exact: true }).click()
  await page.getByText(disc, { exact: false }).first().waitFor()
}

/** Exports the lists and scripts of the shown plan alone, without building it. */
export async function exportLists(page: Page): Promise<void> {
  await page.getByRole('button', { name: oneButtonCopy['set.more'], exact: true }).click()
  await page.getByRole('menuitem', { name: oneButtonCopy['set.export'], exact: true }).click()
}
