import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import copy from '../../../assets/copy/en/measureStep.json' with { type: 'json' }
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, askFromPage, openApp } from './appWindow'

/** The whole run of the window at another budget, such as 2GB, is made by hand. */
const BUDGET = process.env['STOWAGE_TEST_BUDGET'] ?? '64MB'

it('measures a real disk by a small Stibium run, from the dialog to the table', {
  tags: 'long',
}, async () => {
  const folder = await temporaryFolder()
  const { app, page, screenshot, complaints, log } = await openApp()
  const button = (key: keyof typeof copy) => page.getByRole('button', { name: copy[key], exact: true })

  await page.getByRole('button', { name: `${copy['step.measure']}, nothing yet` }).click()
  await page.getByText(copy['measure.empty.title']).waitFor()
  const untold = { directory: folder, spec: { kind: 'preset', preset: 'quick' }, budgetBytes: 1_000_000 }
  expect(await askFromPage(page, 'measure.preview', untold)).toMatchObject({
    ok: false,
    error: { code: 'refused' },
  })

  await answerFolderDialogs(app, folder)
  await button('measure.choose').click()
  await page.getByText(copy['preset.stibium'], { exact: true }).click()
  await page.getByRole('textbox', { name: copy['measure.budget'] }).fill(BUDGET)
  await page.getByText(copy['preview.changes'], { exact: false }).waitFor()
  await page.getByText(copy['preview.where']).waitFor()
  expect(await readdir(folder)).toEqual([])
  await screenshot('measure 1, before it starts')

  await button('measure.start').and(page.locator(':enabled')).click()
  await page.getByText(copy['proof.later']).waitFor()
  const tests = page.getByRole('table', { name: copy['tests.title'] })
  await tests.waitFor()
  for (const name of ['Files of random size', 'Single transfers', 'Files of 10 KB'])
    await tests.getByText(name).first().waitFor()
  await page.getByText(/^. Asked for direct I\/O, got (direct|buffered) I\/O/).waitFor()
  await screenshot('measure 2, done')

  expect(await readdir(folder)).toEqual([])
  const list = await askFromPage(page, 'measure.list')
  expect(list).toMatchObject({
    ok: true,
    value: [{ directory: folder, specName: 'Stibium', partial: false }],
  })
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
})
