import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/temporaryFolder'
import { answerFolderDialogs, openApp, PATIENCE_MS, temporaryHome } from './appWindow'
import { followSystem } from './systemCalls'

const text = (films: string): string => `# Ana's archive
id: pr-0123456789ab
name: Photos of Ana # all of them
sources:
  # next to this file
  photos: Photos
  films: ${films} # on the stick
medium: dvd-r
encryption: aes-256
`

async function makeProject(): Promise<{ folder: string; file: string }> {
  const folder = await temporaryFolder()
  const file = path.join(folder, 'photos.stowage.yaml')
  await mkdir(path.join(folder, 'Photos'))
  await writeFile(path.join(folder, 'Photos', 'a.jpg'), 'content')
  await writeFile(file, text('/nowhere/Films'))
  return { folder, file }
}

it('opens a dropped project, finds a source again, saves it with its comments and remembers it', async () => {
  const { folder, file } = await makeProject()
  const home = await temporaryHome()
  const films = path.join(folder, 'mnt', 'Films')
  await mkdir(films, { recursive: true })
  const first = await openApp({ home })
  const { app, page } = first
  await first.drop(file)
  await page.getByText('films is not there').waitFor()
  expect(await page.getByRole('radio', { name: 'Yes, encrypt it', exact: true }).isChecked()).toBe(true)
  await answerFolderDialogs(app, films)
  await page.getByRole('button', { name: 'Choose where films is now' }).click()
  await page.getByTitle(films).first().waitFor()
  await page.getByRole('radio', { name: 'No', exact: true }).click()
  await page.getByText('Not saved', { exact: true }).waitFor()
  const title = (): Promise<string | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())
  expect(await title()).toBe('• Photos of Ana – Stowage')

  const system = await followSystem(app)
  await system.answer(2)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await vi.waitUntil(async () => (await system.seen()).questions.length === 1, { timeout: PATIENCE_MS })
  expect((await system.seen()).questions[0]).toMatchObject({
    message: 'Save the changes to Photos of Ana?',
    buttons: ['Save', 'Don’t save', 'Cancel'],
  })
  expect(await readFile(file, 'utf8')).toBe(text('/nowhere/Films'))

  await page.keyboard.press('Control+s')
  await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
  expect(await readFile(file, 'utf8')).toBe(
    text('/nowhere/Films').replace('encryption: aes-256', 'encryption: none'),
  )
  expect(await title()).toBe('Photos of Ana – Stowage')
  await first.close()

  const second = await openApp({ home })
  await second.page.getByRole('button', { name: 'Open the project Photos of Ana' }).click()
  await second.page.getByTitle(films).first().waitFor()
  await second.close()

  await rename(file, path.join(folder, 'moved.stowage.yaml'))
  const third = await openApp({ home })
  await third.page.getByText('Cannot be opened: no such file or folder').waitFor()
})

it('opens the project of its command line, and names the place of a fault', { tags: 'long' }, async () => {
  const { file } = await makeProject()
  const { page } = await openApp({ args: [file] })
  await page.getByText('Photos of Ana').first().waitFor()
  await writeFile(file, `${text('/f')}medum: dvd-r\n`)
  const broken = await openApp({ args: [file] })
  await broken.page
    .getByText(`${file}:10:1: medum is unknown: did you mean "medium"?`, { exact: false })
    .first()
    .waitFor()
})
