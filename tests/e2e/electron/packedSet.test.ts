import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import chooseCopy from '../../../assets/copy/en/chooseStep.json' with { type: 'json' }
import imageCopy from '../../../assets/copy/en/imagesStep.json' with { type: 'json' }
import packingCopy from '../../../assets/copy/en/packing.json' with { type: 'json' }
import treeCopy from '../../../assets/copy/en/restoreTree.json' with { type: 'json' }
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { resolveMedium } from '../../../src/domain/media/resolveMedium'
import { mediaCatalogue } from '../../../src/engine/media/mediaCatalogue'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, openApp, PATIENCE_MS, words } from './appWindow'
import { exportLists } from './exportedPlan'

/**
 * Permanent name of the medium. The source fills two volumes and a part of the third; `STOWAGE_TEST_MEDIUM=cd-700` takes half an hour.
 */
const MEDIUM = process.env['STOWAGE_TEST_MEDIUM'] ?? 'custom:2MB'
const { name: MEDIUM_NAME, capacityBytes: VOLUME_BYTES } = resolveMedium(mediaCatalogue, MEDIUM)
/** What a step that reads or writes all of the source may take, on a busy machine. */
const WORK = { timeout: PATIENCE_MS + VOLUME_BYTES / 250 }
const FOLDERS = 6
const PASSWORD = 'correct horse “päss”'

/** Six folders of pictures, which hardly pack, for 2.1 volumes; and texts that do. */
async function makeSource(folder: string): Promise<void> {
  const random = seededRandom(17)
  for (let at = 0; at < FOLDERS; at++) {
    const inside = join(folder, `Journey ${at}`)
    await mkdir(inside, { recursive: true })
    for (let file = 0; file < 5; file++) {
      const content = Buffer.alloc(0.07 * VOLUME_BYTES)
      random.fillBytes(content)
      await writeFile(join(inside, `picture ${at}-${file}.jpg`), content)
    }
    await writeFile(join(inside, `diary ${at}.txt`), `day ${at}, sunny, went on\n`.repeat(9000))
  }
}

it('makes an encrypted set of volumes from an option: chosen, planned, built with a password, verified, restored', {
  tags: 'long',
  timeout: 5 * WORK.timeout,
}, async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Journeys')
  await makeSource(source)
  const target = join(place, 'Exported plan')
  await mkdir(target)
  const { app, page, screenshot, complaints, log } = await openApp({ args: ['--', source] })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900))
  const pictures = async (name: string): Promise<void> => {
    for (const theme of ['dark', 'light'] as const) {
      await app.evaluate(({ nativeTheme }, wanted) => {
        nativeTheme.themeSource = wanted
      }, theme)
      await screenshot(`${name}, ${theme}`)
    }
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button(words('survey.toPlan')).and(page.locator(':enabled')).waitFor(WORK)

  await page.keyboard.press('Control+3')
  await page.getByRole('radio', { name: chooseCopy['chooseView.options'], exact: true }).click()
  await page.getByText(/^Best of \d+: /).waitFor(WORK)
  await page.getByText(chooseCopy['preferences.expert'], { exact: true }).click()
  await page
    .getByRole('radiogroup', { name: chooseCopy['preferences.containers'] })
    .getByText('7z', { exact: true })
    .click()
  await page.getByRole('radio', { name: chooseCopy['preferences.encryption.aes-256'], exact: true }).click()
  await page.getByRole('radio', { name: chooseCopy['goal.fastestBuild'], exact: true }).click()
  await page.getByRole('region', { name: `Best for “${chooseCopy['goal.fastestBuild']}”` }).waitFor()
  await page.getByText(/^Best of \d+: [^,]*7z/).waitFor()
  await pictures('packed 1, choose')
  await button(chooseCopy['choose.use']).click()

  const stored = page.getByRole('region', { name: packingCopy['packing.title'] })
  await stored.getByText(/^7z-/).waitFor()
  await stored.getByText(chooseCopy['inHand.encrypted.aes-256'], { exact: false }).waitFor()
  if (MEDIUM.startsWith('custom:'))
    await page.getByLabel(words('medium.own'), { exact: true }).fill(MEDIUM.slice('custom:'.length))
  else
    await page
      .getByRole('radiogroup', { name: words('medium.title') })
      .getByText(MEDIUM_NAME, { exact: true })
      .click()
  await button(words('plan.make')).click()
  await page.getByText(packingCopy['shelf.forecast']).waitFor()
  await pictures('packed 2, plan')
  await answerFolderDialogs(app, target)
  await exportLists(page)
  await page.getByText(words('plan.exported')).waitFor(WORK)
  const folder = await exportedTo(target)
  const plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as PlanDocument
  expect(plan.packing).toMatchObject({ encryption: 'aes-256', arrangement: 'independent' })
  expect(plan.totals.volumes).toBeGreaterThanOrEqual(3)

  await button(words('plan.toBuild')).click()
  await button(words('build.all')).click()
  for (const name of ['images.password.new', 'images.password.again'] as const)
    await page.getByLabel(imageCopy[name], { exact: true }).fill(PASSWORD)
  await pictures('packed 3, password')
  await button(chooseCopy['inHand.start']).click()
  await page.getByText(words('build.says.built')).waitFor(WORK)
  await pictures('packed 4, built')
  await button(words('build.verifyAll')).click()
  await page.getByText(packingCopy['build.says.verifiedPacked']).waitFor(WORK)
  await pictures('packed 5, verified')

  const images = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.iso'))
  expect(images.length).toBeGreaterThanOrEqual(3)
  for (const name of images) {
    const image = await readFile(join(folder, name))
    expect(image.length).toBeLessThanOrEqual(VOLUME_BYTES)
    for (const secret of ['picture 0', 'diary', 'Journey 1', 'went on'])
      for (const encoding of ['utf8', 'utf16le'] as const)
        expect(image.includes(secret, 0, encoding), `${secret} in ${name}`).toBe(false)
  }

  // The only set that the catalog knows is chosen already; its password is asked for.
  await page.keyboard.press('Control+7')
  await page.getByLabel(packingCopy['restore.password'], { exact: true }).fill(PASSWORD)
  await pictures('packed 6, password of the restore')
  await button(treeCopy['restore.unlock']).click()
  const restored = join(place, 'Restored')
  await mkdir(restored)
  await page.getByRole('checkbox', { name: 'Restore Journey 3', exact: true }).click()
  await page
    .locator('.page-says')
    .getByText(/^1 folder, 6 files, .+ from /)
    .waitFor()
  await answerFolderDialogs(app, restored)
  await button(treeCopy['restore.startAsking']).click()
  await page.getByText(/^6 files restored/).waitFor(WORK)
  await pictures('packed 7, restored')
  expect(await readdir(restored)).toEqual(['Journey 3'])
  for (const name of await readdir(join(source, 'Journey 3'))) {
    const [was, is] = await Promise.all(
      [source, restored].map((top) => readFile(join(top, 'Journey 3', name))),
    )
    expect(is?.equals(was as Buffer), name).toBe(true)
  }
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught|horse/)
})

/** The plan's folder: the chosen one, or the one that was made for it there. */
async function exportedTo(target: string): Promise<string> {
  const names = await readdir(target, { recursive: true })
  const name = names.find((each) => basename(each) === 'plan.json')
  if (name === undefined) throw new Error(`no plan.json among ${names.join(', ')}`)
  return join(target, name, '..')
}
