import { expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'
import { exported } from './writtenSet'

const windows = windowsForTests()

it('building asks about a file that changed, by keyboard too, and goes on as is answered', () =>
  answersEachFile('light'))

it('building asks about a file that changed in the dark theme too', { tags: 'long' }, () =>
  answersEachFile('dark'),
)

/** Builds while three files turn out changed, and answers each of them otherwise. */
async function answersEachFile(theme: 'light' | 'dark'): Promise<void> {
  const page = await exported(windows, { dark: theme === 'dark' })
  await button(page, 'Build all').click()
  await page.waitForFunction(() => window.fake.callsOf('run.build').length === 1)
  expect(await callsOf(page, 'run.build')).toMatchObject([{ volumes: [], force: false, changed: 'ask' }])
  await advance(page, 0.2)
  await page.evaluate(() => window.fake.askAboutFile('/home/ana/Photos/2024/beach.jpg', 2))
  const dialog = page.getByRole('alertdialog', {
    name: 'Build PHOTOS_02 (volume 2 of 9) without a file?',
  })
  await dialog.waitFor()
  await dialog
    .getByText('Cannot use /home/ana/Photos/2024/beach.jpg: it was modified', { exact: false })
    .waitFor()
  await dialog.getByText('2 further files of it changed too.', { exact: false }).waitFor()
  await page.getByText('Waiting for an answer').waitFor()
  await picture(page, `build-changed-file-${theme}`)
  // The focus is on the first answer.
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate(() => window.fake.askAboutFile('/home/ana/Photos/2024/dunes.jpg', 1))
  await dialog.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate(() => window.fake.askAboutFile('/home/ana/Photos/2024/sea.jpg'))
  await button(page, 'Do not build this volume').click()
  await dialog.waitFor({ state: 'detached' })
  expect(await callsOf(page, 'job.proceed')).toMatchObject([
    { answer: 'yes' },
    { answer: 'all' },
    { answer: 'no' },
  ])
  await finish(page)
}
