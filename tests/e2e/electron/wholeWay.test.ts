import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import oneButtonCopy from '../../../assets/copy/en/oneButton.json' with { type: 'json' }
import recoveryCopy from '../../../assets/copy/en/recovery.json'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { nativePath } from '../../../src/files/nativePath'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, openApp, words } from './appWindow'
import { exportLists } from './exportedPlan'

const KIB = 1024
const MIB = 1024 * KIB

/** A small archive with everything that shows: copies, text, zeros, what does not compress, and hostile names. */
async function makeSource(folder: string): Promise<{ files: number; bytes: number }> {
  const random = seededRandom(7)
  const picture = (size: number): Buffer => {
    const content = Buffer.alloc(size)
    random.fillBytes(content)
    return content
  }
  const text = Buffer.from('the same line, again and again\n'.repeat(5000))
  const shared = picture(MIB)
  const files: [string, Buffer][] = [
    ['Photos/one.jpg', picture(0.7 * MIB)],
    ['Photos/two.jpg', shared],
    ['Backup/two copy.jpg', shared],
    ['Letters/all.txt', text],
    ['Images/empty disk.img', Buffer.alloc(MIB)],
    ['Odd/new\nline.txt', text.subarray(0, 1000)],
    ["Odd/it's $HOME %.txt", text.subarray(0, 2000)],
    ['Odd/caf\udce9.txt', text.subarray(0, 3000)],
    ['Odd/-dash', Buffer.alloc(0)],
  ]
  for (const [name, content] of files) {
    const file = path.join(folder, name)
    await mkdir(nativePath(path.dirname(file)), { recursive: true })
    await writeFile(nativePath(file), content)
  }
  return { files: files.length, bytes: files.reduce((sum, [, content]) => sum + content.length, 0) }
}

it('goes the whole way: a dropped folder is surveyed, planned, exported, built and verified', async () => {
  const folder = await temporaryFolder()
  const source = path.join(folder, 'Dropped source')
  const made = await makeSource(source)
  const target = path.join(folder, 'Exported plan')
  await mkdir(target)
  const { app, page, drop, screenshot, complaints, log } = await openApp()
  const button = (key: Parameters<typeof words>[0]) =>
    page.getByRole('button', { name: words(key), exact: true })

  await page.getByText(words('source.drop.title')).waitFor()
  await screenshot('1 source, nothing yet')
  await drop(source)
  await page
    .getByRole('list', { name: words('source.list') })
    .getByText('Dropped source')
    .first()
    .waitFor()
  await screenshot('2 source, dropped')

  await button('source.read').click()
  await button('survey.toPlan').and(page.locator(':enabled')).waitFor()
  await page.getByRole('main').getByText(`${made.files} files read`).first().waitFor()
  await screenshot('3 survey, done')

  await button('survey.toPlan').click()
  await page.getByLabel(words('medium.own'), { exact: true }).fill('3MB')
  await button('plan.make').click()
  await page.getByRole('button', { name: oneButtonCopy['set.make'], exact: true }).waitFor()
  await page.getByRole('group', { name: recoveryCopy['plan.facts'] }).waitFor()
  await screenshot('4 plan, made')

  await answerFolderDialogs(app, target)
  await exportLists(page)
  await page.getByText(words('plan.exported')).waitFor()
  await screenshot('5 plan, exported')

  const plan = JSON.parse(await readFile(await findPlan(target), 'utf8')) as PlanDocument
  expect(plan.totals).toMatchObject({ files: made.files, bytes: made.bytes })
  expect(plan.totals.volumes).toBeGreaterThan(1)
  for (const volume of plan.volumes) expect(volume.sectors).toBeLessThanOrEqual(volume.capacitySectors)

  await button('plan.toBuild').click()
  await button('build.all').click()
  await page.getByText(words('build.says.built')).waitFor()
  await screenshot('6 build, built')
  await button('build.verifyAll').click()
  await page.getByText(words('build.says.verified')).waitFor()

  await page.keyboard.press('Control+,')
  await page.getByText(words('theme.dark'), { exact: true }).click()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1000, 700))
  for (const step of ['source', 'survey', 'plan', 'build'] as const) {
    await page
      .getByRole('navigation')
      .getByRole('button', { name: words(`step.${step}`) })
      .click()
    await screenshot(`7 dark and narrow, ${step}`)
  }
  expect(complaints).toEqual([])
  expect(await log()).not.toMatch(/internal|uncaught|does not fit/)
})

/** The plan's own file, in the chosen folder or in the one made for it there. */
async function findPlan(target: string): Promise<string> {
  const names = await readdir(target, { recursive: true })
  const name = names.find((each) => path.basename(each) === 'plan.json')
  if (!name) throw new Error(`no plan.json among ${names.join(', ')}`)
  return path.join(target, name)
}
