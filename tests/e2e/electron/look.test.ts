import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import steps from '../../../assets/copy/en/planStep.json' with { type: 'json' }
import rules from '../../../assets/copy/en/rules.json' with { type: 'json' }
import type { Result } from '../../../src/primitives/result'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { askFromPage, openApp } from './appWindow'

/** Texts that pack well, a quarter of them twice, in folders. */
async function makeSource(folder: string): Promise<void> {
  const random = seededRandom(57)
  for (let at = 0; at < 40; at++) {
    const below = join(folder, `folder ${at % 8}`)
    await mkdir(below, { recursive: true })
    const text = Array.from({ length: 20_000 }, () => `word${random.below(700)} `).join('')
    await writeFile(join(below, `text ${at}.txt`), text)
    if (at % 4 === 0) await writeFile(join(below, `again ${at}.txt`), text)
  }
}

it('answers from a sample what a dropped folder holds, and drafts its discs without a survey', {
  tags: 'long',
}, async () => {
  const place = await temporaryFolder()
  const source = join(place, 'Texts')
  await makeSource(source)
  const before = await readdir(source)
  const { page, drop, screenshot, complaints, log } = await openApp()
  await page.getByText('Drop a folder here').waitFor()
  await drop(source)
  const look = page.getByRole('region', { name: rules['look.title'] })
  const compare = look.getByRole('button', { name: rules['look.options'] }).and(page.locator(':enabled'))
  await compare.waitFor()
  // All of so small a source is read: the figures are those of its files.
  await look.getByText('100 % of the content', { exact: false }).waitFor()
  await screenshot('look 1, source')
  await compare.click()
  await page.getByRole('article').first().waitFor()
  await page.getByText('A preliminary estimate from a sample of', { exact: false }).waitFor()
  await screenshot('look 2, options')
  await page.keyboard.press('Control+4')
  const draft = page.getByRole('region', { name: steps['draft.title'] })
  await draft.getByRole('option', { name: /^TEXTS_01: / }).waitFor()
  await screenshot('look 3, draft')
  const surveys = (await askFromPage(page, 'survey.list')) as Result<unknown[]>
  expect(surveys).toMatchObject({ ok: true, value: [] })
  expect(await askFromPage(page, 'plan.list')).toMatchObject({ ok: true, value: [] })
  await page.getByRole('button', { name: 'Survey and plan', exact: true }).click()
  await page.getByRole('listbox', { name: /disc/ }).waitFor()
  await expect
    .poll(async () => (await askFromPage(page, 'plan.list')) as Result<unknown[]>)
    .toMatchObject({
      ok: true,
      value: [{ roots: [source] }],
    })
  await screenshot('look 4, planned')
  expect(await readdir(source)).toEqual(before)
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught/)
})
