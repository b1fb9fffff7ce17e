import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import chooseCopy from '../../../assets/copy/en/chooseStep.json' with { type: 'json' }
import guidedCopy from '../../../assets/copy/en/guided.json' with { type: 'json' }
import oneButtonCopy from '../../../assets/copy/en/oneButton.json' with { type: 'json' }
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, openApp, words } from './appWindow'

/** A newcomer's, dialogs and the two answers included that are not what Stowage suggests. */
const MOST_INTERACTIONS = 8
const MIB = 1024 * 1024

/**
 * Four pictures in two folders and a copy of one in a third: two volumes of 3 MB hold them where the copy is not stored again, three
 * where it is.
 */
async function makeSource(folder: string): Promise<void> {
  const random = seededRandom(23)
  for (let index = 0; index < 4; index++) {
    const content = Buffer.alloc(MIB)
    random.fillBytes(content)
    const inside = join(folder, `Journey ${index % 2}`)
    await mkdir(inside, { recursive: true })
    await writeFile(join(inside, `picture ${index}.jpg`), content)
  }
  await mkdir(join(folder, 'Backup'))
  await copyFile(join(folder, 'Journey 0', 'picture 0.jpg'), join(folder, 'Backup', 'picture 0.jpg'))
}

it('leads from the first question to a verified set of two discs in eight interactions', async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Journeys')
  await makeSource(source)
  const documents = join(place, 'Documents')
  await mkdir(documents)
  const { app, page, screenshot, complaints, log } = await openApp()
  await app.evaluate(({ app: main }, folder) => main.setPath('documents', folder), documents)
  let interactions = 0
  const click = async (target_: Locator): Promise<void> => {
    await target_.and(page.locator(':enabled')).click()
    interactions += 1
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** A click that opens a dialog, and the dialog, which a person answers too. */
  const clickAndAnswer = async (name: string, folder: string): Promise<void> => {
    await answerFolderDialogs(app, folder)
    await click(button(name))
    interactions += 1
  }

  await clickAndAnswer(words('source.folders'), source)
  await page.getByRole('heading', { name: guidedCopy['question.what'] }).waitFor()
  await screenshot('guided 1, questions')
  await page.getByRole('radio', { name: guidedCopy['question.where.discs'], exact: true }).click()
  await page.getByLabel(guidedCopy['question.disc.own'], { exact: true }).fill('3MB')
  interactions += 2
  await click(button(words('source.read')))
  await click(button(guidedCopy['survey.toChoose']))
  const plain = page.getByRole('article', { name: guidedCopy['candidate.plain'], exact: true })
  await plain.waitFor()
  await screenshot('guided 2, candidates')
  await click(plain.getByText(chooseCopy['choose.use'], { exact: true }))
  const target = join(documents, 'Stowage', 'Journeys')
  await page.getByText(target, { exact: true }).waitFor()
  await click(button(oneButtonCopy['set.make']))
  await page.getByText(words('build.says.verified')).waitFor()
  await screenshot('guided 3, verified')

  expect(interactions).toBeLessThanOrEqual(MOST_INTERACTIONS)
  const images = (await readdir(target, { recursive: true })).filter((name) => name.endsWith('.iso'))
  expect(images).toHaveLength(2)
  await button(guidedCopy['build.showImages']).waitFor()
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
})
