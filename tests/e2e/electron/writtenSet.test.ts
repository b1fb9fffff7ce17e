import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import restoreCopy from '../../../assets/copy/restore.en.json' with { type: 'json' }
import writeCopy from '../../../assets/copy/write.en.json' with { type: 'json' }
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, answerSaveDialog, openApp, words } from './appWindow'

const VOLUME = 'custom:3MB'

/** Two folders that each fill most of a volume. */
async function makeSource(folder: string): Promise<void> {
  const random = seededRandom(23)
  for (const name of ['Summer', 'Winter']) {
    await mkdir(join(folder, name), { recursive: true })
    const content = Buffer.alloc(2_000_000)
    random.fillBytes(content)
    await writeFile(join(folder, name, 'picture.jpg'), content)
  }
}

it('writes a set to discs, asks for each, reads it back and restores from the discs', async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Seasons')
  await makeSource(source)
  const [target, restored] = [join(place, 'Exported plan'), join(place, 'Restored')]
  for (const folder of [target, restored]) await mkdir(folder)
  const { app, page, screenshot, complaints } = await openApp({ args: ['--', source] })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900))
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await button(words('survey.toPlan')).and(page.locator(':enabled')).click()
  await page.getByLabel(words('medium.own'), { exact: true }).fill(VOLUME.slice('custom:'.length))
  await button(words('plan.make')).click()
  await answerFolderDialogs(app, target)
  await button(words('plan.export')).click()
  await page.getByText(words('plan.exported')).waitFor()
  await button(words('plan.toBuild')).click()

  const disc = join(place, 'disc.iso')
  await answerSaveDialog(app, disc)
  await button(writeCopy['build.burn']).click()
  await page.getByRole('radio', { name: new RegExp(`^${writeCopy['write.file']}`) }).press('Space')
  await page.getByText(disc, { exact: false }).first().waitFor()
  await screenshot('written 1, where to')
  await button('Burn 2 discs').click()
  // The first disc is blank, as its file is not there: only the second one is asked for.
  const asked = page.getByRole('alertdialog')
  await asked.getByText(/volume 2 of 2/).waitFor()
  await screenshot('written 2, next disc')
  await rename(disc, join(place, 'disc 1.iso'))
  await button(writeCopy['write.proceed']).click()
  await page.getByText(writeCopy['build.says.written']).waitFor()
  await rename(disc, join(place, 'disc 2.iso'))
  await screenshot('written 3, done')

  await page
    .getByRole('button', { name: words('step.catalog'), exact: false })
    .first()
    .click()
  await button(restoreCopy['restore.open']).click()
  for (const name of ['disc 1.iso', 'disc 2.iso']) {
    await answerFolderDialogs(app, join(place, name))
    await button(restoreCopy['restore.images']).click()
    await page.getByText(name, { exact: false }).first().waitFor()
  }
  await answerFolderDialogs(app, restored)
  await button(restoreCopy['restore.choose']).click()
  await button(restoreCopy['restore.start']).click()
  await page.getByText(/^2 files restored/).waitFor()
  await screenshot('written 4, restored')
  expect((await readdir(restored)).toSorted()).toEqual(['Summer', 'Winter'])
  for (const name of ['Summer', 'Winter']) {
    const path = join(name, 'picture.jpg')
    const [was, is] = await Promise.all([source, restored].map((top) => readFile(join(top, path))))
    expect(is?.equals(was as Buffer), name).toBe(true)
  }
  expect(complaints).toEqual([])
})
